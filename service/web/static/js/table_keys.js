/** Keyboard shortcuts of the table's page, and the sheet that lists them. */
import { byId, h, sheet } from "./dom.js";
import { t } from "./words.js";

const BUSY = "input, select, textarea, button, summary, a, [role=button]";

/** Makes the keys work; they act only where no field or button has the focus. */
export function startKeys({ undo, review, capture, view }) {
  const help = () =>
    sheet(t("keys.title"), () =>
      h(
        "dl",
        { class: "keys-list" },
        ...["space", "enter", "twenties", "undo", "escape", "help"].flatMap((name) => [
          h("dt", {}, h("kbd", {}, t(`keys.${name}`))),
          h("dd", {}, t(`keys.${name}_does`)),
        ]),
      ),
    );
  byId("keys").addEventListener("click", help);
  document.addEventListener("keydown", (event) => {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      document.querySelector("dialog[open]") ||
      event.target.closest?.(BUSY)
    )
      return;
    const now = view();
    const side = "1234".indexOf(event.code.replace("Digit", ""));
    if (event.code === "Space" && now === "ready") capture.fire();
    else if (event.key === "Enter" && now === "review") byId("confirm").click();
    else if (event.key === "Escape" && now === "review") byId("discard").click();
    else if (event.code.startsWith("Digit") && side >= 0 && now === "review")
      review.twenty(side, event.shiftKey ? -1 : 1);
    else if (event.key === "u" && now !== "review" && now !== "new") undo();
    else if (event.key === "?") help();
    else return;
    event.preventDefault();
  });
}
