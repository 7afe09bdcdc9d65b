// Drawing the board with Canvas 2D, where there is no WebGL 2: pieces, selection, locks and answers, but no doubt
// colours; slow where very many pieces are in view.

import { fetchPages } from "./atlas.js";
import { JOINED, LIFTED, LOCKED, PARTED, SELECTED } from "./marks.js";

const MOST_CELLS = 20000;

export function flatPainter(canvas, changed, failed) {
  const pen = canvas.getContext("2d");
  const boards = {};
  let pieces = null, bitmaps = [], stopper = null;

  function setPieces(id, given) {
    stopper?.abort();
    stopper = new AbortController();
    const { signal } = stopper;
    pieces = given;
    bitmaps = [];
    if (!given) return;
    const take = (page, bitmap) => {
      if (signal.aborted) return;
      bitmaps[page] = bitmap;
      changed();
    };
    fetchPages(id, given.atlas.pages, take, signal).catch((error) => signal.aborted || failed(error));
  }

  const setBoard = (which, board) => (boards[which] = board);

  function draw(scene) {
    const { px, camera, colors } = scene;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    if (!pieces || !boards.main) return;
    const scale = camera.scale * px;
    pen.setTransform(scale, 0, 0, scale, Math.round(-camera.x * scale), Math.round(-camera.y * scale));
    const css = Object.fromEntries(Object.entries(colors).map(([name, rgb]) => [name, `rgb(${rgb.map((v) => v * 255)})`]));
    drawBoard(boards.main, scene, css, scale);
    if (!scene.block) return;
    pen.translate(...scene.block.at);
    pen.globalAlpha = 0.92;
    drawBoard(boards.block, { ...scene, camera: { ...camera, x: -1e9, y: -1e9 }, lines: 0, focus: null, cursor: null, all: true }, css, scale);
    pen.globalAlpha = 1;
  }

  function drawBoard(board, scene, css, scale) {
    const { columns, rows, cells, marks } = board;
    const [w, h] = scene.piece;
    const { camera } = scene;
    const limit = (value, most) => Math.max(0, Math.min(most, value));
    const left = scene.all ? 0 : limit(Math.floor(camera.x / w), columns);
    const right = scene.all ? columns : limit(Math.ceil((camera.x + canvas.width / scale) / w), columns);
    const top = scene.all ? 0 : limit(Math.floor(camera.y / h), rows);
    const bottom = scene.all ? rows : limit(Math.ceil((camera.y + canvas.height / scale) / h), rows);
    const snap = (value) => Math.round(value * scale) / scale; // to whole pixels: no gaps between pieces
    const skip = Math.ceil(Math.sqrt(((right - left) * (bottom - top)) / MOST_CELLS)) || 1;
    for (let r = top; r < bottom; r += skip)
      for (let c = left; c < right; c += skip) {
        const i = r * columns + c;
        const [x, y] = [snap(c * w), snap(r * h)];
        cell(cells[i], marks[2 * i], x, y, snap((c + skip) * w) - x, snap((r + skip) * h) - y, scene, css, scale);
      }
    if (scene.focus) {
      const [x0, y0, x1, y1] = scene.focus.box;
      pen.strokeStyle = css.accent;
      pen.lineWidth = 3 / scale;
      pen.strokeRect(x0 * w, y0 * h, (x1 - x0) * w, (y1 - y0) * h);
    }
    if (scene.cursor) {
      pen.strokeStyle = css.accent;
      pen.lineWidth = 3 / scale;
      pen.strokeRect(scene.cursor[0] * w, scene.cursor[1] * h, w, h);
    }
  }

  function cell(pose, marks, x, y, w, h, scene, css, scale) {
    const { atlas } = pieces;
    const n = pose >> 2, turn = pose & 3;
    const bitmap = pose < 0 ? null : bitmaps[Math.floor(n / atlas.perPage)];
    if (!bitmap) {
      if (scene.all) return;
      pen.fillStyle = css.paper;
      pen.fillRect(x, y, w, h);
    } else {
      const k = n % atlas.perPage;
      pen.save();
      pen.translate(x + w / 2, y + h / 2);
      pen.rotate((turn * Math.PI) / 2);
      pen.drawImage(bitmap, (k % atlas.across) * atlas.width, Math.floor(k / atlas.across) * atlas.height, atlas.width, atlas.height, -w / 2, -h / 2, w, h);
      pen.restore();
    }
    const line = (color, x0, y0, x1, y1, thick) => {
      pen.strokeStyle = color;
      pen.lineWidth = thick / scale;
      pen.beginPath();
      pen.moveTo(x0, y0);
      pen.lineTo(x1, y1);
      pen.stroke();
    };
    const tint = (color, alpha) => {
      const had = pen.globalAlpha;
      pen.globalAlpha = alpha;
      pen.fillStyle = color;
      pen.fillRect(x, y, w, h);
      pen.globalAlpha = had;
    };
    if (marks & LIFTED) tint(css.paper, 0.8);
    if (marks & SELECTED) tint(css.accent, 0.35);
    if (scene.lines) {
      line(css.ink, x, y, x + w, y, scene.lines);
      line(css.ink, x, y, x, y + h, scene.lines);
    }
    if (marks & LOCKED) {
      pen.fillStyle = css.accent;
      pen.fillRect(x + w * 0.75, y, w * 0.25, h * 0.25);
    }
    if (marks & JOINED) line(css.good, x + w, y + h * 0.3, x + w, y + h * 0.7, 5); // to the right
    if (marks & (JOINED << 1)) line(css.good, x + w * 0.3, y + h, x + w * 0.7, y + h, 5); // below
    if (marks & PARTED) line(css.wrong, x + w, y, x + w, y + h, 4);
    if (marks & (PARTED << 1)) line(css.wrong, x, y + h, x + w, y + h, 4);
  }

  const note = () => "This browser has no WebGL 2: the board is drawn slowly and without doubt colours. The queue of doubtful seams works as ever.";
  const loaded = () => Boolean(pieces) && Object.keys(bitmaps).length === pieces.atlas.pages;
  return { setPieces, setBoard, draw, finish: () => {}, note, loaded, kind: "canvas2d" };
}
