// The queue of questions: one is asked at a time, and answered by keys or buttons. There are three kinds: whether a
// seam is right, which piece belongs into a cell, and whether a block lies where it belongs.

import { act } from "./actions.js";
import { hasBoard, hasMoved, isSolved, questionsOf, refreshAdvice, sameQuestion, skippedLast } from "./advice.js";
import { lift } from "./lifting.js";
import { seamBetween } from "./poses.js";
import { say, set, state, toast } from "./state.js";
import { percent, whole } from "./widgets.js";

/** The question that is asked; null while none is, and where its pieces have moved meanwhile. */
export const asked = () => (state.focus && !hasMoved(state.focus) ? state.questions?.list[state.questions.at] ?? null : null);

/** What the board shows of a question, and the pieces it is about as they lie now. */
function focusOf(question) {
  const shown = boxOf(question), { cells } = state.pictures[state.picture];
  return { ...shown, poses: shown.cells.map((c) => cells[c]) };
}

/** The seam and the cells a question is about, and what is framed, [left, top, right, bottom]. */
function boxOf(question) {
  const { kind, row, column, beside } = question;
  const { columns } = state.pictures[state.picture];
  if (kind === "block") {
    const rows = question.cells.map((c) => Math.floor(c / columns)), across = question.cells.map((c) => c % columns);
    const least = (list) => list.reduce((a, b) => Math.min(a, b)), most = (list) => list.reduce((a, b) => Math.max(a, b));
    return { kind, seam: null, cells: question.cells, box: [least(across), least(rows), most(across) + 1, most(rows) + 1] };
  }
  if (kind === "piece") {
    const cells = [row * columns + column, beside[0] * columns + beside[1]];
    return { kind, seam: seamBetween(...cells, columns), cells, box: [column, row, column + 1, row + 1] };
  }
  const wide = question.dir === "right" ? 2 : 1, first = row * columns + column;
  const cells = [first, wide === 2 ? first + 1 : first + columns];
  return { kind, seam: { row, column, dir: question.dir }, cells, box: [column, row, column + wide, row + 3 - wide] };
}

/** Ask what to ask; on a large board that takes a while. */
async function ask(picture) {
  set({ asking: true });
  try {
    await questionsOf(picture, () => state.picture === picture && state.project && !state.run);
  } catch (error) {
    toast(error.message, "error");
  } finally {
    set({ asking: false });
  }
}

/** Go to the next question; the queue is asked for where there is none. */
export async function nextQuestion(step = 1) {
  if (!hasBoard() || !isSolved() || state.run) return;
  if (state.questions?.picture !== state.picture) await ask(state.picture);
  const { questions } = state;
  if (!questions) return;
  const left = step > 0 && asked();
  if (left) set({ skipped: [...state.skipped, left] });
  if (!questions.list.length) {
    set({ focus: null, tab: "doubt" });
    return say("No questions are left.");
  }
  const at = questions.at < 0 && step > 0 ? 0 : (questions.at + step + questions.list.length) % questions.list.length;
  const question = questions.list[at];
  const selection = new Set(question.kind === "block" ? question.cells : []);
  set({ questions: { ...questions, at }, focus: focusOf(question), tab: "doubt", selection, lifted: null, compare: false });
  say(`Question ${at + 1} of ${questions.list.length}. ${inWords(question)}`);
}

const place = (row, column) => `row ${row + 1}, column ${column + 1}`;

/** A question in words. */
export function inWords({ kind, row, column, dir, beside, cells, probability }) {
  if (kind === "piece")
    return `Which piece belongs into ${place(row, column)}? The solver is ${percent(probability)} sure that it is among those shown, beside the one in ${place(...beside)}.`;
  const sure = probability === null ? "" : ` The solver is ${percent(probability)} sure.`;
  if (kind === "block") return `Do these ${whole(cells.length)} pieces, from ${place(row, column)} on, lie where they belong?${sure}`;
  return `${place(row, column)[0].toUpperCase()}${place(row, column).slice(1)}, and the piece ${dir === "right" ? "to its right" : "below"}: do they belong together?${sure}`;
}

const PATIENCE = 1000; // milliseconds

/**
 * A question was answered: the most useful one of those that are left follows. Where it takes a while to find it, the
 * one that was to follow does, unless much has changed: pieces were moved, or a block is held now.
 */
async function goOn(question, isOther = false) {
  const { picture, questions } = state;
  const left = isOther ? [] : skippedLast(questions.list.filter((one) => !sameQuestion(one, question)));
  set({ questions: null, focus: null, answers: state.answers + 1 });
  const asking = ask(picture);
  await Promise.race([asking, ...(left.length ? [new Promise((over) => setTimeout(over, PATIENCE))] : [])]);
  if (!state.questions && state.picture === picture && !state.run && left.length) set({ questions: { picture, list: left, at: -1 } });
  if (state.questions) await nextQuestion(1);
}

/** Say of a seam that it holds, or that it does not; of a piece that it is right where it lies, or that none is. */
export async function judge(kind) {
  const question = asked(), { picture } = state;
  if (!question) return refreshAdvice();
  if (question.kind === "block") return { accept: () => confirm(question), reject: liftBlock }[kind]?.();
  const done = await act({ kind, picture, ...state.focus.seam });
  if (done && kind === "reject" && question.kind === "piece") set({ skipped: [...state.skipped, question] }); // the same pieces would be shown again
  return done && kind !== "forget" ? goOn(question) : undefined;
}

/** A block lies where it belongs: lock it there, without what was taken out of it. */
async function confirm(question) {
  const done = await act({ kind: "lock", picture: state.picture, cells: holding(question, [...state.selection]) });
  return done && goOn(question, true);
}

/** Of the cells of a block those whose pieces are to be locked. */
function holding(question, cells) {
  const held = new Set(question.heldBy), those = cells.filter((c) => held.has(c));
  return those.length ? those : cells;
}

/** Lift the block that is asked about, to be put where it belongs; what was taken out of it stays. */
export function liftBlock() {
  const cells = [...state.selection];
  return cells.length && lift(cells, cells[0], true);
}

/** The block that was asked about was put down: it belongs there. */
export async function landed(question, cells, by) {
  const { columns } = state.pictures[state.picture];
  const to = holding(question, cells).map((c) => c + by[0] * columns + by[1]);
  if (await act({ kind: "lock", picture: state.picture, cells: to })) await goOn(question, true);
}

/** This one belongs into the cell that is asked about. */
export async function pick(index) {
  const question = asked(), { picture } = state;
  if (!question) return refreshAdvice();
  const { columns, cells } = state.pictures[picture];
  const cell = question.row * columns + question.column, chosen = question.candidates[index];
  if (!chosen) return;
  const { seam } = state.focus;
  const isMoved = cells[cell] !== chosen.pose;
  if (isMoved && !(await act({ kind: "place", pose: chosen.pose, picture, cell }))) return;
  if (await act({ kind: "accept", picture, ...seam })) await goOn(question, isMoved);
}
