// Small parts that several panels use.

import { html } from "./vendor/htm-preact.js";
import { Icon } from "./icons.js";
import { pieceOf, turnOf } from "./poses.js";
import { useStore } from "./state.js";

export const Button = ({ icon, label, keys, onClick, kind = "", disabled, pressed, bare, title }) => html`
  <button type="button" class=${`button ${kind}`} onClick=${onClick} disabled=${disabled} aria-pressed=${pressed}
      aria-label=${bare ? label : undefined} title=${title ?? (bare || keys ? `${label}${keys ? ` (${keys})` : ""}` : undefined)}>
    ${icon && html`<${Icon} name=${icon} />`}${!bare && html`<span>${label}</span>`}
    ${keys && !bare && html`<kbd aria-hidden="true">${keys}</kbd>`}
  </button>`;

/** A piece, cut out of its page of the atlas. */
export function Piece({ pose, size = 44 }) {
  const [id, pieces] = useStore((s) => [s.project?.id, s.project?.pieces]);
  if (!pieces || pose < 0) return html`<span class="piece none" style=${{ width: `${size}px`, height: `${size}px` }}></span>`;
  const { width, height, count, atlas } = pieces;
  const scale = size / Math.max(width, height);
  const n = pieceOf(pose), page = Math.floor(n / atlas.perPage), k = n % atlas.perPage;
  const onPage = Math.min(atlas.perPage, count - page * atlas.perPage);
  const style = {
    width: `${width * scale}px`,
    height: `${height * scale}px`,
    backgroundImage: `url("/api/projects/${id}/pieces/${page}")`,
    backgroundPosition: `${-(k % atlas.across) * width * scale}px ${-Math.floor(k / atlas.across) * height * scale}px`,
    backgroundSize: `${atlas.across * width * scale}px ${Math.ceil(onPage / atlas.across) * height * scale}px`,
    transform: turnOf(pose) ? `rotate(${turnOf(pose) * 90}deg)` : "",
  };
  return html`<span class="piece" style=${style}></span>`;
}

export function percent(p) {
  if (p === null || p === undefined) return "–";
  if (p > 0 && p < 0.005) return "< 1 %";
  if (p < 1 && p >= 0.995) return "> 99 %";
  return `${Math.round(p * 100)} %`;
}

export const whole = (n) => (n === null || n === undefined ? "–" : Math.round(n).toLocaleString("en").replaceAll(",", "\u2009"));

/** A cost with as many digits as tell it from its like. */
export const cost = (n) =>
  n === null || n === undefined ? "–" : Math.abs(n) >= 1000 ? whole(n) : n.toFixed(Math.abs(n) >= 100 ? 1 : 2);

export function span(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds < 90) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
