// A pose is a piece in a turn: 4 * piece + quarter turns clockwise; -1 is an empty cell.

export const EMPTY = -1;
export const pieceOf = (pose) => pose >> 2;
export const turnOf = (pose) => pose & 3;
export const turned = (pose, by) => (pose < 0 ? pose : (pose & ~3) | ((pose + by) & 3));

/** Poses as the server sends them: base64 of little-endian int32. */
export function decode(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Int32Array(bytes.buffer);
}

const SIDES = { top: 0, right: 1, bottom: 2, left: 3 };

/** One number for a side of a piece as given: what a person said of seams is kept by these. */
export const sideOf = (piece, side) => 4 * piece + (typeof side === "number" ? side : SIDES[side]);

/** Which side, as given, a pose shows in a direction (top 0, right 1, bottom 2, left 3). */
export const shown = (pose, direction) => 4 * pieceOf(pose) + ((direction - turnOf(pose)) & 3);

/** Answers of a person as a map from a side to the sides it is joined to, or parted from. */
export function pairs(entries) {
  const map = new Map();
  const add = (a, b) => (map.has(a) ? map.get(a).add(b) : map.set(a, new Set([b])));
  for (const [first, side, second, facing] of entries) {
    const a = sideOf(first, side);
    const b = facing === undefined ? 4 * second + ((SIDES[side] + 2) & 3) : sideOf(second, facing);
    add(a, b);
    add(b, a);
  }
  return map;
}

/** Where each piece lies: cell numbers counted on over all pictures, -1 in the tray. */
export function whereabouts(count, pictures) {
  const where = new Int32Array(count).fill(-1);
  let first = 0;
  for (const { cells } of pictures) {
    for (let c = 0; c < cells.length; c++) if (cells[c] >= 0) where[cells[c] >> 2] = first + c;
    first += cells.length;
  }
  return where;
}

/** The two cells of a seam. */
export function cellsOf(seam, columns) {
  const first = seam.row * columns + seam.column;
  return [first, seam.dir === "right" ? first + 1 : first + columns];
}

/** The seam between two cells, or null where they do not touch. */
export function seamBetween(a, b, columns) {
  const [first, second] = a < b ? [a, b] : [b, a];
  const seam = { row: Math.floor(first / columns), column: first % columns };
  if (second === first + columns) return { ...seam, dir: "below" };
  if (second === first + 1 && second % columns) return { ...seam, dir: "right" };
  return null;
}
