// The board in one quad: a fragment looks up its cell and its piece. Cells with marks are drawn once more, each in a
// quad of its own, since software rendering executes every branch for every fragment. What a drawing needs beside
// the pieces is defined when a program is made: LINES, DOUBT, FOCUS, MARKS.

import { DIFFERS, EMPTY, JOINED, LIFTED, LOCKED, PARTED, RIM, SELECTED } from "./marks.js";

export const VERTEX = `#version 300 es
layout(location = 0) in vec4 place;   // column, row, columns, rows
uniform vec2 view;      // device pixels of the canvas
uniform vec2 origin;    // where the board's corner is, y downwards
uniform vec2 cell;      // device pixels of a cell
out vec2 at;            // cells from the board's corner
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  at = place.xy + corner * place.zw;
  vec2 spot = (origin + at * cell) / view;
  gl_Position = vec4(spot.x * 2.0 - 1.0, 1.0 - spot.y * 2.0, 0, 1);
}`;

const HEAD = `
precision highp float;
precision highp int;
precision mediump sampler2DArray;
uniform highp isampler2D board;   // poses
uniform sampler2DArray pages;
uniform vec2 last;         // the last column and row
uniform vec2 cell;         // device pixels of a cell
uniform vec2 piece;        // texels of a piece
uniform vec2 slot;         // texels from one piece to the next, as a part of a page
uniform vec2 texel;        // a texel as a part of a page
uniform vec2 atlas;        // pieces a row, pieces a page
uniform float loaded;      // pages that are there
uniform float level;       // of the mipmaps
uniform float edge;        // texels to stay away from a piece's rim
uniform float opacity;
uniform vec3 paper, ink;
in vec2 at;
out vec4 color;

vec3 pieceAt(int pose, vec2 f) {
  if (pose < 0) return mix(paper, ink, 0.06);
  int turn = pose & 3;
  vec2 g = (turn & 1) == 0 ? f : vec2(f.y, 1.0 - f.x);
  if (turn > 1) g = 1.0 - g;
  float n = float(pose >> 2) + 0.5;
  float layer = floor(n / atlas.y), k = n - layer * atlas.y;
  float row = floor(k / atlas.x), column = floor(k - row * atlas.x);
  vec2 within = clamp(g * piece, vec2(edge), piece - edge);
  vec3 rgb = textureLod(pages, vec3(vec2(column, row) * slot + within * texel, layer), level).rgb;
  return layer < loaded ? rgb : mix(paper, ink, 0.12);
}
`;

const LINES = `
uniform float lines;       // opacity of grid lines
`;

const DOUBT = `
uniform highp isampler2D marks;
uniform float threshold;
uniform vec3 faint, strong;
uniform float seamWidth;   // device pixels; 0 where cells are too small for seams

// How much something is in doubt, 0 where it is surer than the threshold or unknown.
vec4 doubtful(vec4 sure) {
  vec4 doubt = 0.35 + 0.65 * (1.0 - sure / threshold);
  return doubt * step(sure, vec4(min(threshold, 1.0) - 0.0001));
}
vec3 doubted(vec3 rgb, ivec2 known, vec4 edges) {
  float grey = dot(rgb, vec3(0.299, 0.587, 0.114));
  rgb = mix(rgb, mix(vec3(grey), paper, 0.15), 0.8);   // colours are for doubt
  float own = doubtful(vec4(float((known.r >> 24) & 255) / 254.0)).x;
  rgb = mix(rgb, mix(faint, strong, own), 0.45 * own);
  vec4 seams = doubtful(vec4((ivec4(known.g) >> ivec4(0, 8, 16, 24)) & 255) / 254.0) * step(edges, vec4(seamWidth));
  float seam = max(max(seams.x, seams.y), max(seams.z, seams.w));
  return mix(rgb, mix(faint, strong, seam), seam > 0.0 ? 0.4 + 0.6 * seam : 0.0);
}
`;

const FOCUS = `
uniform vec4 focus;        // the cells that are asked about: left, top, right, bottom
uniform vec3 accent;
uniform float px;

bool inFocus() { return all(greaterThanEqual(at, focus.xy)) && all(lessThanEqual(at, focus.zw)); }
vec3 focused(vec3 rgb) {
  vec2 outside = max(max(focus.xy - at, at - focus.zw), 0.0) * cell;
  float away = max(outside.x, outside.y);
  vec2 span = focus.zw - focus.xy, along = (at - focus.xy) / span;
  bool isPair = abs(span.x + span.y - 3.0) < 0.5, across = span.x > span.y; // and its seam upright
  float off = abs((across ? along.x : along.y) - 0.5) * (across ? span.x * cell.x : span.y * cell.y);
  float tick = across ? min(along.y, 1.0 - along.y) : min(along.x, 1.0 - along.x);
  vec3 inside = isPair && tick < 0.14 && off < 1.5 * px ? accent : rgb;
  vec3 beyond = away < 2.0 * px ? accent : away < 3.5 * px ? paper : mix(rgb, paper, 0.3);
  return away > 0.0 ? beyond : inside;
}
`;

