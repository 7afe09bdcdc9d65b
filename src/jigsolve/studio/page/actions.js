// What a person can do to the arrangement. Each is a request; what it changed comes back as an event.

import { getFile, post, sendRaw } from "./api.js";
import { refreshAdvice } from "./advice.js";
import { pieceOf, seamBetween } from "./poses.js";
import { say, set, state, toast } from "./state.js";

const path = (what) => `/projects/${state.project.id}/${what}`;

/** Send an action; a refusal is said on the page. Returns whether it was done. */
export async function act(action) {
  if (!state.project) return false;
  try {
    await post(path("actions"), action);
    return true;
  } catch (error) {
    toast(error.message, "error");
    return false;
  }
}

async function ask(what, body) {
  try {
    await post(path(what), body);
  } catch (error) {
    toast(error.message, "error");
  }
}

/** The selected cells, or the keyboard's cell where nothing is selected. */
export const chosen = () =>
  state.selection.size ? [...state.selection].sort((a, b) => a - b) : state.cursor >= 0 ? [state.cursor] : [];

const filled = (cells) => cells.filter((c) => state.pictures[state.picture].cells[c] >= 0);

function onChosen(make) {
  const cells = filled(chosen());
  if (!cells.length) return say("Select a piece first.");
  return act({ picture: state.picture, cells, ...make(cells) });
}

/** Turn what is selected; a block that is not as wide as high by half. */
export const turn = (by) => onChosen((cells) => ({ kind: "turn", by: state.project.turns === "half" || !isSquare(cells) ? 2 : by }));

function isSquare(cells) {
  const { columns } = state.pictures[state.picture];
  const span = (numbers) => numbers.reduce((a, b) => Math.max(a, b)) - numbers.reduce((a, b) => Math.min(a, b));
  return span(cells.map((c) => Math.floor(c / columns))) === span(cells.map((c) => c % columns));
}

export const park = () => onChosen(() => ({ kind: "park" }));

/** Lock what is selected, or unlock it where all of it is locked. */
export function toggleLock() {
  const locked = new Set(state.project.locked);
  const { cells } = state.pictures[state.picture];
  return onChosen((chosenCells) => ({
    kind: chosenCells.every((c) => locked.has(pieceOf(cells[c]))) ? "unlock" : "lock",
  }));
}

/** The seam a key is about: the one in question, the one between two selected pieces, or the one pointed at. */
export function seamInMind() {
  if (state.focus) return state.focus.seam;
  const { columns } = state.pictures[state.picture] ?? {};
  const cells = [...state.selection];
  if (cells.length === 2) return seamBetween(...cells, columns);
  return state.hover?.seam ?? null;
}

/** Accept, reject or forget a seam. */
export async function answer(kind, seam = seamInMind()) {
  if (!seam) return toast("Point at a seam, or select the two pieces beside it.");
  const done = await act({ kind, picture: state.picture, row: seam.row, column: seam.column, dir: seam.dir });
  return done && set({ answers: state.answers + 1 });
}

/** Select everything that holds together with a cell. */
export async function selectHeld() {
  const [cell] = chosen().length ? chosen() : [state.hover?.cell ?? -1];
  if (cell < 0) return say("Point at a piece first.");
  try {
    const answer = await fetch(`/api${path(`held?picture=${state.picture}&cell=${cell}`)}`);
    const cells = await answer.json();
    if (!answer.ok) throw new Error(cells.error);
    set({ selection: new Set(cells), tab: "pieces" });
    say(`${cells.length} pieces hold together here.`);
  } catch (error) {
    toast(error.message, "error");
  }
}

export function solve(scope = "all", timeLimit = null) {
  if (scope === "selection" && chosen().length < 2) return toast("Select two pieces or more first.");
  const body = { scope, timeLimit, picture: state.picture };
  if (scope === "selection") body.cells = chosen().map((c) => [state.picture, c]);
  set({
    before: state.pictures.map(({ cells }) => cells.slice()),
    compare: false, focus: null, questions: null, skipped: [], doubt: null, lifted: null,
  });
  return ask("solve", body);
}

/** Price the seams of what lies there, moving nothing: then it is known how sure it is. */
export const price = () => ask("solve", { scope: "price" });

export const stop = () => ask("stop", {});
export const undo = () => state.project?.canUndo && act({ kind: "undo" });
export const redo = () => state.project?.canRedo && act({ kind: "redo" });

/** Show another picture. What is lifted comes along. */
export function showPicture(picture) {
  if (picture === state.picture || !state.pictures[picture]) return;
  say(`Picture ${picture + 1} of ${state.pictures.length}.`);
  set({ picture, hover: null, compare: false, lifted: state.lifted && { ...state.lifted, by: null, cost: null }, selection: new Set(), cursor: -1, focus: null, questions: null, skipped: [], doubt: null, candidates: null, fits: null });
  refreshAdvice();
}

/** Show both pieces of a seam, or one cell. */
export function goTo(picture, cell) {
  showPicture(picture);
  set({ selection: new Set([cell]), cursor: cell, goal: { cells: [cell] } });
  refreshAdvice();
}

/** Fetch a file and hand it to the browser; where there is none, say why. */
export async function takeAway(kind) {
  try {
    const url = URL.createObjectURL(await getFile(path(`export/${kind}?picture=${state.picture}`)));
    Object.assign(document.createElement("a"), { href: url, download: kind }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch (error) {
    toast(error.message, "error");
  }
}

export async function importSolution(file) {
  try {
    await sendRaw(path("import"), file);
    toast(`Opened ${file.name}.`);
  } catch (error) {
    toast(error.message, "error");
  }
}
