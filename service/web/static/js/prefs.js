/** Language and theme: kept in cookies so that the server draws the first picture right. */
import { byId } from "./dom.js";
import { t } from "./words.js";

const THEMES = ["auto", "light", "dark"];

function keep(name, value) {
  document.cookie = `${name}=${value};path=/;max-age=31536000;samesite=lax`;
}

function showTheme(theme) {
  const root = document.documentElement;
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  const button = byId("theme");
  button.querySelector("use").setAttribute("href", `#i-theme-${theme}`);
  button.setAttribute("aria-label", t("theme.button", { theme: t(`theme.${theme}`) }));
  button.title = t("theme.button", { theme: t(`theme.${theme}`) });
}

/** Makes the two switches of the top bar work. */
export function startPrefs() {
  const button = byId("theme");
  if (!button) return;
  let theme = document.documentElement.dataset.theme ?? "auto";
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    keep("theme", theme);
    showTheme(theme);
  });
  byId("language").addEventListener("change", (event) => {
    keep("language", event.target.value);
    location.reload();
  });
}
