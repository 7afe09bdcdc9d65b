// Icons, drawn on a 16 by 16 grid with one line width.

import { html } from "./vendor/htm-preact.js";

const PATHS = {
  undo: "M6 3 2.5 6.5 6 10M3 6.5h6a4 4 0 0 1 0 8H6",
  redo: "M10 3l3.5 3.5L10 10M13 6.5H7a4 4 0 0 0 0 8h3",
  play: "M5 3.2v9.6l8-4.8z",
  stop: "M4 4h8v8H4z",
  help: "M6 6.2a2 2 0 1 1 2.8 1.9c-.6.3-.8.7-.8 1.4M8 12v.1M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13z",
  sun: "M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  moon: "M13.5 9.8A6 6 0 0 1 6.2 2.5a6 6 0 1 0 7.3 7.3z",
  auto: "M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM8 1.5v13M8 4l4 2M8 7.5l6 .5M8 11l4.5 0",
  export: "M8 2v8M5 7l3 3 3-3M2.5 11.5v2h11v-2",
  compare: "M8 1.5v13M6 4H2.5v8H6M10 4h3.5v8H10",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  grid: "M2.5 2.5h11v11h-11zM2.5 6.2h11M2.5 9.8h11M6.2 2.5v11M9.8 2.5v11",
  doubt: "M1.5 8S4 3.5 8 3.5 14.500 8 14.500 8 12 12.500 8 12.500 1.500 8 1.500 8zM8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
  panel: "M2 3h12v10H2zM10 3v10",
  lock: "M4 7.500h8v6H4zM5.500 7.500V5a2.500 2.500 0 0 1 5 0v2.500",
  move: "M8 1.500v13M1.500 8h13M6 3.500l2-2 2 2M6 12.500l2 2 2-2M3.500 6l-2 2 2 2M12.500 6l2 2-2 2",
  left: "M3 3v4h4M3.300 7a5.200 5.200 0 1 1-.3 3",
  right: "M13 3v4H9M12.700 7a5.200 5.200 0 1 0 .3 3",
  tray: "M2 9h3.500l1 2h3l1-2H14v4.500H2zM8 2v5M6 5l2 2 2-2",
  block: "M2.500 2.500h5v5h-5zM8.500 2.500h5v5h-5zM2.500 8.500h5v5h-5z",
  cut: "M8 1.500v3M8 6.500v3M8 11.500v3M2 5v6h3M14 5v6h-3M2 5h3M14 5h-3",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3 8.500l3.500 3.500L13 4.500",
  back: "M10 3 5 8l5 5",
  forth: "M6 3l5 5-5 5",
  picture: "M2 3h12v10H2zM2 11l3.500-3.500L8 10l2.500-3L14 11M5.500 6v.1",
  folder: "M1.500 4h4.500l1.500 1.500h7V13h-13z",
  trash: "M3 4.500h10M6 4.500v-2h4v2M4.500 4.500l.5 9h6l.5-9",
};

export const Icon = ({ name }) => html`
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d=${PATHS[name]} /></svg>`;
