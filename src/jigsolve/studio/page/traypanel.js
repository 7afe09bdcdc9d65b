// The tray: pieces that lie in no picture.

import { html, useMemo } from "./vendor/htm-preact.js";
import { fitsOf } from "./advice.js";
import { cancelLift, liftPose } from "./lifting.js";
import { whereabouts } from "./poses.js";
import { state, useStore } from "./state.js";
import { Piece, whole } from "./widgets.js";

const MOST = 300; // shown at once

export function inTray(project, pictures) {
  if (!project?.pieces || !pictures.length) return []; // without a board all of them lie on the desk
  const where = whereabouts(project.pieces.count, pictures);
  const tray = [];
  where.forEach((at, piece) => at < 0 && tray.push(piece));
  return tray;
}

export function TrayPanel() {
  const [project, pictures, lifted] = useStore((s) => [s.project, s.pictures, s.lifted]);
  const tray = useMemo(() => inTray(project, pictures), [project, pictures]);
  const press = (event, piece) => {
    if (event.button !== 0 || state.run) return;
    event.target.releasePointerCapture(event.pointerId); // a finger: so that the board hears the rest of it
    liftPose(4 * piece, true);
    fitsOf(piece).catch(() => {});
  };
  const byKey = (event, piece) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    liftPose(4 * piece, true);
    document.querySelector("canvas.board")?.focus();
  };
  return html`
    <section data-tray aria-label="Tray" class="tray">
      ${!tray.length
        ? html`<div class="empty-panel"><p class="empty-title">The tray is empty</p>
            <p class="hint">Park pieces here with <kbd>P</kbd>, or drag them onto this panel. They wait until you put them back.</p></div>`
        : html`<h2>${whole(tray.length)} ${tray.length === 1 ? "piece" : "pieces"}</h2>
            <p class="hint">Drag one onto the board, or click it and then its cell.</p>
            <ol class="pieces">${tray.slice(0, MOST).map((piece) => html`
              <li key=${piece}><button type="button" class=${lifted?.pose >> 2 === piece && lifted?.pose !== undefined ? "here" : ""}
                aria-label=${`Lift piece ${piece + 1}`} onPointerDown=${(event) => press(event, piece)} onPointerCancel=${cancelLift} onKeyDown=${(event) => byKey(event, piece)}>
                <${Piece} pose=${4 * piece} size=${48} /></button></li>`)}</ol>
            ${tray.length > MOST && html`<p class="hint">and ${whole(tray.length - MOST)} more</p>`}`}
    </section>`;
}
