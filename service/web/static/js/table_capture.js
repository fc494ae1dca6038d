/** How a photo gets to the service: taken, chosen, dropped, from the table's camera, or kept from before. */
import { API, post, put } from "./api.js";
import { byId, h, sheet } from "./dom.js";
import { drop as forget, offerPhotos, sendPhoto, waiting } from "./upload.js";
import { page, t } from "./words.js";

const PREVIEW_S = 1;
const table = () => encodeURIComponent(page.table);

/** Makes the photo buttons, dropping, the camera and the kept photos work. */
export function startCapture(app) {
  let preview = null;

  async function send(photo, key) {
    const picture = URL.createObjectURL(photo);
    byId("working-photo").src = picture;
    progress(0);
    app.work(true);
    try {
      app.review(await sendPhoto(page.table, photo, fields(), progress, key));
    } catch (problem) {
      app.work(false);
      app.tell(problem);
    } finally {
      URL.revokeObjectURL(picture);
      byId("working-photo").removeAttribute("src");
      showKept();
    }
  }

  /** The photo is read by the rules of the match, so that its points are those that will count. */
  function fields() {
    const rules = app.state.match?.rules.name ?? "";
    return page.presets.includes(rules.split("+")[0]) ? { rules } : {};
  }

  function progress(share) {
    byId("working-words").textContent = t(share === null ? "photo.reading" : "photo.sending");
    if (share === null) byId("working-bar").removeAttribute("value");
    else byId("working-bar").value = share;
  }

  async function showKept() {
    const uploads = await waiting(page.table);
    byId("kept").replaceChildren(
      ...uploads.map((upload) =>
        h(
          "div",
          { class: "notice kept-item" },
          h("span", { class: "grow" }, t("photo.kept", { name: upload.name })),
          h(
            "button",
            { type: "button", onclick: () => forget(upload.key).then(showKept) },
            t("photo.forget"),
          ),
          h(
            "button",
            { type: "button", class: "primary button", onclick: () => send(upload.photo, upload.key) },
            t("photo.again"),
          ),
        ),
      ),
    );
  }

  /** Kept photos go by themselves when the service is back, one at a time. */
  async function sendKept() {
    const [upload] = await waiting(page.table);
    if (upload && byId("page").dataset.view === "ready" && !app.state.working)
      await send(upload.photo, upload.key);
  }

  async function shoot() {
    const button = byId("capture");
    const words = byId("capture-problem");
    button.disabled = true;
    words.hidden = true;
    byId("camera-state").textContent = t("camera.working");
    try {
      app.review(await post(`/tables/${table()}/capture`, fields()));
    } catch (problem) {
      words.textContent = problem.message;
      words.hidden = false;
    } finally {
      button.disabled = false;
      byId("camera-state").textContent = "";
      look();
    }
  }

  function showCamera(view) {
    const has = Boolean(app.state.camera?.source);
    byId("camera-panel").hidden = !has;
    offerPhotos(!has);
    byId("drop").hidden = has && !app.state.board;
    const wanted = has && view === "ready";
    if (wanted && !preview) {
      if (byId("camera-preview").hidden) byId("camera-state").textContent = t("camera.connecting");
      preview = setInterval(look, PREVIEW_S * 1000);
    }
    if (!wanted && preview) preview = clearInterval(preview) ?? null;
  }

  /** The next preview is asked for only when the last has come, so a slow line is not choked. */
  function look() {
    const shown = byId("camera-preview");
    if (document.hidden || shown.dataset.waits) return;
    const next = new Image();
    shown.dataset.waits = "1";
    next.onload = () => (
      (shown.src = next.src),
      (shown.hidden = false),
      delete shown.dataset.waits,
      seen(true)
    );
    next.onerror = () => (delete shown.dataset.waits, seen(false));
    next.src = `${API}/tables/${table()}/preview.jpg?at=${Date.now()}`;
  }

  /** Says whether there is a picture, unless it says that one is being taken; an old one is greyed. */
  function seen(live) {
    byId("camera-preview").classList.toggle("lost", !live);
    if (!byId("capture").disabled)
      byId("camera-state").textContent = live ? "" : t("camera.no_picture");
  }

  async function askCamera() {
    const source = await sheet(t("camera.set"), (close) => {
      const field = h("input", {
        type: "text",
        id: "camera-source",
        value: app.state.camera?.source ?? "",
        autocapitalize: "off",
        spellcheck: "false",
        autofocus: true,
      });
      return h(
        "form",
        { class: "stack", onsubmit: (event) => (event.preventDefault(), close(field.value.trim())) },
        h("label", { for: "camera-source" }, t("new.camera")),
        field,
        h("p", { class: "small quiet" }, t("new.camera_hint")),
        h("button", { class: "button primary big wide" }, t("save")),
      );
    });
    if (source === null) return;
    await put(`/tables/${table()}`, { camera: source ? { source } : null }).then(app.refresh, app.tell);
  }

  const take = (list) => list.length && send(list[0]);
  for (const id of ["take", "choose"])
    byId(id).addEventListener(
      "change",
      (event) => (take([...event.target.files]), (event.target.value = "")),
    );
  const drop = byId("drop");
  drop.addEventListener("dragover", (event) => (event.preventDefault(), drop.classList.add("over-it")));
  drop.addEventListener("dragleave", () => drop.classList.remove("over-it"));
  drop.addEventListener(
    "drop",
    (event) => (
      event.preventDefault(),
      drop.classList.remove("over-it"),
      take([...event.dataTransfer.files])
    ),
  );
  byId("capture").addEventListener("click", shoot);
  byId("set-camera").addEventListener("click", askCamera);
  addEventListener("online", sendKept);
  showKept();
  return {
    show: showCamera,
    /** The camera went away or came back. */
    source: (state) => {
      if (state === "lost") return seen(false);
      byId("capture-problem").hidden = true;
      look();
    },
    fire: () => (app.state.camera?.source ? byId("capture").click() : byId("choose").click()),
  };
}
