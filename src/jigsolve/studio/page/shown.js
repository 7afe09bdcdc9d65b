// Which arrangement the board shows: the one under way while solving, the one before the last solve while comparing,
// else the picture's own. Pieces that have no board yet are laid out in the order they came.

import { state } from "./state.js";

let loose = null;

/** {rows, columns, cells, isLoose}, or null where there is nothing to show. */
export function shown() {
  const { picture, pictures, live, before, compare, run, project } = state;
  const own = pictures[picture];
  if (run && live[picture]) return live[picture];
  if (!own) return project?.pieces ? laidOut(project.pieces) : null;
  if (compare && hasBefore()) return { ...own, cells: before[picture] };
  return own;
}

/** Whether it is known what lay on this board before the last solve. */
export function hasBefore() {
  const { picture, pictures, before } = state;
  return before?.[picture] !== undefined && before[picture].length === pictures[picture]?.cells.length;
}

function laidOut(pieces) {
  if (loose?.pieces === pieces) return loose;
  const { count, width, height } = pieces;
  const columns = Math.max(1, Math.ceil(Math.sqrt((count * height * 1.5) / width)));
  const rows = Math.ceil(count / columns);
  const cells = Int32Array.from({ length: rows * columns }, (_, i) => (i < count ? 4 * i : -1));
  loose = { rows, columns, cells, pieces, isLoose: true };
  return loose;
}
