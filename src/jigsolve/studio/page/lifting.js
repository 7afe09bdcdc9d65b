// Moving pieces: what is lifted, where it would come down, and what that would cost.

import { post } from "./api.js";
import { act } from "./actions.js";
import { isSolved, refreshAdvice } from "./advice.js";
import { turned } from "./poses.js";
import { asked, landed } from "./queue.js";
import { say, set, state, toast } from "./state.js";

// state.lifted: {from, cells, poses, anchor, rows, columns, top, left, by: [rows, columns] | null, sticky, cost, pose?}
//   from    the picture it was lifted from; it may be put down in another one
//   cells   the cells it was lifted from, none where it comes from the tray
//   anchor  row and column of the cell by which it is held
//   by      how far it has been moved; null while it is over no cell

/** Lift cells of the board; `sticky` stays lifted until a click or a key puts it down. */
export function lift(cells, anchor, sticky) {
  const picture = state.pictures[state.picture];
  const locked = new Set(state.project.locked);
  const filled = cells.filter((c) => picture.cells[c] >= 0);
  if (!filled.length) return false;
  if (filled.some((c) => locked.has(picture.cells[c] >> 2))) {
    toast("Locked pieces do not move: L unlocks them.");
    return false;
  }
  const held = [Math.floor(anchor / picture.columns), anchor % picture.columns];
  set({ lifted: { ...extent(filled, picture), from: state.picture, cells: filled, anchor: held, by: [0, 0], sticky, cost: null } });
  say(`${filled.length === 1 ? "A piece is" : `${filled.length} pieces are`} lifted. Arrows move, Enter puts down, Escape cancels.`);
  return true;
}

/** Lift a piece out of the tray. */
export function liftPose(pose, sticky) {
  set({ lifted: { cells: [], poses: Int32Array.of(pose), from: state.picture, rows: 1, columns: 1, top: 0, left: 0, anchor: [0, 0], by: null, sticky, cost: null, pose } });
  say("A piece is lifted out of the tray. Arrows move, Enter puts down, Escape cancels.");
}

function extent(cells, { columns, cells: poses }) {
  const rowsOf = cells.map((c) => Math.floor(c / columns)), columnsOf = cells.map((c) => c % columns);
  const least = (list) => list.reduce((a, b) => Math.min(a, b)), most = (list) => list.reduce((a, b) => Math.max(a, b));
  const top = least(rowsOf), left = least(columnsOf);
  const rows = most(rowsOf) - top + 1, width = most(columnsOf) - left + 1;
  const block = new Int32Array(rows * width).fill(-1);
  cells.forEach((c, i) => (block[(rowsOf[i] - top) * width + columnsOf[i] - left] = poses[c]));
  return { top, left, rows, columns: width, poses: block };
}

/** Whether the picture on show has no room for what was lifted from another one. */
export function isTooLarge({ rows, columns }) {
  const { rows: high, columns: wide } = state.pictures[state.picture];
  return rows > high || columns > wide;
}

/** Move what is lifted so that its anchor is over a cell; null while over none. */
export function carryTo(cell) {
  const { lifted } = state;
  const { rows, columns } = state.pictures[state.picture];
  let by = null;
  if (cell !== null && cell >= 0) {
    by = [Math.floor(cell / columns) - lifted.anchor[0], (cell % columns) - lifted.anchor[1]];
    const top = lifted.top + by[0], left = lifted.left + by[1];
    by[0] += Math.max(0, -top) - Math.max(0, top + lifted.rows - rows); // stay on the board
    by[1] += Math.max(0, -left) - Math.max(0, left + lifted.columns - columns);
    if (isTooLarge(lifted)) by = null;
  }
  if (String(by) === String(lifted.by)) return;
  set({ lifted: { ...lifted, by, cost: null } });
  preview();
}

/** Carry by rows and columns, for the arrow keys. */
export function carryBy(down, across) {
  const { lifted, cursor } = state;
  const { rows, columns } = state.pictures[state.picture];
  if (lifted.by === null) return carryTo(cursor >= 0 && cursor < rows * columns ? cursor : 0);
  const [row, column] = [lifted.anchor[0] + lifted.by[0] + down, lifted.anchor[1] + lifted.by[1] + across];
  if (row < 0 || column < 0 || row >= rows || column >= columns) return undefined;
  return carryTo(row * columns + column);
}

/** The cell over which something lifted is held. */
export const under = ({ anchor, by }) => (anchor[0] + by[0]) * state.pictures[state.picture].columns + anchor[1] + by[1];

let timer = 0;

function preview() {
  clearTimeout(timer);
  const move = moveOf(state.lifted);
  if (!move || !isSolved()) return;
  timer = setTimeout(async () => {
    try {
      const { before, after } = await post(`/projects/${state.project.id}/preview`, { move });
      const { lifted } = state;
      if (lifted && JSON.stringify(moveOf(lifted)) === JSON.stringify(move))
        set({ lifted: { ...lifted, cost: before === null || after === null ? null : after - before } });
    } catch {
      // nothing is known of it then; why not is said when it is tried
    }
  }, 60);
}

/** The action that putting it down here would be; null where it would be none. */
function moveOf(lifted) {
  if (!lifted || !lifted.by) return null;
  const { picture } = state, { from, cells, by, pose } = lifted;
  if (pose !== undefined) return { kind: "place", pose, picture, cell: under(lifted) };
  if (from !== picture) return { kind: "move", picture: from, cells, by, to: picture };
  return by[0] || by[1] ? { kind: "move", picture, cells, by } : null;
}

/** Put down what is lifted. */
export async function drop() {
  const { lifted } = state, question = asked(); // before the move, for afterwards its pieces have moved
  if (!lifted.by) return say("It is over no cell yet.");
  const move = moveOf(lifted), anchor = under(lifted);
  set({ lifted: null });
  if (!move || !(await act(move))) return;
  const { columns } = state.pictures[state.picture], own = state.pictures[lifted.from].columns;
  const moved = (c) => (Math.floor(c / own) + lifted.by[0]) * columns + (c % own) + lifted.by[1];
  const there = move.kind === "place" ? [move.cell] : lifted.cells.map(moved);
  set({ selection: new Set(there), cursor: state.cursor >= 0 ? anchor : -1 });
  refreshAdvice();
  if (question?.kind === "block" && lifted.cells.length) await landed(question, lifted.cells, lifted.by);
}

export function cancelLift() {
  set({ lifted: null });
  say("Put back.");
}

/** Turn a piece that was lifted out of the tray. */
export function turnLifted(by) {
  const { lifted } = state;
  if (lifted.pose === undefined) return say("A block is turned before it is lifted.");
  const pose = turned(lifted.pose, { none: 0, half: 2, quarter: by }[state.project.turns]);
  set({ lifted: { ...lifted, pose, poses: Int32Array.of(pose), cost: null } });
  return preview();
}
