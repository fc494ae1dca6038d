/** Small helpers to build and speak: elements, announcements, toasts, dialogs. */
import { t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element: `h("p", {class: "quiet", onclick: f}, "text", child)`. Null children are left out. */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(
    ...children.flat().filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** An icon of the page's sprite. */
export function icon(name) {
  return s("svg", { class: "icon", "aria-hidden": "true" }, s("use", { href: `#i-${name}` }));
}

export const byId = (id) => document.getElementById(id);

/** Says something to people who listen to the page instead of looking at it. */
export function announce(words, urgent = false) {
  const region = byId(urgent ? "say-now" : "say");
  if (!region) return;
  region.textContent = "";
  setTimeout(() => (region.textContent = words), 60);
}

/** Takes the short message away: what it offers is not what people are at any more. */
export const hush = () => byId("toasts").replaceChildren();

/** A short message at the bottom, spoken too; `action` is `{label, run}`. */
export function toast(words, { action = null, seconds = 6, urgent = false } = {}) {
  const box = h("div", { class: "toast" }, h("span", { class: "grow" }, words));
  const close = () => box.remove();
  if (action)
    box.append(h("button", { type: "button", onclick: () => (close(), action.run()) }, action.label));
  const holder = byId("toasts");
  holder.replaceChildren(box);
  announce(words, urgent);
  setTimeout(close, seconds * 1000);
}

/**
 * A dialog with a title and a way out; resolves when it is closed with what was passed to `close`.
 * Escape, the cross and a tap beside it close it with null; focus goes back to where it was.
 */
export function sheet(title, build, { full = false } = {}) {
  return new Promise((resolve) => {
    const from = document.activeElement;
    let answer = null;
    const dialog = h("dialog", { "aria-labelledby": "sheet-title", class: full ? "full" : null });
    const close = (value = null) => ((answer = value), dialog.close());
    const cross = h(
      "button",
      { type: "button", class: "button ghost", "aria-label": t("close"), onclick: () => close() },
      icon("cross"),
    );
    const body = h("div", { class: "sheet-body" });
    dialog.append(
      h(
        "div",
        { class: "sheet" },
        h("div", { class: "sheet-head" }, h("h2", { id: "sheet-title", tabindex: "-1" }, title), cross),
        body,
      ),
    );
    dialog.addEventListener("click", (event) => event.target === dialog && close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (from instanceof Element && from.isConnected) from.focus();
      resolve(answer);
    });
    document.body.append(dialog);
    body.append(...[build(close)].flat());
    dialog.showModal();
    (dialog.querySelector("[autofocus]") ?? dialog.querySelector("#sheet-title")).focus();
  });
}

/** A yes-or-no question; resolves to whether it was yes. */
export async function ask(title, words, yes) {
  return (
    (await sheet(title, (close) => [
      h("p", {}, words),
      h(
        "div",
        { class: "row sheet-actions" },
        h("button", { type: "button", class: "button grow", onclick: () => close(false) }, t("cancel")),
        h(
          "button",
          { type: "button", class: "button primary grow", autofocus: true, onclick: () => close(true) },
          yes,
        ),
      ),
    ])) === true
  );
}
