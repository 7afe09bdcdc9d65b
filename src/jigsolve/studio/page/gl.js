// Drawing the board with WebGL 2.

import { fetchPages, intoSlots, layout } from "./atlas.js";
import { fragment, VERTEX } from "./shaders.js";

/** A painter of boards, or null where the browser has no WebGL 2. */
export function glPainter(canvas, changed, failed) {
  const gl = canvas.getContext("webgl2", { alpha: false, antialias: false, powerPreference: "high-performance" });
  if (!gl) return null;
  const largest = Math.min(8192, gl.getParameter(gl.MAX_TEXTURE_SIZE));
  const programs = new Map();
  const boards = { main: emptyBoard(gl), block: emptyBoard(gl) };
  let pages = null;

  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  gl.vertexAttribDivisor(0, 1);

  function setPieces(id, pieces) {
    pages?.stop();
    if (pages) gl.deleteTexture(pages.texture);
    pages = pieces && loadPages(gl, id, pieces, largest, changed, failed);
  }

  /** Take over poses and marks: whatever has changed of them. */
  function setBoard(which, { rows, columns, cells, marks, marked }) {
    const board = boards[which];
    if (board.cells !== cells) fill(gl, 0, board.poses, gl.R32I, gl.RED_INTEGER, columns, rows, cells);
    fill(gl, 2, board.marks, gl.RG32I, gl.RG_INTEGER, columns, rows, marks);
    const places = new Float32Array(2 * marked.length);
    for (let i = 0; i < marked.length; i += 2) places.set([marked[i], marked[i + 1], 1, 1], 2 * i);
    gl.bindBuffer(gl.ARRAY_BUFFER, board.places);
    gl.bufferData(gl.ARRAY_BUFFER, places, gl.DYNAMIC_DRAW);
    Object.assign(board, { rows, columns, cells, marked: marked.length / 2 });
  }

  function draw(scene) {
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(...scene.colors.paper, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (!pages || !boards.main.rows) return;
    const { px, camera, piece } = scene;
    const cell = [piece[0] * camera.scale * px, piece[1] * camera.scale * px];
    const texels = pages.plan.size[0] / cell[0];
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, pages.texture);
    const filter = texels <= 0.5 ? gl.NEAREST : gl.LINEAR;
    if (pages.filter !== filter) gl.texParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MAG_FILTER, (pages.filter = filter));
    const level = Math.min(pages.plan.levels, Math.max(0, Math.round(Math.log2(texels))));
    const frame = { ...scene, cell, level };
    const lines = scene.lines && Math.min(...cell) > 5 ? ["LINES"] : [];
    const over = [...lines, ...(scene.overlay ? ["DOUBT"] : []), ...(scene.focus ? ["FOCUS"] : [])];
    const corner = [-camera.x, -camera.y];
    drawBoard(boards.main, corner, over, frame, 1);
    drawMarked(boards.main, corner, [...over, "MARKS"], frame);
    if (!scene.block) return;
    const [x, y] = scene.block.at;
    drawBoard(boards.block, [x - camera.x, y - camera.y], ["MARKS", "BLOCK"], frame, 0.92);
  }

  function drawBoard(board, corner, features, frame, opacity) {
    prepare(board, corner, features, frame, opacity);
    gl.disableVertexAttribArray(0);
    gl.vertexAttrib4f(0, 0, 0, board.columns, board.rows);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  /** Draw cells that have marks once more, with them. */
  function drawMarked(board, corner, features, frame) {
    if (!board.marked && !frame.cursor) return;
    const at = prepare(board, corner, features, frame, 1);
    if (board.marked) {
      gl.bindBuffer(gl.ARRAY_BUFFER, board.places);
      gl.enableVertexAttribArray(0);
      gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 0, 0);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, board.marked);
    }
    if (!frame.cursor) return;
    gl.disableVertexAttribArray(0);
    gl.vertexAttrib4f(0, ...frame.cursor, 1, 1);
    gl.uniform1f(at.isCursor, 1);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  function prepare(board, corner, features, frame, opacity) {
    const key = features.join();
    if (!programs.has(key)) programs.set(key, link(gl, fragment(features)));
    const { program, at } = programs.get(key);
    const { px, camera, colors, cell, focus } = frame;
    const { plan, atlas, loaded } = pages;
    const scale = camera.scale * px;
    gl.useProgram(program);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, board.poses);
    gl.activeTexture(gl.TEXTURE2);
    gl.bindTexture(gl.TEXTURE_2D, board.marks);
    gl.uniform1i(at.board, 0);
    gl.uniform1i(at.pages, 1);
    gl.uniform1i(at.marks, 2);
    gl.uniform2f(at.view, canvas.width, canvas.height);
    gl.uniform2f(at.origin, corner[0] * scale, corner[1] * scale);
    gl.uniform2f(at.last, board.columns - 1, board.rows - 1);
    gl.uniform2f(at.cell, ...cell);
    gl.uniform2f(at.piece, ...plan.size);
    gl.uniform2f(at.slot, plan.slot[0] / plan.page[0], plan.slot[1] / plan.page[1]);
    gl.uniform2f(at.texel, 1 / plan.page[0], 1 / plan.page[1]);
    gl.uniform2f(at.atlas, atlas.across, atlas.perPage);
    gl.uniform1f(at.loaded, loaded);
    gl.uniform1f(at.level, frame.level);
    gl.uniform1f(at.edge, Math.min(0.5 * 2 ** frame.level, plan.size[0] / 2, plan.size[1] / 2));
    gl.uniform1f(at.opacity, opacity);
    gl.uniform1f(at.px, px);
    gl.uniform1f(at.lines, frame.lines);
    gl.uniform1f(at.threshold, frame.threshold);
    gl.uniform1f(at.isCursor, 0);
    const shortest = Math.min(...cell);
    gl.uniform1f(at.seamWidth, shortest > 5 ? Math.min(Math.max(shortest * 0.09, 1), 5 * px) : -1);
    for (const [name, rgb] of Object.entries(colors)) gl.uniform3f(at[name] ?? null, ...rgb);
    if (focus) {
      gl.uniform4f(at.focus, ...focus.box);
    }
    return at;
  }

  const finish = () => gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  const note = () => (pages?.plan.shrink > 1 ? `Pieces are drawn at 1/${pages.plan.shrink} of their size to save memory.` : "");
  const loaded = () => Boolean(pages) && pages.loaded === pages.atlas.pages;
  return { setPieces, setBoard, draw, finish, note, loaded, kind: "webgl2" };
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
  const there = new Set(); // pages are shown in order: those before must be there
  const take = (number, bitmap) => {
    if (stopper.signal.aborted) return;
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, texture);
    const slots = intoSlots(bitmap, pieces.atlas, plan);
    bitmap.close();
    gl.texSubImage3D(gl.TEXTURE_2D_ARRAY, 0, 0, 0, number, ...plan.page, 1, gl.RGBA, gl.UNSIGNED_BYTE, slots);
    there.add(number);
    while (there.delete(pages.loaded)) pages.loaded++;
    if (pages.loaded === pieces.atlas.pages || pages.loaded === 1) gl.generateMipmap(gl.TEXTURE_2D_ARRAY);
    changed();
  };
  fetchPages(id, pieces.atlas.pages, take, stopper.signal).catch((error) => {
    if (!stopper.signal.aborted) failed(error);
  });
  return pages;
}

const emptyBoard = (gl) =>
  ({ poses: cellTexture(gl), marks: cellTexture(gl), places: gl.createBuffer(), rows: 0, columns: 0, marked: 0, cells: null });

function cellTexture(gl) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  return texture;
}

function fill(gl, unit, texture, kind, format, columns, rows, values) {
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, kind, columns, rows, 0, format, gl.INT, values);
}

/** A program, and where its uniforms are; those it does not use are null, which is ignored. */
function link(gl, source) {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, source]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  const at = {};
  for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {
    const { name } = gl.getActiveUniform(program, i);
    at[name] = gl.getUniformLocation(program, name);
  }
  return { program, at };
}
