// Mouse, pen and fingers on the board.
//
// A press on a selected piece drags the selection; anywhere else it draws a rubber band; without moving it is a click.
// Space or the middle button pans, as do two fingers, which also zoom.

import { act, showPicture } from "./actions.js";
import { refreshAdvice } from "./advice.js";
import { cancelLift, carryTo, drop, lift } from "./lifting.js";
import { shown } from "./shown.js";
import { set, state } from "./state.js";

const CLICK = 5; // CSS pixels a press may wander and still be a click

export function attachGestures(board) {
  const { canvas, camera } = board;
  const fingers = new Map();
  let press = null; // {kind: "pan" | "band" | "drag" | "press", from, at, cell, adding, before}
  let spaceHeld = false, pinched = false; // pinched: two fingers were down, and one of them still is

  const point = (event) => {
    const { left, top } = canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const busy = () => Boolean(state.run) || state.compare;
  const cells = () => state.pictures[state.picture]?.cells;

  canvas.addEventListener("pointerdown", (event) => {
    canvas.focus({ preventScroll: true, focusVisible: false });
    canvas.setPointerCapture(event.pointerId);
    const at = point(event);
    if (event.pointerType === "touch") {
      fingers.set(event.pointerId, at);
      if (fingers.size === 2) {
        pinched = true;
        return endPress(true);
      }
    }
    if (event.button === 1 || spaceHeld) {
      event.preventDefault();
      press = { kind: "pan", from: at, at };
      canvas.classList.add("panning");
      return undefined;
    }
    if (event.button !== 0 || fingers.size > 1) return undefined;
    const { cell } = board.at(...at);
    const adding = event.ctrlKey || event.metaKey || event.shiftKey;
    press = { kind: "press", from: at, at, cell, adding, before: state.selection };
    return undefined;
  });

  canvas.addEventListener("pointermove", (event) => {
    const at = point(event);
    if (fingers.has(event.pointerId)) {
      if (fingers.size === 2) return pinch(event.pointerId, at);
      fingers.set(event.pointerId, at);
      if (pinched) return undefined;
    }
    if (!press) return hovering(at);
    const [dx, dy] = [at[0] - press.at[0], at[1] - press.at[1]];
    const far = Math.hypot(at[0] - press.from[0], at[1] - press.from[1]) > CLICK;
    press.at = at;
    if (press.kind === "pan") {
      camera.pan(dx, dy);
      return board.changed();
    }
    if (press.kind === "press" && far) begin();
    if (press.kind === "drag") carryTo(board.at(...at).cell);
    if (press.kind === "band") band();
    set({ pointer: at });
    return undefined;
  });

  /** A press has become a drag: of the selection where it began on it, else of a rubber band. */
  function begin() {
    if (state.lifted) return void (press.kind = "drag");
    const onSelection = state.selection.has(press.cell) && !press.adding;
    if (onSelection && !busy()) {
      press.kind = lift([...state.selection], press.cell, false) ? "drag" : "none";
    } else press.kind = "band";
    return undefined;
  }

  function band() {
    const [x0, x1] = [press.from[0], press.at[0]].sort((a, b) => a - b);
    const [y0, y1] = [press.from[1], press.at[1]].sort((a, b) => a - b);
    const selection = within(x0, y0, x1, y1);
    if (press.adding) for (const c of press.before) selection.add(c);
    set({ band: [x0, y0, x1 - x0, y1 - y0], selection, cursor: -1, focus: null });
  }

  function within(x0, y0, x1, y1) {
    const picture = shown();
    const chosen = new Set();
    if (!picture || picture.isLoose) return chosen;
    const { width, height } = state.project.pieces;
    const limit = (value, most) => Math.max(0, Math.min(most, value));
    const [left, top] = camera.toBoard(x0, y0), [right, bottom] = camera.toBoard(x1, y1);
    const to = [limit(Math.ceil(bottom / height), picture.rows), limit(Math.ceil(right / width), picture.columns)];
    for (let r = limit(Math.floor(top / height), picture.rows); r < to[0]; r++)
      for (let c = limit(Math.floor(left / width), picture.columns); c < to[1]; c++) {
        const cell = r * picture.columns + c;
        if (picture.cells[cell] >= 0) chosen.add(cell);
      }
    return chosen;
  }

  canvas.addEventListener("pointerup", (event) => {
    fingers.delete(event.pointerId);
    if (pinched) return void (pinched = fingers.size > 0);
    if (!press) return void (state.lifted?.by && drop()); // dragged here from the tray
    const { kind, cell, adding } = press;
    const over = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-tray], [data-step]");
    endPress(false);
    if (kind === "drag") dropped(over);
    else if (kind === "press") click(cell, adding);
    else if (kind === "band") {
      if (state.selection.size && state.tab !== "pieces") set({ tab: "pieces" });
      refreshAdvice();
    }
  });

  function dropped(over) {
    const { lifted } = state;
    if (over?.dataset.step && lifted) showPicture(state.picture + Number(over.dataset.step)); // still lifted there
    else if (over && lifted?.cells.length) {
      set({ lifted: null, selection: new Set() });
      act({ kind: "park", picture: lifted.from, cells: lifted.cells });
    } else if (lifted?.by) drop();
    else if (lifted) cancelLift();
  }

  canvas.addEventListener("pointercancel", (event) => {
    fingers.delete(event.pointerId);
    pinched = pinched && fingers.size > 0;
    endPress(true);
  });

  function endPress(cancelled) {
    if (cancelled && press?.kind === "band") set({ selection: press.before });
    if (cancelled && press?.kind === "drag") cancelLift();
    press = null;
    canvas.classList.remove("panning");
    if (state.band) set({ band: null });
  }

  function click(cell, adding) {
    if (state.lifted) {
      if (cell >= 0) carryTo(cell);
      return state.lifted.by ? drop() : cancelLift();
    }
    if (cell < 0) return set({ selection: new Set(), focus: null, candidates: null, fits: null });
    const { selection } = state;
    if (adding) {
      const next = new Set(selection);
      if (!next.delete(cell)) next.add(cell);
      set({ selection: next, cursor: -1, ...(state.focus?.kind === "block" ? {} : { focus: null }) });
    } else if (selection.has(cell) && !busy() && cells()[cell] >= 0) {
      lift([...selection], cell, true); // click, then click where it goes
    } else set({ selection: new Set([cell]), focus: null, cursor: -1 });
    if (state.tab !== "pieces" && state.focus?.kind !== "block") set({ tab: "pieces" });
    return refreshAdvice();
  }

  function hovering(at) {
    const under = board.at(...at);
    if (state.lifted) {
      carryTo(under.cell);
      return set({ pointer: at });
    }
    const { hover } = state;
    const seam = under.seam, known = hover?.seam;
    const same = hover?.cell === under.cell && seam?.row === known?.row && seam?.column === known?.column && seam?.dir === known?.dir;
    return same || set({ hover: under.cell < 0 ? null : under });
  }
  canvas.addEventListener("pointerleave", () => state.hover && set({ hover: null }));

  function pinch(id, at) {
    const other = [...fingers].find(([key]) => key !== id)[1];
    camera.pinch(fingers.get(id), at, other);
    fingers.set(id, at);
    board.changed();
  }

  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const strength = event.ctrlKey ? 0.01 : 0.0016; // a pinch on a touchpad arrives as Ctrl and small steps
    if (event.shiftKey) camera.pan(-event.deltaY * lines, 0);
    else camera.zoom(Math.exp(-event.deltaY * lines * strength), ...point(event));
    board.changed();
  }, { passive: false });

  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("auxclick", (event) => event.preventDefault());

  const holdSpace = (held) => {
    spaceHeld = held;
    canvas.classList.toggle("grab", held);
  };
  window.addEventListener("blur", () => holdSpace(false), { signal: board.signal });
  return { holdSpace, panned: () => press?.kind === "pan" };
}
