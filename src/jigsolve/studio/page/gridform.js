// What was detected, in fields that can be corrected.

import { html } from "./vendor/htm-preact.js";
import { Button, percent, whole } from "./widgets.js";

/** How many pieces fit a line of pixels. */
export function along(length, start, piece, gap) {
  const extent = length - start + gap, pitch = piece + gap;
  const nearest = Math.round(extent / pitch);
  // Pieces of a scaled picture are no whole pixels, and their size is rounded: they may end a little past the rim.
  const fills = pitch % 1 && Math.abs(extent - nearest * pitch) <= 1 + 0.05 * nearest;
  return Math.max(0, fills ? nearest : Math.floor(extent / pitch));
}

const sentence = (text) => text && `${text[0].toUpperCase()}${text.slice(1)}.`;

const TURNS = [["none", "not turned"], ["half", "by half a turn"], ["quarter", "by quarter turns"]];

export function GridForm({ project, grid, change, confirm, cancel, busy }) {
  const { source, detection } = project;
  const picture = source.kind === "picture";
  const number = (label, value, set, least = 0, step = "any") => html`
    <label class="field"><span>${label}</span>
      <input type="number" min=${least} step=${step} value=${value} onInput=${(event) => {
        const typed = event.target.valueAsNumber;
        if (event.target.validity.valid && Number.isFinite(typed)) set(typed);
      }} /></label>`;
  const at = (list, i, value) => list.map((old, k) => (k === i ? value : old));
  const cut = picture && [along(source.width, grid.start[0], grid.piece[0], grid.gap), along(source.height, grid.start[1], grid.piece[1], grid.gap)];
  const count = picture ? cut[0] * cut[1] : project.pieces?.count ?? 0;
  const fillsBoard = !grid.board || grid.pictures !== 1 || grid.board[0] * grid.board[1] >= count;
  const submit = (event) => {
    event.preventDefault();
    if (count) confirm();
  };
  return html`
    <form class="grid-form" onSubmit=${submit}>
      <section>
        <h2>${picture ? "Is this how it was cut?" : "What these tiles are"}</h2>
        <p class="hint">${sentence(detection?.message) || (picture ? "Check the grid over the picture. Drag a line to correct it, or type." : "Check what was found, then go on.")}
          ${picture && detection?.confidence > 0 && html` <span class="nowrap">${percent(detection.confidence)} sure.</span>`}</p>
        <p class="figure"><strong>${whole(count)}</strong> pieces${picture && html` <span class="hint">${cut[0]} across, ${cut[1]} down</span>`}</p>
      </section>
      ${picture && html`
        <fieldset><legend>Piece</legend>
          ${number("Width", grid.piece[0], (value) => change({ piece: at(grid.piece, 0, value) }), 2)}
          ${number("Height", grid.piece[1], (value) => change({ piece: at(grid.piece, 1, value) }), 2)}
          ${number("Starts at x", grid.start[0], (value) => change({ start: at(grid.start, 0, value) }))}
          ${number("Starts at y", grid.start[1], (value) => change({ start: at(grid.start, 1, value) }))}
          ${number("Gap between", grid.gap, (value) => change({ gap: value }))}
        </fieldset>`}
      <fieldset><legend>What it becomes</legend>
        <label class="field wide"><span>Pieces are</span>
          <select value=${grid.turns} onChange=${(event) => change({ turns: event.target.value })}>
            ${TURNS.map(([value, words]) => html`<option value=${value} selected=${grid.turns === value} disabled=${value === "quarter" && grid.piece && grid.piece[0] !== grid.piece[1]}>${words}</option>`)}
          </select></label>
        <label class="field wide"><span>Pictures</span>
          <input type="number" min="1" placeholder="find out" value=${grid.pictures ?? ""}
            onInput=${(event) => change({ pictures: event.target.value === "" ? null : Math.max(1, Math.round(event.target.valueAsNumber)) })} /></label>
        ${grid.pictures === 1 && html`<label class="check"><input type="checkbox" checked=${grid.board === null}
            onChange=${(event) => change({ board: event.target.checked ? null : cut || detection?.board || [count, 1] })} />
          Find the shape of the board</label>`}
        ${grid.pictures === 1 && grid.board && html`
          ${number("Columns", grid.board[0], (value) => change({ board: at(grid.board, 0, value) }), 1, 1)}
          ${number("Rows", grid.board[1], (value) => change({ board: at(grid.board, 1, value) }), 1, 1)}`}
        ${!fillsBoard && html`<p class="warning">${whole(count)} pieces do not fit on ${grid.board[0]} × ${grid.board[1]} cells.</p>`}
      </fieldset>
      <${Alternatives} detection=${detection} change=${change} />
      <div class="row confirm">
        <button type="submit" class="button primary" disabled=${!count || busy}>${!picture ? "Go on" : busy ? "Cutting…" : "Cut the pieces"}</button>
        ${cancel && html`<${Button} label="Leave as it is" onClick=${cancel} />`}
      </div>
    </form>`;
}

/** Other sizes that were thought of. */
function Alternatives({ detection, change }) {
  const others = (detection?.alternatives ?? []).filter((one) => one.piece).slice(0, 5);
  if (!others.length) return null;
  return html`
    <fieldset><legend>Or rather</legend><div class="row wrap">
      ${others.map((one) => html`<${Button} label=${one.piece.join(" × ")}
        onClick=${() => change({ piece: one.piece, start: one.start ?? [0, 0], gap: one.gap ?? 0, board: one.board ?? null })} />`)}
    </div></fieldset>`;
}
