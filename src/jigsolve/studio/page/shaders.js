// The board in one quad: a fragment looks up its cell, its piece, and draws what is marked there.

export const VERTEX = `#version 300 es
uniform vec2 view;      // device pixels of the canvas
uniform vec2 origin;    // where the board's corner is, y downwards
uniform vec2 extent;    // how large the board is
out vec2 at;            // device pixels from the board's corner
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  at = corner * extent;
  vec2 place = (origin + at) / view;
  gl_Position = vec4(place.x * 2.0 - 1.0, 1.0 - place.y * 2.0, 0, 1);
}`;

export const FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
precision mediump sampler2DArray;
uniform highp isampler2D board;   // pose, marks
uniform sampler2DArray pages;
uniform ivec2 size;        // columns, rows
uniform vec2 cell;         // device pixels of a cell
uniform vec2 piece;        // texels of a piece
uniform vec2 slot;         // texels from one piece to the next
uniform vec2 page;         // texels of a page
uniform ivec2 atlas;       // pieces a row, pieces a page
uniform int loaded;        // pages that are there
uniform float level;       // of the mipmaps
uniform float px;          // device pixels of a CSS pixel
uniform float lines;       // opacity of grid lines
uniform float overlay;     // 1 where doubt is shown
uniform float threshold;
uniform float differences; // 1 where cells that differ are shown
uniform float opacity;
uniform ivec3 focus;       // column, row, 0 right or 1 below; -1 for none
uniform ivec2 cursor;
uniform vec3 paper, ink, accent, wrong, good, faint, strong;
in vec2 at;
out vec4 color;

bool has(int marks, int bit) { return (marks & bit) != 0; }
float byteOf(int marks, int shift) { return float((marks >> shift) & 255) / 254.0; }
int marksAt(ivec2 c) {
  if (any(lessThan(c, ivec2(0))) || any(greaterThanEqual(c, size))) return 0;
  return texelFetch(board, c, 0).g;
}
// How much a seam is in doubt, 0 where it is surer than the threshold or unknown.
float doubtful(float sure) {
  return sure > 1.0 || sure >= threshold ? 0.0 : 0.35 + 0.65 * (1.0 - sure / threshold);
}
vec3 emptyCell(vec2 p) {
  float stripe = step(0.5, fract((p.x + p.y) / (10.0 * px)));
  return mix(paper, ink, 0.05 + 0.04 * stripe);
}
// A joined seam is a bead across it, a parted one a gap with bars: both shown along the middle of the seam.
vec3 answer(vec3 rgb, int marks, int joined, int parted, float away, float along, float across) {
  float w = clamp(across * 0.07, 1.5 * px, 4.0 * px);
  if (has(marks, joined) && abs(along - 0.5) < 0.22 && away < w) return good;
  if (has(marks, parted) && away < w) return fract(along * 4.0 + 0.25) < 0.5 ? wrong : paper;
  return rgb;
}

