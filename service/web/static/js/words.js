/** The page's words: every text people read comes from the language file the server put into the page. */
const data = JSON.parse(document.getElementById("page-data").textContent);

/** What the server gave this page: language, texts, table. */
export const page = data;

const plural = new Intl.PluralRules(data.language);

/** The text of a key with its `{names}` filled in; with `n`, the form (`.one`, `.other`) the language wants. */
export function t(key, values = {}) {
  const form = "n" in values ? `${key}.${plural.select(values.n)}` : key;
  const text = data.texts[form] ?? data.texts[`${key}.other`] ?? data.texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** Whether the language file has this text. */
export const has = (key) => key in data.texts;

/** A number as the language writes it, with so many places. */
export function number(value, places = 0) {
  return new Intl.NumberFormat(data.language, {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
    signDisplay: "negative", // nothing is "-0.0"
  }).format(value);
}

/** The names as "Anna and Ben". */
export function listed(names) {
  return new Intl.ListFormat(data.language, { type: "conjunction" }).format(names);
}

/** A moment as the language writes it. */
export function moment(iso) {
  return new Intl.DateTimeFormat(data.language, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(iso),
  );
}

/** A colour word of a reading or a side in the language; a word without a text stays as it is. */
export const colourWord = (word) => (word && has(`colour.${word}`) ? t(`colour.${word}`) : (word ?? ""));
