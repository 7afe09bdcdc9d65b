// What part of the board is seen. `x`, `y`: the board's pixel at the canvas's corner; `scale`: CSS pixels a pixel.

const MARGIN = 24;

export function makeCamera() {
  const camera = { x: 0, y: 0, scale: 1, width: 1, height: 1, fitted: true };

  camera.fit = (boardWidth, boardHeight) => {
    const room = [camera.width - 2 * MARGIN, camera.height - 2 * MARGIN - 40];
    camera.scale = Math.max(0.005, Math.min(room[0] / boardWidth, room[1] / boardHeight, 4));
    camera.centre(boardWidth / 2, boardHeight / 2 + 14 / camera.scale);
    camera.fitted = true;
  };
  camera.centre = (x, y) => {
    camera.x = x - camera.width / camera.scale / 2;
    camera.y = y - camera.height / camera.scale / 2;
    camera.fitted = false;
  };
  camera.pan = (dx, dy) => {
    camera.x -= dx / camera.scale;
    camera.y -= dy / camera.scale;
    camera.fitted = false;
  };
  /** Zoom so that what is under a point of the canvas stays there. */
  camera.zoom = (factor, px = camera.width / 2, py = camera.height / 2) => {
    const scale = Math.max(0.01, Math.min(32, camera.scale * factor));
    camera.x += px / camera.scale - px / scale;
    camera.y += py / camera.scale - py / scale;
    camera.scale = scale;
    camera.fitted = false;
  };
  /** One of two fingers has gone from one point to another; the other one stays. */
  camera.pinch = (was, at, other) => {
    const spread = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
    camera.pan((at[0] - was[0]) / 2, (at[1] - was[1]) / 2);
    camera.zoom(spread(at) / spread(was), (at[0] + other[0]) / 2, (at[1] + other[1]) / 2);
  };
  /** Do not look past the rim of a board that is larger than the view. */
  camera.keepOn = (boardWidth, boardHeight) => {
    const keep = (at, room, board) => {
      const seen = room / camera.scale, past = Math.min(0.2 * seen, 80 / camera.scale);
      return board < seen ? at : Math.max(-past, Math.min(board - seen + past, at));
    };
    camera.x = keep(camera.x, camera.width, boardWidth);
    camera.y = keep(camera.y, camera.height, boardHeight);
  };
  camera.toBoard = (px, py) => [camera.x + px / camera.scale, camera.y + py / camera.scale];
  camera.toScreen = (x, y) => [(x - camera.x) * camera.scale, (y - camera.y) * camera.scale];
  return camera;
}