void main() {
  vec2 b = at / cell;
  ivec2 c = clamp(ivec2(floor(b)), ivec2(0), size - 1);
  vec2 f = clamp(b - vec2(c), 0.0, 1.0);
  ivec2 here = texelFetch(board, c, 0).rg;
  int pose = here.r, marks = here.g;
  vec3 rgb;
  if (pose < 0) {
    if (opacity < 1.0) discard;
    rgb = emptyCell(at);
  } else {
    int n = pose >> 2, turn = pose & 3;
    vec2 g = turn == 0 ? f : turn == 1 ? vec2(f.y, 1.0 - f.x) : turn == 2 ? 1.0 - f : vec2(1.0 - f.y, f.x);
    float edge = 0.5 * exp2(level);
    vec2 texel = clamp(g * piece, vec2(min(edge, piece.x * 0.5), min(edge, piece.y * 0.5)), max(piece - edge, piece * 0.5));
    int layer = n / atlas.y, k = n - layer * atlas.y;
    vec2 uv = (vec2(k % atlas.x, k / atlas.x) * slot + texel) / page;
    rgb = layer < loaded ? textureLod(pages, vec3(uv, layer), level).rgb : mix(paper, ink, 0.12);
  }
  if (has(marks, ${4 /* LIFTED */})) rgb = mix(rgb, emptyCell(at), 0.8);

  vec2 low = f * cell, high = cell - low;        // device pixels from the four edges
  float shortest = min(cell.x, cell.y);
  if (overlay > 0.0) {
    float grey = dot(rgb, vec3(0.299, 0.587, 0.114));
    float sure = byteOf(marks, 24), doubt = doubtful(sure);
    rgb = mix(rgb, mix(vec3(grey), paper, 0.15), 0.8);   // colours are for doubt
    rgb = mix(rgb, mix(faint, strong, doubt), 0.45 * doubt);
    float w = clamp(shortest * 0.09, 1.0, 5.0 * px);
    if (shortest > 5.0) {
      float seam = 0.0;
      if (high.x < w) seam = max(seam, doubtful(byteOf(marks, 8)));
      if (high.y < w) seam = max(seam, doubtful(byteOf(marks, 16)));
      if (low.x < w && c.x > 0) seam = max(seam, doubtful(byteOf(marksAt(c - ivec2(1, 0)), 8)));
      if (low.y < w && c.y > 0) seam = max(seam, doubtful(byteOf(marksAt(c - ivec2(0, 1)), 16)));
      if (seam > 0.0) rgb = mix(rgb, mix(faint, strong, seam), 0.4 + 0.6 * seam);
    }
  }
  if (lines > 0.0 && shortest > 5.0 && min(low.x, low.y) < max(1.0, 0.5 * px)) rgb = mix(rgb, ink, lines);
  if (differences > 0.0 && has(marks, 8)) {
    rgb = mix(rgb, accent, 0.3);
    if (min(min(low.x, low.y), min(high.x, high.y)) < px) rgb = accent;
  }
  if (shortest > 5.0) {
    float reach = clamp(shortest * 0.07, 1.5 * px, 4.0 * px);
    if (high.x < reach) rgb = answer(rgb, marks, 16, 64, high.x, f.y, shortest);
    if (high.y < reach) rgb = answer(rgb, marks, 32, 128, high.y, f.x, shortest);
    if (low.x < reach && c.x > 0) rgb = answer(rgb, marksAt(c - ivec2(1, 0)), 16, 64, low.x, f.y, shortest);
    if (low.y < reach && c.y > 0) rgb = answer(rgb, marksAt(c - ivec2(0, 1)), 32, 128, low.y, f.x, shortest);
  }
  if (has(marks, 1)) {                           // locked: a corner, with a padlock where there is room
    float corner = clamp(shortest * 0.34, 3.0, 18.0 * px);
    vec2 q = vec2(high.x, low.y);
    if (q.x + q.y < corner * 1.25) rgb = accent;
    if (shortest > 34.0 * px) {
      vec2 k = vec2(5.8 - q.x / px, q.y / px - 6.2);
      bool body = abs(k.x) < 3.0 && k.y > -0.5 && k.y < 3.2;
      float ring = length(k - vec2(0.0, -1.0));
      if (body || (ring < 2.4 && ring > 1.2 && k.y < 0.0)) rgb = vec3(1);
    }
  }
  if (has(marks, 2)) {                           // selected: tinted, with a line around the whole selection
    rgb = mix(rgb, accent, 0.22);
    float w = 2.0 * px;
    bool rim = (low.x < w && !has(marksAt(c - ivec2(1, 0)), 2)) || (high.x < w && !has(marksAt(c + ivec2(1, 0)), 2))
      || (low.y < w && !has(marksAt(c - ivec2(0, 1)), 2)) || (high.y < w && !has(marksAt(c + ivec2(0, 1)), 2));
    if (rim) rgb = accent;
  }
  if (focus.x >= 0) {                            // the seam that is asked about
    vec2 first = vec2(focus.xy) * cell;
    vec2 second = first + (focus.z == 0 ? vec2(cell.x * 2.0, cell.y) : vec2(cell.x, cell.y * 2.0));
    vec2 outside = max(max(first - at, at - second), 0.0);
    float away = max(outside.x, outside.y);
    if (away > 0.0) {
      rgb = mix(rgb, paper, 0.42);
      if (away < 2.0 * px) rgb = accent;
      else if (away < 3.5 * px) rgb = paper;
    } else {
      vec2 line = focus.z == 0 ? vec2(first.x + cell.x, first.y) : vec2(first.x, first.y + cell.y);
      float off = focus.z == 0 ? abs(at.x - line.x) : abs(at.y - line.y);
      float along = focus.z == 0 ? (at.y - line.y) / cell.y : (at.x - line.x) / cell.x;
      float tick = min(along, 1.0 - along);
      if (tick < 0.14 && off < 1.5 * px) rgb = accent;
    }
  }
  if (cursor == c) {
    float rim = min(min(low.x, low.y), min(high.x, high.y));
    if (rim < 2.0 * px) rgb = accent;
    else if (rim < 3.5 * px) rgb = vec3(1);
  }
  color = vec4(rgb * opacity, opacity);
}`;
