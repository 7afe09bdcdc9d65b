// The selection: what can be done with it, which pieces would suit its cell, where its piece would fit.

import { html } from "./vendor/htm-preact.js";
import { act, answer, goTo, seamInMind, selectHeld } from "./actions.js";
import { isSolved } from "./advice.js";
import { describe } from "./keys.js";
import { pieceOf } from "./poses.js";
import { state, useStore } from "./state.js";
import { Button, cost, percent, Piece, whole } from "./widgets.js";

export function PiecesPanel() {
  const [selection, pictures, picture] = useStore((s) => [s.selection, s.pictures, s.picture]);
  if (!selection.size)
    return html`<div class="empty-panel"><p class="empty-title">Nothing selected</p>
      <p class="hint">Click a piece, drag a band around several, or press <kbd>H</kbd> over a place to take everything that holds together there.</p></div>`;
  if (selection.size > 1) return html`<${Several} count=${selection.size} />`;
  const [cell] = selection;
  return html`<${One} cell=${cell} pose=${pictures[picture].cells[cell]} />`;
}

function Several({ count }) {
  const seam = count === 2 ? seamInMind() : null;
  return html`
    <section aria-label="Selection">
      <h2>${whole(count)} pieces selected</h2>
      <p class="hint">Drag them, or use the bar below the board. Arrow keys move them after <kbd>M</kbd>.</p>
      ${seam && html`<div class="row two">
        <${Button} icon="check" label="Join" keys="A" onClick=${() => answer("accept", seam)} />
        <${Button} icon="cut" label="Cut" keys="X" onClick=${() => answer("reject", seam)} /></div>`}
    </section>`;
}

function One({ cell, pose }) {
  const [candidates, fits, names] = useStore((s) => [s.candidates, s.fits, s.project?.pieces?.names]);
  const piece = pose < 0 ? -1 : pieceOf(pose);
  return html`
    <section aria-label="Selection" class="one">
      <${Piece} pose=${pose} size=${72} />
      <div><h2>${pose < 0 ? "Empty cell" : `Piece ${whole(piece + 1)}`}</h2>
        <p class="hint">${describe(cell).split(":")[0]}${names && piece >= 0 ? html`<br />${names[piece]}` : ""}</p>
        ${pose >= 0 && html`<button type="button" class="link" onClick=${selectHeld}>All that holds together here</button>`}</div>
    </section>
    <${Candidates} cell=${cell} pose=${pose} found=${candidates?.cell === cell ? candidates.list : null} />
    ${piece >= 0 && html`<${Fits} piece=${piece} cell=${cell} found=${fits?.piece === piece ? fits.list : null} />`}`;
}

const unknown = () =>
  isSolved() ? "Nothing is known of it here: its seams are not priced." : "Nothing is known before the first solve.";

function Candidates({ cell, pose, found }) {
  const place = (one) => act({ kind: "place", pose: one.pose, picture: state.picture, cell });
  return html`
    <section aria-label="Candidates"><h3>Likeliest pieces for this cell</h3>
      ${!found ? html`<p class="hint">Looking…</p>` : !found.length ? html`<p class="hint">${unknown()}</p>` : html`
        <ol class="pieces">${found.map((one) => html`
          <li key=${one.pose}><button type="button" class=${one.pose === pose ? "here" : ""} onClick=${() => place(one)}
              aria-label=${`Put piece ${pieceOf(one.pose) + 1} here${one.probability === null ? "" : `, ${percent(one.probability)} sure`}`}
              title=${one.pose === pose ? "This is what lies here" : `Piece ${pieceOf(one.pose) + 1}, cost ${cost(one.cost)}`}>
            <${Piece} pose=${one.pose} size=${48} /><small>${one.probability === null ? cost(one.cost) : percent(one.probability)}</small>
          </button></li>`)}</ol>`}
    </section>`;
}

function Fits({ piece, cell, found }) {
  return html`
    <section aria-label="Places"><h3>Where this piece would fit</h3>
      ${!found ? html`<p class="hint">Looking…</p>` : !found.length ? html`<p class="hint">${unknown()}</p>` : html`
        <ul class="places">${found.map((one) => html`<${Place} ...${{ one, piece, cell }} />`)}</ul>`}
    </section>`;
}

function Place({ one, piece, cell }) {
  const { columns } = state.pictures[one.picture] ?? { columns: 1 };
  const words = `row ${Math.floor(one.cell / columns) + 1}, column ${(one.cell % columns) + 1}`;
  const here = one.picture === state.picture && one.cell === cell;
  const put = () => act({ kind: "place", pose: 4 * piece + one.turn, picture: one.picture, cell: one.cell });
  return html`
    <li><button type="button" class="link" onClick=${() => goTo(one.picture, one.cell)} title="Show this place">${state.pictures.length > 1 ? `picture ${one.picture + 1}, ` : ""}${words}</button>
      <span class="hint">${one.probability === null ? cost(one.cost) : percent(one.probability)}</span>
      ${here ? html`<span class="hint">here</span>` : html`<${Button} label="Put" kind="small" onClick=${put} />`}</li>`;
}
