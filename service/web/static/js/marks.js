/** How sides are told apart: a colour, a letter and a pattern; and which team of a photo is which side. */

const WORDS = {
  dark: "#4a3025",
  light: "#e3c08a",
  black: "#26262a",
  white: "#f3f1ec",
  grey: "#8b8e94",
  natural: "#e0bd86",
  brown: "#6b4730",
  red: "#b3262b",
  orange: "#d9701f",
  yellow: "#e5bd2c",
  green: "#2f7d46",
  teal: "#17807f",
  blue: "#2457b3",
  purple: "#6c3fa0",
  pink: "#d4668f",
};
const SPARE = ["dark", "light", "red", "blue"];

/** The colours a side can be given, in the order shown. */
export const COLOURS = [
  "dark",
  "light",
  "black",
  "white",
  "red",
  "blue",
  "green",
  "yellow",
  "orange",
  "purple",
];

/** The colour of a word as #rrggbb. */
export const colourOf = (word) => WORDS[word] ?? "#8b8e94";

/** The letter of each side: the first of its name, or A, B, C, D where names begin alike. */
export function letters(names) {
  const first = names.map((name) => [...name.trim()][0]?.toLocaleUpperCase() ?? "?");
  return new Set(first).size === first.length ? first : names.map((_, index) => "ABCD"[index]);
}

/** The marks of a match's sides: `{name, letter, pattern, colour}`; colours as seen in `board`, else as told. */
export function marksOf(match, board = null, teams = null) {
  const names = match.sides.map((side) => side.name);
  const letter = letters(names);
  const seen = new Map();
  if (board)
    for (const [team, name] of Object.entries(teams ?? assign(board, match.sides)))
      seen.set(name, teamColour(board, team));
  return match.sides.map((side, index) => ({
    name: side.name,
    letter: letter[index],
    pattern: index,
    colour: seen.get(side.name) ?? colourOf(side.colour ?? SPARE[index]),
  }));
}

/** Which side each team of a reading is: as a round counted it, else with the least difference of colours. */
export function assign(reading, sides) {
  if (reading.teams) return reading.teams;
  const teams = reading.sides.map((side) => side.team);
  const told = new Map(reading.sides.filter((side) => side.name).map((side) => [side.team, side.name]));
  const cost = (team, index) => {
    if (told.get(team) === sides[index].name) return -1e6;
    const colour = teamColour(reading, team);
    return colour ? distance(colour, colourOf(sides[index].colour ?? SPARE[index])) : 0;
  };
  let best = null;
  for (const order of orders(
    sides.map((_, index) => index),
    teams.length,
  )) {
    const total = order.reduce((sum, index, at) => sum + cost(teams[at], index), 0);
    if (!best || total < best.total) best = { total, order };
  }
  return Object.fromEntries(
    teams.map((team, at) => [team, sides[best?.order[at]]?.name]).filter(([, name]) => name),
  );
}

/** The mean colour of a team's discs, or null if none lies on the board. */
export function teamColour(reading, team) {
  const own = reading.discs
    .filter((disc) => disc.team === team && disc.colour)
    .map((disc) => rgb(disc.colour));
  if (!own.length) return null;
  const mean = [0, 1, 2].map((channel) =>
    Math.round(own.reduce((sum, colour) => sum + colour[channel], 0) / own.length),
  );
  return `#${mean.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** Black or white, whichever reads better on a colour (WCAG relative luminance). */
export function inkOn(colour) {
  const [r, g, b] = rgb(colour).map((value) =>
    (value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return luminance > 0.179 ? "#14110d" : "#ffffff";
}

/** Puts a side's mark on an element: its colours as custom properties, its pattern as an attribute. */
export function wear(element, mark) {
  element.style.setProperty("--team", mark.colour);
  element.style.setProperty("--team-ink", inkOn(mark.colour));
  element.style.setProperty(
    "--team-edge",
    inkOn(mark.colour) === "#ffffff" ? "rgb(255 255 255 / 45%)" : "rgb(0 0 0 / 45%)",
  );
  element.dataset.pattern = mark.pattern;
  return element;
}

/** The round chip with a side's letter. */
export function chip(mark) {
  const element = document.createElement("span");
  element.className = "mark";
  element.textContent = mark.letter;
  element.setAttribute("aria-hidden", "true");
  return wear(element, mark);
}

const rgb = (colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** How different two colours look: the "redmean" weighting, good enough to tell sides apart. */
function distance(one, other) {
  const [a, b] = [rgb(one), rgb(other)];
  const mean = (a[0] + b[0]) / 2;
  const [r, g, blue] = a.map((value, channel) => (value - b[channel]) ** 2);
  return Math.sqrt((2 + mean / 256) * r + 4 * g + (2 + (255 - mean) / 256) * blue);
}

function* orders(items, count) {
  if (count === 0 || items.length === 0) return yield [];
  for (const item of items)
    for (const rest of orders(
      items.filter((other) => other !== item),
      count - 1,
    ))
      yield [item, ...rest];
}
