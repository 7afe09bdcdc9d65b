// What the server can say about doubt: seams, questions, candidates of a cell, places for a piece.

import { get } from "./api.js";
import { pieceOf } from "./poses.js";
import { say, set, state, toast } from "./state.js";

const COUNT = 50;
let timer = 0, asked = 0;

const path = (what) => `/projects/${state.project.id}/${what}`;

export const hasBoard = () => state.pictures.length > 0 && ["cut", "solving", "solved"].includes(state.project?.stage);

export function forgetAdvice() {
  set({ focus: null, questions: null });
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
  if (state.overlay || state.focus) wanted.push(doubtOf(picture, current));
  if (state.questions) wanted.push(questionsOf(picture, current));
  if (state.tab === "pieces") wanted.push(aboutSelection(current));
  try {
    await Promise.all(wanted);
  } catch (error) {
    if (error.status && error.status !== 409) toast(error.message, "error");
  }
}

async function doubtOf(picture, current) {
  const doubt = await get(path(`doubt?picture=${picture}`));
  if (current()) set({ doubt: { ...doubt, picture } });
}

async function questionsOf(picture, current) {
  const list = await get(path(`questions?picture=${picture}&count=${COUNT}`));
  if (!current()) return;
  const asking = state.focus && state.questions?.list[state.questions.at];
  if (!asking) return set({ questions: { picture, list, at: -1 } });
  const at = list.findIndex((one) => sameSeam(one, asking)); // whoever is being asked is asked on
  return set({ questions: at < 0 ? { picture, list: [asking, ...list], at: 0 } : { picture, list, at } });
}

export const sameSeam = (a, b) => a.row === b.row && a.column === b.column && a.dir === b.dir;

/** Candidates for the one selected cell, and where its piece would fit. */
async function aboutSelection(current) {
  if (state.selection.size !== 1) return set({ candidates: null, fits: null });
  const [cell] = state.selection;
  const pose = state.pictures[state.picture].cells[cell];
  const candidates = await get(path(`candidates?picture=${state.picture}&cell=${cell}&count=12`));
  if (current()) set({ candidates: { cell, list: candidates } });
  await fitsOf(pose < 0 ? -1 : pieceOf(pose), current);
}

export async function fitsOf(piece, current = () => true) {
  const list = piece < 0 ? [] : await get(path(`fits?piece=${piece}&count=8`));
  if (current()) set({ fits: piece < 0 ? null : { piece, list } });
}

/** Go to the next doubtful seam; the queue is asked for where there is none. */
export async function nextQuestion(step = 1) {
  if (!hasBoard() || state.run) return;
  try {
    if (!state.questions || state.questions.picture !== state.picture)
      await questionsOf(state.picture, () => true);
  } catch (error) {
    return toast(error.message, "error");
  }
  const { questions } = state;
  if (!questions.list.length) {
    set({ focus: null, tab: "doubt" });
    return say("No doubtful seams are left.");
  }
  const at = questions.at < 0 && step > 0 ? 0 : (questions.at + step + questions.list.length) % questions.list.length;
  const { row, column, dir, probability } = questions.list[at];
  set({ questions: { ...questions, at }, focus: { row, column, dir }, tab: "doubt", selection: new Set(), compare: false });
  const where = dir === "right" ? "the piece to its right" : "the piece below it";
  say(`Question ${at + 1} of ${questions.list.length}: row ${row + 1}, column ${column + 1}, and ${where}. `
    + `${Math.round(probability * 100)} percent sure.`);
}
