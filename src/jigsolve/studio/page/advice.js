// What the server can say about doubt: seams, questions, candidates of a cell, places for a piece.

import { get } from "./api.js";
import { pieceOf } from "./poses.js";
import { set, state, toast } from "./state.js";

const COUNT = 50;
let timer = 0, asked = 0;

const path = (what) => `/projects/${state.project.id}/${what}`;

/** Nothing is known of seams before they are priced. */
export const isSolved = () => state.project?.stage === "solved";

export const hasBoard = () => state.pictures.length > 0 && ["cut", "solving", "solved"].includes(state.project?.stage);

export function forgetAdvice() {
  set({ focus: null, questions: null, skipped: [] });
}

/** Ask again, soon, for whatever is on show: many changes in a row are one request. */
export function refreshAdvice() {
  clearTimeout(timer);
  timer = setTimeout(ask, 150);
}

async function ask() {
  if (!hasBoard() || state.run) return;
  const mine = ++asked;
  const current = () => mine === asked && state.project && !state.run;
  const { picture } = state;
  const wanted = [];
  if ((state.overlay || state.focus) && isSolved()) wanted.push(doubtOf(picture, current));
  if (state.questions) wanted.push(questionsOf(picture, current));
  if (state.tab === "pieces") wanted.push(aboutSelection(current));
  for (const { reason } of await Promise.allSettled(wanted))
    if (reason?.status && reason.status !== 409) toast(reason.message, "error"); // 409: not priced, as the panel says
}

async function doubtOf(picture, current) {
  const doubt = await get(path(`doubt?picture=${picture}`));
  if (current()) set({ doubt: { ...doubt, picture } });
}

let latest = 0;

export async function questionsOf(picture, current) {
  const mine = ++latest;
  const every = await get(path(`questions?picture=${picture}&count=${COUNT}`));
  if (mine !== latest || !current()) return;
  const list = skippedLast(every);
  const asking = state.focus && state.questions?.list[state.questions.at];
  if (!asking || hasMoved(state.focus)) return set({ questions: { picture, list, at: -1 }, ...(asking ? { focus: null } : {}) });
  const at = list.findIndex((one) => sameQuestion(one, asking)); // whoever is being asked is asked on
  return set({ questions: at < 0 ? { picture, list: [asking, ...list], at: 0 } : { picture, list, at } });
}

/** Questions that could not be answered come last. */
export function skippedLast(every) {
  const isSkipped = (one) => state.skipped.some((other) => sameQuestion(one, other));
  return [...every.filter((one) => !isSkipped(one)), ...every.filter(isSkipped)];
}

/** Whether a question is about pieces that lie there no longer: undone, or moved by hand. */
export const hasMoved = ({ cells, poses }) => cells.some((c, i) => state.pictures[state.picture].cells[c] !== poses[i]);

export const sameQuestion = (a, b) => a.kind === b.kind && a.row === b.row && a.column === b.column && a.dir === b.dir;

/** Candidates for the one selected cell, and where its piece would fit. */
async function aboutSelection(current) {
  if (state.selection.size !== 1) return set({ candidates: null, fits: null });
  const [cell] = state.selection;
  const pose = state.pictures[state.picture].cells[cell];
  if (!isSolved() || state.project.cost === null) return set({ candidates: { cell, list: [] }, fits: { piece: pieceOf(pose), list: [] } });
  const candidates = await get(path(`candidates?picture=${state.picture}&cell=${cell}&count=12`));
  if (current()) set({ candidates: { cell, list: candidates } });
  await fitsOf(pose < 0 ? -1 : pieceOf(pose), current);
}

export async function fitsOf(piece, current = () => true) {
  const list = piece < 0 ? [] : await get(path(`fits?piece=${piece}&count=8`));
  if (current()) set({ fits: piece < 0 ? null : { piece, list } });
}