const MARKS = `
#ifndef DOUBT
uniform highp isampler2D marks;
#endif
#ifndef FOCUS
uniform vec3 accent;
uniform float px;
#endif
uniform vec3 wrong, good;
uniform float isCursor;

bool has(int bits, int bit) { return (bits & bit) != 0; }
vec3 striped(vec2 p) { return mix(paper, ink, 0.05 + 0.04 * step(0.5, fract((p.x + p.y) / (10.0 * px)))); }

vec3 marked(vec3 rgb, int bits, vec2 f, vec4 edges) {
  float shortest = min(cell.x, cell.y), rim = min(min(edges.x, edges.y), min(edges.z, edges.w));
  if (has(bits, ${EMPTY})) rgb = striped(at * cell);
  if (has(bits, ${LIFTED})) rgb = mix(rgb, striped(at * cell), 0.8);
  if (has(bits, ${DIFFERS})) rgb = rim < px ? accent : mix(rgb, accent, 0.3);
  float width = clamp(shortest * 0.07, 1.5 * px, 4.0 * px);
  for (int i = 0; i < 4; i++) {                         // right, below, left, above
    float along = (i & 1) == 0 ? f.y : f.x;
    if (edges[i] > width) continue;
    if (has(bits, ${JOINED} << i) && abs(along - 0.5) < 0.22) rgb = good;
    if (has(bits, ${PARTED} << i)) rgb = fract(along * 4.0 + 0.25) < 0.5 ? wrong : paper;
  }
  if (has(bits, ${LOCKED})) {                           // a corner, with a padlock where there is room
    float corner = clamp(shortest * 0.34, 3.0, 18.0 * px);
    vec2 q = vec2(edges.x, edges.w);
    if (q.x + q.y < corner * 1.25) rgb = accent;
    vec2 k = vec2(5.8 - q.x / px, q.y / px - 6.2);
    float ring = length(k - vec2(0.0, -1.0));
    bool body = abs(k.x) < 3.0 && k.y > -0.5 && k.y < 3.2;
    if (shortest > 34.0 * px && (body || (ring < 2.4 && ring > 1.2 && k.y < 0.0))) rgb = vec3(1);
  }
#ifndef BLOCK
  if (has(bits, ${SELECTED})) rgb = mix(rgb, accent, 0.22);
#endif
  for (int i = 0; i < 4; i++) if (has(bits, ${RIM} << i) && edges[i] < 2.0 * px) rgb = accent;
  if (isCursor > 0.0 && rim < 3.5 * px) rgb = rim < 2.0 * px ? accent : vec3(1);
  return rgb;
}
`;

const MAIN = `
void main() {
  vec2 c = clamp(floor(at), vec2(0), last);
  vec2 f = clamp(at - c, 0.0, 1.0);
  int pose = texelFetch(board, ivec2(c), 0).r;
#ifdef BLOCK
  if (pose < 0) discard;
#endif
  vec3 rgb = pieceAt(pose, f);
#if defined(DOUBT) || defined(MARKS) || defined(LINES)
  vec4 edges = vec4((1.0 - f) * cell, f * cell);        // device pixels from right, below, left, above
#endif
#if defined(DOUBT) || defined(MARKS)
  ivec2 known = texelFetch(marks, ivec2(c), 0).rg;
#endif
#if defined(DOUBT) && defined(FOCUS)
  rgb = inFocus() ? rgb : doubted(rgb, known, edges);   // what is asked about is seen as it is
#elif defined(DOUBT)
  rgb = doubted(rgb, known, edges);
#endif
#ifdef LINES
  rgb = mix(rgb, ink, min(edges.z, edges.w) < 1.0 ? lines : 0.0);
#endif
#ifdef MARKS
  rgb = marked(rgb, known.r, f, edges);
#endif
#ifdef FOCUS
  rgb = focused(rgb);
#endif
  color = vec4(rgb * opacity, opacity);
}`;

/** The fragment shader with some of LINES, DOUBT, MARKS, FOCUS, BLOCK. */
export function fragment(features) {
  const parts = { LINES, DOUBT, FOCUS, MARKS, BLOCK: "" };
  const used = Object.keys(parts).filter((name) => features.includes(name));
  const defines = used.map((name) => `#define ${name}\n`).join("");
  return `#version 300 es\n${defines}${HEAD}${used.map((name) => parts[name]).join("")}${MAIN}`;
}
