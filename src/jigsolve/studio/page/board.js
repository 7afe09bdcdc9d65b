// The board on its canvas: keeps the painter's textures in step with the store and draws when something changed.

import { makeCamera } from "./camera.js";
import { flatPainter } from "./flat.js";
import { glPainter } from "./gl.js";
import { marksOf } from "./marks.js";
import { shown } from "./shown.js";
import { set, state, subscribe, toast } from "./state.js";

/** Put a board on a canvas. Returns what gestures and keys need to know about it. */
export function mountBoard(canvas) {
  const camera = makeCamera();
  const seen = {}; // what the textures were last made of
  let frame = 0, shownZoom = 0;
  const times = []; // of the last frames, for measuring

  const changed = () => (frame ||= requestAnimationFrame(paint));
  const failed = (error) => {
    set({ piecesMissing: true }); // asked for again when the connection is back
    if (state.connection === "open") toast(error.message, "error");
  };
  const forced = new URLSearchParams(location.search).get("draw"); // ?draw=2d tries the fallback
  const painter = (forced !== "2d" && glPainter(canvas, changed, failed)) || flatPainter(canvas, changed, failed);

  const size = () => {
    const { rows, columns } = shown();
    const { width, height } = state.project.pieces;
    return [columns * width, rows * height];
  };

  const ready = () => state.project?.pieces && shown();

  function resize() {
    const { width, height } = canvas.getBoundingClientRect();
    if (!width || !height) return;
    const px = window.devicePixelRatio || 1;
    const grown = camera.width !== width || camera.height !== height;
    canvas.width = Math.round(width * px);
    canvas.height = Math.round(height * px);
    Object.assign(camera, { width, height });
    if (grown && camera.fitted && ready()) camera.fit(...size());
    changed();
  }

  /** Whether any of these differs from the last time this was asked under this name. */
  function differs(name, ...values) {
    const before = seen[name];
    seen[name] = values;
    return !before || values.some((value, i) => value !== before[i]);
  }

  function update() {
    const { project, pictures, picture, selection, lifted, doubt, compare, before } = state;
    if (!ready()) return;
    const { pieces } = project;
    const cut = `${project.id} ${pieces.count} ${pieces.width}x${pieces.height} ${project.detection?.start} ${project.detection?.gap}`;
    if (differs("pieces", cut, state.piecesAgain)) painter.setPieces(project.id, pieces);
    const { rows, columns, cells } = shown();
    if (differs("shape", cut, rows, columns, picture)) camera.fit(...size());
    const lifting = lifted?.by && lifted.from === picture ? lifted.cells : NOTHING;
    if (differs("board", cells, project.locked, project.joined, project.parted, selection, lifting, doubt, compare, before)) {
      const other = compare ? pictures[picture].cells : null;
      const fitting = doubt?.picture === picture && !compare ? doubt : null;
      const { locked = [], joined = [], parted = [] } = project;
      const known = marksOf({ rows, columns, cells, locked, joined, parted, selection, lifted: lifting, other, doubt: fitting });
      painter.setBoard("main", { rows, columns, cells, ...known });
    }
    if (lifted && differs("block", lifted.poses)) {
      const { rows: high, columns: wide, poses } = lifted;
      const selection = new Set(poses.keys().filter((c) => poses[c] >= 0));
      const known = marksOf({ rows: high, columns: wide, cells: poses, selection, ...NOBODY });
      painter.setBoard("block", { rows: high, columns: wide, cells: poses, ...known });
    }
  }

  function paint() {
    frame = 0;
    const began = performance.now();
    if (ready()) update();
    else differs("pieces", null), differs("shape", null);
    painter.draw(scene());
    if (measure.on) painter.finish();
    times.push(performance.now() - began);
    if (times.length > 200) times.shift();
    if (camera.scale !== shownZoom) {
      shownZoom = camera.scale;
      queueMicrotask(() => set({ zoom: camera.scale }));
    }
  }

  function scene() {
    const { project, picture, lifted, focus, cursor } = state;
    if (!ready()) return { px: 1, camera, piece: [1, 1], colors: colors() };
    const { width, height } = project.pieces;
    const { columns } = shown();
    const overlaid = state.overlay && state.doubt?.picture === picture && !state.run && !state.compare;
    return {
      camera, px: canvas.width / camera.width, piece: [width, height], colors: colors(),
      lines: state.lines ? 0.35 : 0,
      overlay: overlaid ? 1 : 0,
      threshold: state.threshold,
      differences: state.compare ? 1 : 0,
      opacity: 1,
      focus: state.run ? null : focus,
      cursor: cursor >= 0 && document.activeElement === canvas && !lifted ? [cursor % columns, Math.floor(cursor / columns)] : null,
      block: lifted?.by && { at: [(lifted.left + lifted.by[1]) * width, (lifted.top + lifted.by[0]) * height] },
    };
  }

  /** The cell at a point of the canvas, -1 outside; with the seam it is close to. */
  function at(px, py) {
    if (!ready()) return { cell: -1, seam: null };
    const { width, height } = state.project.pieces;
    const { rows, columns, isLoose } = shown();
    const [x, y] = camera.toBoard(px, py);
    const column = Math.floor(x / width), row = Math.floor(y / height);
    if (isLoose || column < 0 || row < 0 || column >= columns || row >= rows) return { cell: -1, seam: null };
    return { cell: row * columns + column, seam: nearSeam(x / width - column, y / height - row, row, column, rows, columns) };
  }

  /** The middle of a cell on the canvas. */
  function middle(cell) {
    const { width, height } = state.project.pieces;
    const { columns } = shown();
    return camera.toScreen(((cell % columns) + 0.5) * width, (Math.floor(cell / columns) + 0.5) * height);
  }

  /** Bring cells into view: near enough to see their edges, and not moved where they are in view already. */
  function show(cells, closer = false) {
    const { width, height } = state.project.pieces;
    const least = 72 / Math.max(width, height);
    const points = cells.map(middle);
    const x = points.reduce((sum, p) => sum + p[0], 0) / points.length;
    const y = points.reduce((sum, p) => sum + p[1], 0) / points.length;
    const [wide, high] = size().map((length) => length * camera.scale);
    const within = (at, room, board) => {
      const margin = board > room ? Math.min(120, room / 4) : 0; // all of a board that fits may be in view
      return at > margin && at < room - margin;
    };
    const inside = within(x, camera.width, wide) && within(y, camera.height, high);
    const zoomed = closer && camera.scale < least;
    if (inside && !zoomed) return;
    const [bx, by] = camera.toBoard(x, y);
    if (zoomed) camera.scale = least;
    camera.centre(bx, by);
    camera.keepOn(...size());
    changed();
  }

  /** For tests: what is shown, and how large. */
  const poses = () => [...shown().cells];
  const selected = () => [...state.selection];
  const extent = () => [shown().rows, shown().columns, state.project.pieces.width, state.project.pieces.height];

  const fit = () => ready() && (camera.fit(...size()), changed());
  const oneToOne = () => {
    camera.zoom(1 / camera.scale);
    Object.assign(camera, { x: Math.round(camera.x), y: Math.round(camera.y) }); // pixel on pixel
    changed();
  };

  let goal = null, asked = null;
  const ended = new AbortController();
  const watcher = new ResizeObserver(resize);
  const unsubscribe = subscribe(() => {
    if (state.goal && state.goal !== goal) show((goal = state.goal).cells);
    if (state.focus && state.focus !== asked && ready()) {
      const [left, top, right, bottom] = state.focus.box;
      const { columns } = shown();
      const { width, height } = state.project.pieces;
      const fills = Math.max((right - left) * width / camera.width, (bottom - top) * height / camera.height) * camera.scale;
      if (fills > 0.8) fit();
      else show([top * columns + left, (bottom - 1) * columns + right - 1], state.focus.kind !== "block");
    }
    asked = state.focus;
    changed();
  });
  watcher.observe(canvas);
  canvas.addEventListener("focus", () => {
    const byKeyboard = canvas.matches(":focus-visible") && !canvas.matches(":active");
    if (byKeyboard && state.cursor < 0 && ready()) set({ cursor: [...state.selection][0] ?? 0 }); // shows where one is
    changed();
  });
  canvas.addEventListener("blur", changed);
  resize();

  function dispose() {
    ended.abort();
    unsubscribe();
    watcher.disconnect();
    cancelAnimationFrame(frame);
    painter.setPieces(null, null);
  }

  const measure = { on: false, times };
  return {
    canvas, camera, at, middle, show, poses, selected, extent, fit, oneToOne, changed,
    note: painter.note, loaded: painter.loaded, kind: painter.kind, measure, dispose, signal: ended.signal,
  };
}

