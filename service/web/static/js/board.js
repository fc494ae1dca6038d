/** `<crokinole-board>`: the board from above as SVG, in millimetres, with every disc where it lies. */
import { s } from "./dom.js";
import { inkOn } from "./marks.js";
import { number, t } from "./words.js";

/** The standard disc's widest part, and the edge of its bottom, which is what touches a line. */
const DISC_MM = 15.9;
const BOTTOM_MM = 14.6;
const HALF_MM = 379;
const WIDEST_MM = 410;
/** From the shooting line to the edge of the playing surface. */
const RIM_MM = 25.4;
const FINGER_PX = 30;
const OCTAGON_MM = 377;
const STANDARD_MM = [101.6, 203.2, 304.8];

export class CrokinoleBoard extends HTMLElement {
  #discs = new Map();
  #at = null;

  connectedCallback() {
    if (this.svg) return;
    this.svg = s("svg", {
      viewBox: `-${HALF_MM} -${HALF_MM} ${2 * HALF_MM} ${2 * HALF_MM}`,
      role: "group",
      "aria-label": t("board.label"),
    });
    this.art = s("g", { "aria-hidden": "true" });
    this.pieces = s("g", {});
    this.svg.append(this.art, this.pieces);
    this.append(this.svg);
    this.#paint(STANDARD_MM);
    if (!this.hasAttribute("tappable")) return;
    this.svg.classList.add("tappable");
    this.svg.addEventListener("click", (event) => this.#tapped(event));
    this.svg.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * Draws a position. `board` has `discs` and `ring_radii_mm`; `marks` maps a team to its side's mark;
   * `close` are the ids to look at, `decided` maps an id to the points a person gave it.
   */
  show(
    board,
    marks = new Map(),
    { close = new Set(), decided = new Map(), names = (disc) => String(disc.id) } = {},
  ) {
    const discs = board
      ? board.discs.filter((disc) => disc.place !== "off" && disc.x_mm !== null && disc.y_mm !== null)
      : [];
    const rings = board?.ring_radii_mm?.length === 3 ? board.ring_radii_mm : STANDARD_MM;
    if (String(rings) !== String(this.rings)) this.#paint(rings);
    this.#turn(discs);
    this.#fit(discs);
    const keep = new Set();
    for (const disc of discs) {
      const key = `${disc.id}/${disc.team}`;
      keep.add(key);
      const piece = this.#discs.get(key) ?? this.#enter(key);
      this.#dress(piece, disc, marks.get(disc.team), close.has(disc.id), decided.get(disc.id), names(disc));
    }
    for (const [key, piece] of this.#discs) if (!keep.has(key)) this.#leave(key, piece);
    const first = this.pieces.querySelector('[tabindex="0"]') ?? this.pieces.firstElementChild;
    if (this.hasAttribute("tappable") && first) first.setAttribute("tabindex", "0");
  }

  /** Marks one disc as the one that is talked about. */
  choose(id) {
    for (const piece of this.#discs.values())
      piece.classList.toggle("chosen", Number(piece.dataset.id) === id);
  }

  /** Shows only what lies around one disc, enlarged. */
  zoom(disc, half = 70) {
    const [x, y] = this.#placed(disc);
    this.svg.setAttribute("viewBox", `${x - half} ${y - half * 0.62} ${2 * half} ${1.24 * half}`);
    this.fixed = true;
  }

  #placed(disc) {
    return this.#turned(disc.x_mm, disc.y_mm);
  }

  /** From the board's frame to the drawing's, and just so back: it is a reflection. */
  #turned(x, y) {
    const [cos, sin] = [Math.cos(this.#at ?? 0), Math.sin(this.#at ?? 0)];
    return [x * cos + y * sin, x * sin - y * cos];
  }

  /** The board frame lies along the quadrant lines; people look at it as the photo does: turn by whole eighths. */
  #turn(discs) {
    const seen = discs.filter((disc) => disc.pixel && Math.hypot(disc.x_mm, disc.y_mm) > 60);
    let [cos, sin] = [0, 0];
    const centre =
      seen.length &&
      [0, 1].map((axis) => seen.reduce((sum, disc) => sum + disc.pixel[axis], 0) / seen.length);
    const middle =
      seen.length &&
      ["x_mm", "y_mm"].map((axis) => seen.reduce((sum, disc) => sum + disc[axis], 0) / seen.length);
    for (const disc of seen) {
      const [px, py] = [disc.pixel[0] - centre[0], disc.pixel[1] - centre[1]];
      const [x, y] = [disc.x_mm - middle[0], -(disc.y_mm - middle[1])];
      cos += x * px + y * py;
      sin += x * py - y * px;
    }
    const turn = seen.length > 3 ? Math.atan2(sin, cos) : 0;
    this.#at = Math.round(turn / (Math.PI / 4)) * (Math.PI / 4);
    this.art.setAttribute("transform", `rotate(${(this.#at * 180) / Math.PI})`);
  }

  #fit(discs) {
    if (this.fixed) return;
    const farthest = Math.max(
      0,
      ...discs.flatMap((disc) => this.#placed(disc).map((value) => Math.abs(value) + DISC_MM + 4)),
    );
    const half = this.hasAttribute("whole") ? WIDEST_MM : Math.min(WIDEST_MM, Math.max(HALF_MM, farthest));
    this.svg.setAttribute("viewBox", `${-half} ${-half} ${2 * half} ${2 * half}`);
  }

  #paint(rings) {
    this.rings = rings;
    const [r15, r10, r5] = rings;
    const circle = (r, name) => s("circle", { r, class: name });
    const axes = [0, 1, 2, 3].map((k) => k * (Math.PI / 2));
    const pegs = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => (k + 0.5) * (Math.PI / 4));
    const corner = OCTAGON_MM * Math.tan(Math.PI / 8);
    const octagon = [
      [1, corner],
      [corner, 1],
      [-corner, 1],
      [-1, corner],
      [-1, -corner],
      [-corner, -1],
      [corner, -1],
      [1, -corner],
    ].map(([x, y]) =>
      [Math.abs(x) === 1 ? x * OCTAGON_MM : x, Math.abs(y) === 1 ? y * OCTAGON_MM : y].join(","),
    );
    this.art.replaceChildren(
      s("polygon", { points: octagon.join(" "), class: "b-frame" }),
      circle(r5 + 64, "b-ditch"),
      circle(r5 + RIM_MM, "b-five"),
      circle(r5 + RIM_MM, "b-rim"),
      circle(r5, "b-five"),
      circle(r10, "b-ten"),
      circle(r15, "b-fifteen"),
      ...axes.map((a) =>
        s("line", {
          x1: r10 * Math.cos(a),
          y1: r10 * Math.sin(a),
          x2: r5 * Math.cos(a),
          y2: r5 * Math.sin(a),
          class: "b-line",
        }),
      ),
      circle(r5, "b-line"),
      circle(r10, "b-line"),
      circle(r15, "b-line"),
      ...pegs.map((a) => s("circle", { cx: r15 * Math.cos(a), cy: r15 * Math.sin(a), r: 5, class: "b-peg" })),
      circle(17.5, "b-hole"),
    );
  }

  #enter(key) {
    const tappable = this.hasAttribute("tappable");
    const piece = s("g", {
      class: "disc",
      role: tappable ? "button" : "img",
      tabindex: tappable ? "-1" : null,
    });
    this.#discs.set(key, piece);
    this.pieces.append(piece);
    return piece;
  }

