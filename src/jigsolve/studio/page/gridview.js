// The shuffled picture with the grid over it. Every line can be dragged: the first moves the start, any other the size.

import { html, useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { post } from "./api.js";
import { makeCamera } from "./camera.js";
import { along, GridForm } from "./gridform.js";
import { set, toast, useStore } from "./state.js";
import { Piece, whole } from "./widgets.js";

const NEAR = 6; // CSS pixels

export function GridView() {
  const project = useStore((s) => s.project);
  const { detection } = project;
  const [grid, setGrid] = useState(() => ({
    piece: detection?.piece ?? [28, 28], start: detection?.start ?? [0, 0], gap: detection?.gap ?? 0,
    board: detection?.board ?? null, turns: detection?.turns ?? "none",
    pictures: detection ? detection.pictures : 1, // null is for solving to find out
  }));
  const [busy, setBusy] = useState(false);
  const change = (patch) => setGrid((old) => withBoard(project.source, old, { ...old, ...patch }));
  const confirm = async () => {
    setBusy(true);
    try {
      await post(`/projects/${project.id}/grid`, grid);
      set({ regrid: false });
    } catch (error) {
      toast(error.message, "error");
    } finally {
      setBusy(false);
    }
  };
  const cancel = project.stage === "grid" ? null : () => set({ regrid: false });
  return html`
    <div class="work">
      <div class="stage">${project.source.kind === "picture"
        ? html`<${GridCanvas} project=${project} grid=${grid} change=${change} />`
        : html`<${Tiles} pieces=${project.pieces} />`}
      </div>
      <aside class="panel" aria-label="Grid">
        <${GridForm} ...${{ project, grid, change, confirm, cancel, busy }} />
      </aside>
    </div>`;
}

const MOST_TILES = 60; // shown, to see what they are

function Tiles({ pieces }) {
  if (!pieces) return html`<div class="empty"><p class="empty-title">No tiles</p></div>`;
  const few = Array.from({ length: Math.min(MOST_TILES, pieces.count) }, (_, piece) => piece);
  return html`<div class="empty"><p class="empty-title">${few.length < pieces.count ? `The first ${few.length} of ${whole(pieces.count)} tiles` : `${few.length} tiles`}</p>
    <p class="hint">${pieces.width} × ${pieces.height} pixels each</p>
    <div class="tiles" aria-hidden="true">${few.map((piece) => html`<${Piece} pose=${4 * piece} size=${56} />`)}</div></div>`;
}

/** A board that was as large as the cut stays so when the cut changes. */
function withBoard(source, old, next) {
  if (source.kind !== "picture" || !next.board || next.board !== old.board) return next;
  const cut = ({ start, piece, gap }) => [along(source.width, start[0], piece[0], gap), along(source.height, start[1], piece[1], gap)];
  return String(cut(old)) === String(old.board) ? { ...next, board: cut(next) } : next;
}

function GridCanvas({ project, grid, change }) {
  const canvas = useRef();
  const kept = useRef({ camera: makeCamera(), image: null, grid, change, spot: null });
  kept.current.grid = grid;
  kept.current.change = change;
  useEffect(() => {
    const image = new Image();
    image.onload = () => {
      kept.current.image = image;
      kept.current.fit?.();
    };
    image.onerror = () => toast("The picture could not be loaded.", "error");
    image.src = `/api/projects/${project.id}/source`;
    return mount(canvas.current, kept.current);
  }, [project.id]);
  useEffect(() => kept.current.draw?.(), [grid]);
  return html`<canvas ref=${canvas} class="board accent" role="img"
    aria-label="The shuffled picture with the grid over it. The fields beside it say the same in numbers."></canvas>`;
}

function mount(canvas, kept) {
  const { camera } = kept;
  const pen = canvas.getContext("2d");
  let drag = null, frame = 0;

  kept.draw = () => (frame ||= requestAnimationFrame(paint));
  kept.fit = () => {
    if (kept.image) camera.fit(kept.image.naturalWidth, kept.image.naturalHeight);
    kept.draw();
  };

  function lines() {
    const { piece, start, gap } = kept.grid;
    const { naturalWidth, naturalHeight } = kept.image;
    const counts = [along(naturalWidth, start[0], piece[0], gap), along(naturalHeight, start[1], piece[1], gap)];
    const far = [0, 1].map((axis) => start[axis] + counts[axis] * (piece[axis] + gap) - gap);
    return { counts, far };
  }

  function paint() {
    frame = 0;
    const px = canvas.width / camera.width;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    if (!kept.image) return;
    const scale = camera.scale * px;
    pen.setTransform(scale, 0, 0, scale, -camera.x * scale, -camera.y * scale);
    pen.imageSmoothingEnabled = scale < 2;
    pen.drawImage(kept.image, 0, 0);
    const { piece, start, gap } = kept.grid;
    const { counts, far } = lines();
    const thick = px / scale;
    const draw = (style, width) => {
      pen.strokeStyle = style;
      pen.lineWidth = width;
      pen.beginPath();
      const every = [0, 1].map((axis) => Math.max(1, Math.ceil(5 / ((piece[axis] + gap) * camera.scale))));
      for (let i = 0; i <= counts[0]; i += every[0]) {
        const x = start[0] + i * (piece[0] + gap) - (i ? gap / 2 : 0);
        pen.moveTo(x, start[1]);
        pen.lineTo(x, far[1]);
      }
      for (let i = 0; i <= counts[1]; i += every[1]) {
        const y = start[1] + i * (piece[1] + gap) - (i ? gap / 2 : 0);
        pen.moveTo(start[0], y);
        pen.lineTo(far[0], y);
      }
      pen.stroke();
    };
    draw("rgba(0, 0, 0, .55)", 3 * thick);
    draw("rgba(255, 255, 255, .95)", thick);
    pen.fillStyle = getComputedStyle(canvas).color;
    pen.strokeStyle = "#fff";
    pen.lineWidth = 2 * thick;
    for (const [x, y] of [start, [start[0] + piece[0], start[1] + piece[1]]]) {
      pen.beginPath();
      pen.arc(x, y, 6 * thick, 0, 7);
      pen.fill();
      pen.stroke();
    }
  }

  /** What a point would drag: the start's corner, the first piece's corner, or the nearest line. */
  function grip(px, py) {
    if (!kept.image) return null;
    const { piece, start, gap } = kept.grid;
    const close = (x, y) => {
      const [sx, sy] = camera.toScreen(x, y);
      return Math.hypot(px - sx, py - sy) < 10;
    };
    if (close(start[0] + piece[0], start[1] + piece[1])) return { index: [1, 1], cursor: "nwse-resize" };
    if (close(...start)) return { index: [0, 0], cursor: "move" };
    const at = camera.toBoard(px, py);
    const { counts } = lines();
    const found = [0, 1].map((axis) => {
      const index = Math.round((at[axis] - start[axis]) / (piece[axis] + gap));
      const off = Math.abs(start[axis] + index * (piece[axis] + gap) - at[axis]) * camera.scale;
      return { index, off: index >= 0 && index <= counts[axis] ? off : Infinity };
    });
    const axis = found[0].off < found[1].off ? 0 : 1;
    if (found[axis].off > NEAR) return null;
    const index = [null, null];
    index[axis] = found[axis].index;
    return { index, cursor: axis ? "row-resize" : "col-resize" };
  }

  function pull(px, py) {
    const at = camera.toBoard(px, py);
    const { piece, start, gap } = kept.grid;
    const next = { piece: [...piece], start: [...start] };
    drag.index.forEach((index, axis) => {
      if (index === null) return;
      if (index === 0) next.start[axis] = Math.max(0, Math.round(at[axis]));
      else next.piece[axis] = Math.max(2, Math.round((at[axis] - start[axis]) / index - (index > 1 ? gap : 0)));
    });
    kept.change(next);
  }

  const point = (event) => {
    const { left, top } = canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const pointers = new Map(); // those that are down
  canvas.onpointerdown = (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, point(event));
    drag = pointers.size > 1 ? { pinch: true } : (event.button === 0 && grip(...point(event))) || { pan: point(event) };
  };
  canvas.onpointermove = (event) => {
    const at = point(event);
    if (!drag) return void (canvas.style.cursor = grip(...at)?.cursor ?? "grab");
    if (drag.pinch) {
      const other = [...pointers].find(([key]) => key !== event.pointerId)?.[1];
      if (other) camera.pinch(pointers.get(event.pointerId), at, other);
      pointers.set(event.pointerId, at);
      return kept.draw();
    }
    if (!drag.pan) return pull(...at);
    camera.pan(at[0] - drag.pan[0], at[1] - drag.pan[1]);
    drag.pan = at;
    return kept.draw();
  };
  canvas.onpointerup = canvas.onpointercancel = (event) => {
    pointers.delete(event.pointerId);
    if (!drag?.pinch || !pointers.size) drag = null;
  };
  const wheel = (event) => {
    event.preventDefault();
    camera.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), ...point(event));
    kept.draw();
  };
  canvas.addEventListener("wheel", wheel, { passive: false });

  const watcher = new ResizeObserver(() => {
    const { width, height } = canvas.getBoundingClientRect();
    const px = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * px);
    canvas.height = Math.round(height * px);
    Object.assign(camera, { width, height });
    if (camera.fitted) kept.fit();
    kept.draw();
  });
  watcher.observe(canvas);
  return () => watcher.disconnect();
}