const NOTHING = [];
const NOBODY = { locked: [], joined: [], parted: [], lifted: [], other: null, doubt: null };

/** The seam within a fifth of a cell of a point, where there is a cell on its other side. */
function nearSeam(fx, fy, row, column, rows, columns) {
  const near = [
    [fx, { row, column: column - 1, dir: "right" }],
    [1 - fx, { row, column, dir: "right" }],
    [fy, { row: row - 1, column, dir: "below" }],
    [1 - fy, { row, column, dir: "below" }],
  ].sort((a, b) => a[0] - b[0])[0];
  const [away, seam] = near;
  const exists = seam.row >= 0 && seam.column >= 0
    && (seam.dir === "right" ? seam.column < columns - 1 : seam.row < rows - 1);
  return away < 0.2 && exists ? seam : null;
}

let cached = null;

/** The style sheet's colours, as the shader takes them. */
function colors() {
  if (cached) return cached;
  const probe = document.body.appendChild(document.createElement("span"));
  const rgb = (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).map((value) => value / 255);
  };
  cached = { paper: rgb("--canvas"), ink: rgb("--ink"), accent: rgb("--accent"), wrong: rgb("--wrong"), good: rgb("--good"), faint: rgb("--faint-doubt"), strong: rgb("--strong-doubt") };
  probe.remove();
  return cached;
}

export const forgetColors = () => (cached = null);