  #leave(key, piece) {
    this.#discs.delete(key);
    piece.remove();
  }

  #dress(piece, disc, mark, close, decided, name) {
    const [x, y] = this.#placed(disc);
    const colour = mark?.colour ?? disc.colour ?? "#888888";
    const ink = inkOn(colour);
    const points = decided ?? disc.points;
    const pattern = mark?.pattern ?? 0;
    piece.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
    piece.setAttribute("aria-label", name);
    piece.setAttribute(
      "class",
      `disc${points ? "" : " out"}${decided === undefined ? "" : " decided"}${piece.classList.contains("chosen") ? " chosen" : ""}`,
    );
    piece.dataset.id = disc.id;
    piece.replaceChildren(
      ...(close || decided !== undefined
        ? [
            s("circle", { r: DISC_MM + 6, class: "halo-edge" }),
            s("circle", { r: DISC_MM + 6, class: "halo" }),
          ]
        : []),
      s("circle", { r: DISC_MM, class: "rim", fill: colour }),
      s("circle", {
        r: BOTTOM_MM - 0.5,
        class: "body",
        fill: colour,
        stroke: ink === "#ffffff" ? "#00000099" : "#3a2a1e",
      }),
      ...ringsOf(pattern, ink),
      s("circle", { r: DISC_MM + 3, class: "focus" }),
      ...(points ? [s("text", { class: "points", fill: ink }, number(points))] : []),
      ...(decided === undefined
        ? []
        : [
            s("circle", { cx: 15, cy: -15, r: 9, class: "tick" }),
            s("path", { d: "M11 -15l3 3 5 -6", class: "tick-mark" }),
          ]),
    );
  }

  #tapped(event) {
    const [focused] = [event.target.closest?.(".disc")];
    const piece = focused ?? this.#nearest(event.clientX, event.clientY);
    if (piece) this.#pick(piece);
    else this.#place(event.clientX, event.clientY);
  }

  /** A tap where no disc lies: tells where on the board that is. */
  #place(x, y) {
    const at = new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM().inverse());
    const [x_mm, y_mm] = this.#turned(at.x, at.y);
    if (Math.hypot(x_mm, y_mm) > this.rings[2] + RIM_MM) return;
    this.dispatchEvent(new CustomEvent("place", { detail: { x_mm, y_mm }, bubbles: true }));
  }

  /** A finger is wider than a disc on a phone: the nearest within its reach is meant. */
  #nearest(x, y) {
    let best = null;
    for (const piece of this.#discs.values()) {
      const box = piece.querySelector(".body").getBoundingClientRect();
      const away = Math.hypot(x - box.x - box.width / 2, y - box.y - box.height / 2);
      if (away < (best?.away ?? FINGER_PX)) best = { away, piece };
    }
    return best?.piece;
  }

  #pick(piece) {
    this.#rove(piece);
    this.dispatchEvent(new CustomEvent("disc", { detail: Number(piece.dataset.id), bubbles: true }));
  }

  #key(event) {
    const pieces = [...this.pieces.children];
    const at = pieces.indexOf(document.activeElement);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (at < 0) return;
    if (step) this.#rove(pieces[(at + step + pieces.length) % pieces.length]).focus();
    else if (event.key === "Enter" || event.key === " ") this.#pick(pieces[at]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #rove(piece) {
    for (const other of this.pieces.children) other.setAttribute("tabindex", other === piece ? "0" : "-1");
    return piece;
  }
}

/** Patterns on the discs: none, a ring, a broken ring, two rings; a side is known without its colour. */
function ringsOf(pattern, ink) {
  const ring = (r, more = {}) =>
    s("circle", {
      r,
      class: "ring",
      fill: "none",
      stroke: ink,
      "stroke-width": 1.7,
      "stroke-opacity": 0.75,
      ...more,
    });
  return (
    [[], [ring(12.2)], [ring(12.2, { "stroke-dasharray": "4 3" })], [ring(12.4), ring(10)]][pattern] ?? []
  );
}

customElements.define("crokinole-board", CrokinoleBoard);
