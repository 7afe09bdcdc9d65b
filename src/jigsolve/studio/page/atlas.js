// Pages of pieces from the server, laid out for drawing from afar.
//
// Mipmaps halve a texture. Where pieces lie side by side, halves mix neighbours, so each piece gets a slot whose
// sides halve without rest, filled up with its own last pixels.

const MOST_TEXELS = 64e6; // 256 MB; beyond it pieces are kept at half their size, or a quarter

/** How pieces are laid out in texture pages: texels of a piece, of its slot and of a page. */
export function layout({ count, atlas }, largest) {
  const { width, height } = atlas;
  let shrink = 1;
  const texels = (n) => Math.max(1, Math.round(n / shrink));
  const rows = Math.ceil(Math.min(atlas.perPage, count) / atlas.across);
  const plan = () => {
    const size = [texels(width), texels(height)];
    const levels = Math.max(0, Math.min(4, Math.floor(Math.log2(Math.min(...size))) - 1));
    const step = 2 ** levels;
    const slot = size.map((n) => Math.ceil(n / step) * step);
    const page = [slot[0] * atlas.across, slot[1] * rows];
    return { size, slot, page, levels, shrink, rows };
  };
  const tooMuch = ({ page }) =>
    Math.max(...page) > largest || page[0] * page[1] * atlas.pages > MOST_TEXELS;
  let chosen = plan();
  while (tooMuch(chosen) && shrink < 8) {
    shrink *= 2;
    chosen = plan();
  }
  return chosen;
}

/** Ask for all pages, two at a time, and hand each over as a bitmap. */
export async function fetchPages(id, pages, take, signal) {
  let next = 0;
  const worker = async () => {
    while (next < pages) {
      const page = next++;
      const answer = await fetch(`/api/projects/${id}/pieces/${page}`, { signal });
      if (!answer.ok) throw new Error(`The pieces could not be loaded (${answer.status}).`);
      take(page, await createImageBitmap(await answer.blob()));
    }
  };
  await Promise.all([worker(), worker()]);
}

/** Draw a page of pieces into slots: whole columns first, then whole rows. */
export function intoSlots(bitmap, { across, width, height }, { size, slot, page, rows }) {
  const wide = new OffscreenCanvas(page[0], bitmap.height);
  const full = new OffscreenCanvas(page[0], page[1]);
  spread(wide, across, width, size[0], slot[0], (from, n, to, m) =>
    [bitmap, from, 0, n, bitmap.height, to, 0, m, bitmap.height]);
  const present = Math.min(rows, Math.ceil(bitmap.height / height));
  spread(full, present, height, size[1], slot[1], (from, n, to, m) =>
    [wide, 0, from, page[0], n, 0, to, page[0], m]);
  return full;
}

function spread(canvas, count, given, size, slot, strip) {
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.imageSmoothingEnabled = size !== given;
  for (let i = 0; i < count; i++) {
    pen.drawImage(...strip(i * given, given, i * slot, size));
    if (slot > size) pen.drawImage(...strip(i * given + given - 1, 1, i * slot + size, slot - size));
  }
}
