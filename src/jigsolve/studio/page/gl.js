// Drawing the board with WebGL 2.

import { fetchPages, intoSlots, layout } from "./atlas.js";
import { FRAGMENT, VERTEX } from "./shaders.js";

/** A painter of boards, or null where the browser has no WebGL 2. */
export function glPainter(canvas, changed, failed) {
  const gl = canvas.getContext("webgl2", { alpha: true, antialias: false, powerPreference: "high-performance" });
  if (!gl) return null;
  const largest = Math.min(8192, gl.getParameter(gl.MAX_TEXTURE_SIZE));
  const program = link(gl);
  const at = uniforms(gl, program);
  const boards = { main: boardTexture(gl), block: boardTexture(gl) };
  let pages = null;

  gl.useProgram(program);
  gl.uniform1i(at.board, 0);
  gl.uniform1i(at.pages, 1);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);

  function setPieces(id, pieces) {
    pages?.stop();
    if (pages) gl.deleteTexture(pages.texture);
    pages = pieces && loadPages(gl, id, pieces, largest, changed, failed);
  }

  function setBoard(which, { rows, columns, cells, marks }) {
    const both = new Int32Array(2 * cells.length);
    for (let c = 0; c < cells.length; c++) {
      both[2 * c] = cells[c];
      both[2 * c + 1] = marks[c];
    }
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, boards[which].texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RG32I, columns, rows, 0, gl.RG_INTEGER, gl.INT, both);
    Object.assign(boards[which], { rows, columns });
  }

  function draw(scene) {
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (!pages || !boards.main.rows) return;
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, pages.texture);
    const { px, camera, colors, piece } = scene;
    const cell = [piece[0] * camera.scale * px, piece[1] * camera.scale * px];
    const texels = pages.plan.size[0] / cell[0];
    const nearest = texels <= 0.5;
    gl.texParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MAG_FILTER, nearest ? gl.NEAREST : gl.LINEAR);
    gl.uniform2f(at.view, canvas.width, canvas.height);
    gl.uniform2f(at.cell, ...cell);
    gl.uniform2f(at.piece, ...pages.plan.size);
    gl.uniform2f(at.slot, ...pages.plan.slot);
    gl.uniform2f(at.page, ...pages.plan.page);
    gl.uniform2i(at.atlas, pages.atlas.across, pages.atlas.perPage);
    gl.uniform1i(at.loaded, pages.loaded);
    gl.uniform1f(at.level, Math.min(pages.plan.levels, Math.max(0, Math.round(Math.log2(texels)))));
    gl.uniform1f(at.px, px);
    for (const name of ["paper", "ink", "accent", "wrong", "good", "faint", "strong"]) gl.uniform3f(at[name], ...colors[name]);
    gl.uniform1f(at.threshold, scene.threshold);
    board(boards.main, [-camera.x, -camera.y], scene, cell);
    if (scene.block) {
      const bare = { lines: 0, overlay: 0, differences: 0, focus: null, cursor: null, opacity: 0.92 };
      const [x, y] = scene.block.at;
      board(boards.block, [x - camera.x, y - camera.y], { ...scene, ...bare }, cell);
    }
  }

  function board({ texture, columns, rows }, [x, y], scene, cell) {
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    const scale = scene.camera.scale * scene.px;
    gl.uniform2f(at.origin, x * scale, y * scale);
    gl.uniform2f(at.extent, columns * cell[0], rows * cell[1]);
    gl.uniform2i(at.size, columns, rows);
    gl.uniform1f(at.lines, scene.lines);
    gl.uniform1f(at.overlay, scene.overlay);
    gl.uniform1f(at.differences, scene.differences);
    gl.uniform1f(at.opacity, scene.opacity);
    const { focus, cursor } = scene;
    gl.uniform3i(at.focus, focus ? focus.column : -1, focus ? focus.row : -1, focus?.dir === "below" ? 1 : 0);
    gl.uniform2i(at.cursor, cursor ? cursor[0] : -1, cursor ? cursor[1] : -1);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  const finish = () => gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  const note = () => (pages?.plan.shrink > 1 ? `Pieces are drawn at 1/${pages.plan.shrink} of their size to save memory.` : "");
  return { setPieces, setBoard, draw, finish, note, largest, kind: "webgl2" };
}

function loadPages(gl, id, pieces, largest, changed, failed) {
  const plan = layout(pieces, largest);
  const texture = gl.createTexture();
  const stopper = new AbortController();
  const pages = { texture, plan, atlas: pieces.atlas, loaded: 0, stop: () => stopper.abort() };
  gl.activeTexture(gl.TEXTURE1);
  gl.bindTexture(gl.TEXTURE_2D_ARRAY, texture);
  gl.texStorage3D(gl.TEXTURE_2D_ARRAY, plan.levels + 1, gl.RGBA8, ...plan.page, pieces.atlas.pages);
  gl.texParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_NEAREST);
  const waiting = new Map(); // pages are shown in order: those before must be there
  const take = (number, bitmap) => {
    if (stopper.signal.aborted) return;
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, texture);
    const slots = intoSlots(bitmap, pieces.atlas, plan);
    bitmap.close();
    gl.texSubImage3D(gl.TEXTURE_2D_ARRAY, 0, 0, 0, number, ...plan.page, 1, gl.RGBA, gl.UNSIGNED_BYTE, slots);
    waiting.set(number, true);
    while (waiting.delete(pages.loaded)) pages.loaded++;
    if (pages.loaded === pieces.atlas.pages || pages.loaded === 1) gl.generateMipmap(gl.TEXTURE_2D_ARRAY);
    changed();
  };
  fetchPages(id, pieces.atlas.pages, take, stopper.signal).catch((error) => {
    if (!stopper.signal.aborted) failed(error);
  });
  return pages;
}

function boardTexture(gl) {
  const texture = gl.createTexture();
  gl.activeTexture(gl.TEXTURE0);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  return { texture, rows: 0, columns: 0 };
}

function link(gl) {
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    const trouble = gl.getShaderInfoLog(shader);
    if (trouble && !gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(trouble);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  return program;
}

function uniforms(gl, program) {
  const found = {};
  const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
  for (let i = 0; i < count; i++) {
    const { name } = gl.getActiveUniform(program, i);
    found[name] = gl.getUniformLocation(program, name);
  }
  return found;
}
