// The one store. Everything on the page is drawn from it; events and actions write to it.

import { useEffect, useReducer } from "./vendor/htm-preact.js";

const listeners = new Set();

export const state = {
  connection: "idle", // idle | open | lost | refused
  projects: null, // the list on the first page; null until it was asked for
  project: null, // what the server says of the open project, its pictures apart
  pictures: [], // {rows, columns, cells: Int32Array of poses}
  live: [], // while solving: the arrangement under way, {rows, columns, cells} a picture
  before: null, // the arrangements before the last solve, one Int32Array a picture
  run: null, // the solve under way
  picture: 0, // which picture is shown
  selection: new Set(), // cells of that picture
  cursor: -1, // the cell the keyboard is at; -1 where the keyboard was not used
  hover: null, // {cell, seam: {row, column, dir} | null} under the pointer
  lifted: null, // what is being moved, see lifting.js
  focus: null, // what is asked about: {kind, seam: {row, column, dir} | null, cells, poses, box: [left, top, right, bottom]}
  doubt: null, // {picture, right, below, pieces}: how sure each is, null where unknown
  questions: null, // {picture, list, at}
  asking: false, // what to ask is being found out
  skipped: [], // questions that could not be answered: they come last
  answers: 0, // given since the project was opened
  candidates: null, // {cell, list}
  fits: null, // {piece, list}
  upload: null, // {done, total, name}
  toasts: [], // {id, text, kind}
  said: "", // what a screen reader is told
  tab: "doubt", // doubt | pieces | tray | history
  overlay: false, // doubt drawn over the board
  threshold: 0.9,
  lines: false, // grid lines
  compare: false, // the board shows what was before the last solve
  help: false,
  panel: true,
  zoom: 1,
  piecesMissing: false, // the pieces' pixels could not be loaded
  piecesAgain: 0, // how often they had to be asked for again
  regrid: false, // the grid is being corrected again after cutting
  theme: localStorage.getItem("theme") || "system", // system | light | dark
};

/** Change some of the state and tell everyone who reads it. */
export function set(patch) {
  Object.assign(state, patch);
  for (const listener of listeners) listener();
}

export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A component that uses this is drawn again when what it selects has changed. */
export function useStore(select) {
  const [, again] = useReducer((count) => count + 1, 0);
  const value = select(state);
  useEffect(() => {
    let seen = value;
    const look = () => {
      const now = select(state);
      if (same(seen, now)) return;
      seen = now;
      again();
    };
    look(); // it may have changed since it was drawn
    return subscribe(look);
  });
  return value;
}

function same(a, b) {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/** Say something in words, for a while; errors stay longer. */
export function toast(words, kind = "note") {
  const text = words.replace(/^[a-z]+(?=[ ,])/, (first) => first[0].toUpperCase() + first.slice(1)); // not names of files
  const id = (toast.last = (toast.last || 0) + 1);
  const others = state.toasts.filter((one) => one.text !== text);
  set({ toasts: [...others.slice(-2), { id, text, kind }] });
  setTimeout(() => dismiss(id), kind === "error" ? 12000 : 4000);
}

export function dismiss(id) {
  set({ toasts: state.toasts.filter((one) => one.id !== id) });
}

export const say = (text) => set({ said: text });
