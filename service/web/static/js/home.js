/** The first page: tables with what stands on them, and the matches played. */
import { API, get, post, put, Problem } from "./api.js";
import { byId, h, icon, toast } from "./dom.js";
import { chip, marksOf } from "./marks.js";
import { startPrefs } from "./prefs.js";
import { gameOf, roundWords } from "./standing.js";
import { moment, t } from "./words.js";

const REFRESH_S = 5;
const SHOWN = 30;
/** Of an older match there is no page: its files say all. */
const FILES = ["sheet", "json"];

let isNamed = false;

const link = (table) => `/table/${encodeURIComponent(table)}`;

function scores(match) {
  return h(
    "span",
    { class: "scores" },
    ...marksOf(match).map((mark, index) =>
      h(
        "span",
        { class: "score" },
        chip(mark),
        h("span", { class: "score-name" }, mark.name),
        h("strong", { class: "numbers" }, String(gameOf(match).points[index])),
      ),
    ),
  );
}

function tableCard(table, match) {
  return h(
    "li",
    {},
    h(
      "a",
      { class: "panel card", href: link(table.table) },
      h(
        "span",
        { class: "card-head" },
        h("strong", {}, t("home.table_of", { table: table.table })),
        h("span", { class: "small quiet" }, match ? roundWords(match) : t("home.free")),
      ),
      match ? scores(match) : null,
      table.event_name ? h("span", { class: "small quiet" }, table.event_name) : null,
    ),
  );
}

function matchRow(match) {
  return h(
    "li",
    { class: "match" },
    scores(match),
    h(
      "span",
      { class: "small quiet" },
      [t("home.table_of", { table: match.table }), roundWords(match), moment(match.created_at)].join(" · "),
    ),
    h("span", { class: "files" }, ...FILES.map((format) => fileLink(match, format))),
  );
}

function fileLink(match, format) {
  const href = `${API}/matches/${match.id}/export?format=${format}`;
  const name = `${t(`export.${format}`)}: ${match.sides.map((side) => side.name).join(" – ")}`;
  return h("a", { class: "button ghost", href, download: true, "aria-label": name }, icon("file"), t(`export.${format}`));
}

/** Takes in a match from the file that another service, or this one, wrote. */
async function bringIn([file]) {
  if (!file) return;
  const match = await file.text().then(JSON.parse).catch(() => null);
  if (!match?.crokinole_match) return toast(t("home.no_match_file"), { urgent: true });
  try {
    const { sides } = await post("/matches/import", match);
    toast(t("home.brought_in", { names: sides.map((side) => side.name).join(" – ") }));
    await refresh();
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    toast(problem.message, { seconds: 9, urgent: true });
  }
}

async function refresh() {
  try {
    const [tables, matches] = await Promise.all([get("/tables"), get(`/matches?limit=${SHOWN}`)]);
    const byMatch = new Map(matches.matches.map((match) => [match.id, match]));
    const current = await Promise.all(
      tables.tables.map((table) =>
        table.match ? (byMatch.get(table.match) ?? get(`/matches/${table.match}`)) : null,
      ),
    );
    byId("tables").replaceChildren(...tables.tables.map((table, index) => tableCard(table, current[index])));
    byId("no-tables").hidden = tables.tables.length > 0;
    // At a kitchen table one will do, and its name does not matter.
    if (!tables.tables.length && !isNamed) byId("table-name").value = "1";
    byId("matches").replaceChildren(...matches.matches.map(matchRow));
    byId("no-matches").hidden = matches.matches.length > 0;
    byId("offline").hidden = true;
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    byId("offline").hidden = problem.status !== 0;
    if (problem.status !== 0) toast(problem.message);
  }
  byId("tables").removeAttribute("aria-busy");
}

byId("new-table").addEventListener("submit", async (event) => {
  event.preventDefault();
  const table = byId("table-name").value.trim();
  try {
    await put(`/tables/${encodeURIComponent(table)}`, {});
    location.assign(link(table));
  } catch (problem) {
    toast(problem.message, { urgent: true });
  }
});

byId("bring-in").addEventListener("change", async ({ target }) => {
  await bringIn(target.files);
  target.value = "";
});
byId("table-name").addEventListener("input", () => (isNamed = true));
startPrefs();
refresh();
setInterval(() => document.hidden || refresh(), REFRESH_S * 1000);
