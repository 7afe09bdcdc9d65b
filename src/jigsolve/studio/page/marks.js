// What is known of each cell beside its pose, packed for the shader: first marks and, in the highest byte, how sure
// the piece is; then how sure its four seams are, a byte each. 254 is certain, 255 unknown.

import { pairs, shown } from "./poses.js";

export const LOCKED = 1, SELECTED = 2, LIFTED = 4, DIFFERS = 8, EMPTY = 1 << 16;
/** To be shifted by a direction: right 0, below 1, left 2, above 3. Rim: the selection ends here. */
export const JOINED = 1 << 4, PARTED = 1 << 8, RIM = 1 << 12;

const RIGHT = 0, BELOW = 1, LEFT = 2, ABOVE = 3;

/** A probability as a byte, 0 to 254; 255 is unknown. */
const byte = (p) => (p === null || p === undefined ? 255 : Math.round(p * 254));

/** {marks: two numbers a cell, marked: places [column, row] of cells that have a mark of their own}. */
export function marksOf({ rows, columns, cells, locked, joined, parted, selection, lifted, other, doubt }) {
  const marks = new Int32Array(2 * cells.length);
  const add = (c, bits) => (marks[2 * c] |= bits);
  const right = (c) => (c % columns < columns - 1 ? c + 1 : -1);
  const below = (c) => (c + columns < cells.length ? c + columns : -1);

  const fixed = new Set(locked);
  for (let c = 0; c < cells.length; c++) {
    if (cells[c] < 0) add(c, EMPTY);
    else if (fixed.size && fixed.has(cells[c] >> 2)) add(c, LOCKED);
    if (other && other[c] !== cells[c]) add(c, DIFFERS);
  }
  for (const c of lifted) add(c, LIFTED);
  for (const c of selection) {
    const rim = [right(c), below(c), c % columns ? c - 1 : -1, c - columns];
    add(c, SELECTED | rim.reduce((bits, near, i) => (near >= 0 && selection.has(near) ? bits : bits | (RIM << i)), 0));
  }
  markAnswers(cells, right, below, pairs(joined), pairs(parted), add);

  const marked = [];
  for (let c = 0; c < cells.length; c++) if (marks[2 * c]) marked.push(c % columns, Math.floor(c / columns));
  if (doubt) addDoubt(marks, rows, columns, doubt);
  return { marks, marked };
}

function markAnswers(cells, right, below, together, apart, add) {
  if (together.size + apart.size === 0) return;
  const look = (c, near, direction, mine, theirs) => {
    if (near < 0 || cells[near] < 0) return;
    const side = shown(cells[c], direction), facing = shown(cells[near], direction ^ 2);
    for (const [answers, bit] of [[together, JOINED], [apart, PARTED]])
      if (answers.get(side)?.has(facing)) {
        add(c, bit << mine);
        add(near, bit << theirs);
      }
  };
  for (let c = 0; c < cells.length; c++) {
    if (cells[c] < 0) continue;
    look(c, right(c), 1, RIGHT, LEFT);
    look(c, below(c), 2, BELOW, ABOVE);
  }
}

function addDoubt(marks, rows, columns, doubt) {
  for (let r = 0, c = 0; r < rows; r++)
    for (let k = 0; k < columns; k++, c++) {
      const onRight = k < columns - 1 ? byte(doubt.right[r * (columns - 1) + k]) : 255;
      const onLeft = k > 0 ? byte(doubt.right[r * (columns - 1) + k - 1]) : 255;
      const under = r < rows - 1 ? byte(doubt.below[c]) : 255;
      const over = r > 0 ? byte(doubt.below[c - columns]) : 255;
      marks[2 * c] |= byte(doubt.pieces[c]) << 24;
      marks[2 * c + 1] = onRight | (under << 8) | (onLeft << 16) | (over << 24);
    }
}
