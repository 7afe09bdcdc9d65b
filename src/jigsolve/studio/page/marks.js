// What is known of each cell beside its pose, packed for the shader: 8 bits of marks, then how sure the seam to the
// right, the seam below and the piece are (254 is certain, 255 unknown).

import { pairs, shown } from "./poses.js";

export const LOCKED = 1, SELECTED = 2, LIFTED = 4, DIFFERS = 8;
export const JOINED_RIGHT = 16, JOINED_BELOW = 32, PARTED_RIGHT = 64, PARTED_BELOW = 128;

/** A probability as a byte, 0 to 254; 255 is unknown. */
const byte = (p) => (p === null || p === undefined ? 255 : Math.round(p * 254));

export function marksOf({ rows, columns, cells, locked, joined, parted, selection, lifted, other, doubt }) {
  const marks = new Int32Array(cells.length);
  const fixed = new Set(locked);
  const together = pairs(joined), apart = pairs(parted);
  const answered = together.size + apart.size > 0;
  for (let c = 0; c < cells.length; c++) {
    const pose = cells[c];
    let bits = 0;
    if (pose >= 0) {
      if (fixed.has(pose >> 2)) bits |= LOCKED;
      if (answered) bits |= answersAt(cells, c, rows, columns, together, apart);
    }
    if (other && other[c] !== pose) bits |= DIFFERS;
    let right = 255, below = 255, piece = 255;
    if (doubt) {
      const across = c % columns < columns - 1, down = c < (rows - 1) * columns;
      if (across) right = byte(doubt.right[c - Math.floor(c / columns)]);
      if (down) below = byte(doubt.below[c]);
      piece = byte(doubt.pieces[c]);
    }
    marks[c] = bits | (right << 8) | (below << 16) | (piece << 24);
  }
  for (const c of selection) marks[c] |= SELECTED;
  for (const c of lifted) marks[c] |= LIFTED;
  return marks;
}

function answersAt(cells, c, rows, columns, together, apart) {
  let bits = 0;
  const pose = cells[c];
  const look = (other, direction, joined, parted) => {
    if (other < 0) return;
    const mine = shown(pose, direction), facing = shown(other, direction ^ 2);
    if (together.get(mine)?.has(facing)) bits |= joined;
    if (apart.get(mine)?.has(facing)) bits |= parted;
  };
  if (c % columns < columns - 1) look(cells[c + 1], 1, JOINED_RIGHT, PARTED_RIGHT);
  if (c < (rows - 1) * columns) look(cells[c + columns], 2, JOINED_BELOW, PARTED_BELOW);
  return bits;
}
