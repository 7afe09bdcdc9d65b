// The keyboard. SHORTCUTS is what `?` shows; the table below it is what is done.

import { refreshAdvice } from "./advice.js";
import { answer, chosen, park, redo, selectHeld, showPicture, solve, stop, toggleLock, turn, undo } from "./actions.js";
import { cancelLift, carryBy, drop, lift, turnLifted, under } from "./lifting.js";
import { pieceOf } from "./poses.js";
import { asked, judge, liftBlock, nextQuestion, pick } from "./queue.js";
import { hasBefore } from "./shown.js";
import { say, set, state } from "./state.js";

export const SHORTCUTS = [
  ["Look", [
    ["Space + drag, middle drag, two fingers", "Pan"],
    ["Wheel, pinch, + and −", "Zoom"],
    ["0", "Fit the board"],
    ["1", "One to one"],
    ["G", "Grid lines"],
    ["D", "Show doubt"],
    ["C (hold)", "Before the last solve"],
    ["Page up, page down", "Another picture of several"],
  ]],
  ["Select", [
    ["Click", "A piece"],
    ["Ctrl + click", "One more, or one less"],
    ["Drag", "Rubber band"],
    ["H", "All that holds together here"],
    ["Ctrl + A", "Everything"],
    ["Arrows, Enter", "Go to a cell, select it"],
    ["Shift + arrows", "Select along the way"],
    ["Esc", "Nothing"],
  ]],
  ["Move", [
    ["Drag the selection", "Move it"],
    ["Click it again, or M", "Lift it; a click or Enter puts it down"],
    ["Q, E", "Turn left, right"],
    ["P, Delete", "Park in the tray"],
    ["L", "Lock or unlock"],
  ]],
  ["Questions", [
    ["N, Shift + N", "Next question, last one"],
    ["A", "Yes: it is right, it belongs there"],
    ["R, X", "No: cut the seam, none of these, move the block"],
    ["1 to 9", "Which piece belongs here"],
    ["M, arrows, Enter", "Where the block belongs"],
    ["F", "Forget what was said of a seam"],
  ]],
  ["Solve", [
    ["S", "Solve on, everything"],
    ["Shift + S", "Solve the selection"],
    ["T", "Touch up near your answers"],
    ["Esc while solving", "Stop, keep the best"],
    ["Ctrl + Z", "Undo"],
    ["Ctrl + Shift + Z, Ctrl + Y", "Redo"],
    ["?", "These shortcuts"],
  ]],
];

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export function attachKeys(board, gestures) {
  let spaced = false;

  window.addEventListener("keydown", (event) => {
    const field = event.target.closest?.("input, select, textarea, [contenteditable]");
    if (field && !(field.type === "range" || field.type === "checkbox")) return;
    if (state.help || !state.project || state.project.stage === "grid" || state.regrid || event.altKey) return undefined;
    if (event.ctrlKey || event.metaKey) return control(event);
    const onBoard = event.target === board.canvas || event.target === document.body;
    if (onBoard && onCanvas(event)) return undefined;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const make = event.shiftKey ? SHIFTED[key] : PLAIN[key];
    if (make && !(event.repeat && key === "c")) done(event, make);
    return undefined;
  }, { signal: board.signal });

  window.addEventListener("keyup", (event) => {
    if (event.key === "c" || event.key === "C") state.holding && set({ compare: false, holding: false });
    if (event.key === " ") {
      gestures.holdSpace(false);
      if (spaced && event.target === board.canvas && !gestures.panned()) toggleCell();
      spaced = false;
    }
  }, { signal: board.signal });

  function done(event, what) {
    event.preventDefault();
    what();
  }

  function control(event) {
    const key = event.key.toLowerCase();
    if (key === "z") done(event, event.shiftKey ? redo : undo);
    else if (key === "y") done(event, redo);
    else if (key === "a") done(event, selectAll);
  }

  /** Keys that mean something only on the board. */
  function onCanvas(event) {
    const arrow = ARROWS[event.key];
    if (arrow) {
      done(event, () => (state.lifted ? carry(arrow) : step(arrow, event.shiftKey)));
      return true;
    }
    if (event.key === " ") {
      event.preventDefault();
      if (!event.repeat) {
        gestures.holdSpace(true);
        spaced = true;
      }
      return true;
    }
    if (event.key === "Enter") {
      done(event, () => (state.lifted ? drop() : toggleCell()));
      return true;
    }
    return false;
  }

  function carry([down, across]) {
    carryBy(down, across);
    if (!state.lifted?.by) return;
    const cell = under(state.lifted);
    board.show([cell]);
    say(`Over ${describe(cell)}`);
  }

  function step([down, across], extend) {
    const picture = state.pictures[state.picture];
    if (!picture) return;
    const { rows, columns } = picture;
    const limit = (value, most) => Math.max(0, Math.min(most - 1, value));
    const start = state.cursor >= 0 ? state.cursor : [...state.selection][0] ?? -1;
    const row = start < 0 ? 0 : limit(Math.floor(start / columns) + down, rows);
    const column = start < 0 ? 0 : limit((start % columns) + across, columns);
    const cursor = row * columns + column;
    const selection = extend ? new Set([...state.selection, ...(start >= 0 ? [start] : []), cursor]) : state.selection;
    set({ cursor, selection, focus: null, ...(extend ? { tab: "pieces" } : {}) });
    board.show([cursor]);
    say(describe(cursor));
  }

  function toggleCell() {
    const { cursor } = state;
    if (cursor < 0) return;
    const selection = new Set(state.selection);
    const was = selection.delete(cursor);
    if (!was) selection.add(cursor);
    set({ selection, focus: null, tab: "pieces" });
    say(`${describe(cursor)} ${was ? "No longer selected." : "Selected."}`);
    refreshAdvice();
  }

  const escape = () => {
    if (state.lifted) return cancelLift();
    if (state.run) return stop();
    return set({ selection: new Set(), focus: null, compare: false, cursor: -1, candidates: null, fits: null });
  };

  const said = (kind) => () => (asked() ? judge(kind) : answer(kind));

  /** A digit picks a candidate while one is asked for. */
  const digit = (number, otherwise) => () => (asked()?.kind === "piece" ? pick(number - 1) : otherwise?.());

  const pickUp = () => {
    if (asked()?.kind === "block") return liftBlock();
    const cells = chosen();
    if (cells.length && !state.run) lift(cells, cells.includes(state.cursor) ? state.cursor : cells[0], true);
  };

  const orTurn = (by) => () => (state.lifted ? turnLifted(by) : turn(by));

  const PLAIN = {
    0: board.fit, 1: digit(1, board.oneToOne),
    ...Object.fromEntries([2, 3, 4, 5, 6, 7, 8, 9].map((number) => [number, digit(number)])),
    "+": () => (board.camera.zoom(1.25), board.changed()),
    "=": () => (board.camera.zoom(1.25), board.changed()),
    "-": () => (board.camera.zoom(0.8), board.changed()),
    g: () => set({ lines: !state.lines }),
    d: () => (set({ overlay: !state.overlay, tab: "doubt" }), refreshAdvice()),
    c: () => hasBefore() && set({ compare: true, holding: true }),
    h: selectHeld, m: pickUp,
    q: orTurn(-1), e: orTurn(1),
    PageUp: () => showPicture(state.picture - 1), PageDown: () => showPicture(state.picture + 1),
    p: park, Delete: park, Backspace: park, l: toggleLock,
    n: () => nextQuestion(1),
    a: said("accept"), r: said("reject"), x: said("reject"), f: said("forget"),
    s: () => state.run || solve("all"), t: () => state.run || solve("near"),
    Escape: escape,
  };
  const SHIFTED = {
    n: () => nextQuestion(-1), s: () => state.run || solve("selection"), "+": PLAIN["+"],
  };

  function selectAll() {
    const picture = state.pictures[state.picture];
    if (!picture) return;
    const all = new Set();
    picture.cells.forEach((pose, c) => pose >= 0 && all.add(c));
    set({ selection: all, tab: "pieces" });
    say(`${all.size} pieces selected.`);
  }
}

/** A cell in words. */
export function describe(cell) {
  const { columns, cells } = state.pictures[state.picture];
  const place = `Row ${Math.floor(cell / columns) + 1}, column ${(cell % columns) + 1}`;
  const pose = cells[cell];
  if (pose < 0) return `${place}: empty.`;
  const locked = state.project.locked.includes(pieceOf(pose)) ? ", locked" : "";
  return `${place}: piece ${pieceOf(pose) + 1}${locked}.`;
}
