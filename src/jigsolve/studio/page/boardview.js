// The board with what floats over it: the rubber band, the cost of a move, the bars below.

import { html, useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { park, selectHeld, toggleLock, turn } from "./actions.js";
import { refreshAdvice } from "./advice.js";
import { mountBoard } from "./board.js";
import { attachGestures } from "./gestures.js";
import { attachKeys, describe } from "./keys.js";
import { cancelLift, drop, isTooLarge, lift } from "./lifting.js";
import { set, state, useStore } from "./state.js";
import { Button, cost, whole } from "./widgets.js";

export function BoardView() {
  const canvas = useRef();
  const [board, setBoard] = useState(null);
  const rows = useStore((s) => s.pictures[s.picture]?.rows);
  const columns = useStore((s) => s.pictures[s.picture]?.columns);
  useEffect(() => {
    const made = (window.studio = mountBoard(canvas.current)); // for tests, and for the curious
    attachKeys(made, attachGestures(made));
    setBoard(made);
    return made.dispose;
  }, []);
  return html`
    <div class="stage">
      <canvas ref=${canvas} class="board" tabindex="0" role="application" aria-describedby="board-help"
        aria-label=${rows ? `Board of ${rows} rows and ${columns} columns` : "Board"}></canvas>
      <p id="board-help" class="away">Arrow keys go from cell to cell, Enter selects, M lifts, Enter puts down. A question mark shows all keys.</p>
      ${board && html`<${Band} /><${Carried} /><div class="bars"><${ZoomBar} board=${board} /><${ActionBar} /><${Status} /></div><${Note} note=${board.note} />`}
    </div>`;
}

function Band() {
  const band = useStore((s) => s.band);
  if (!band) return null;
  const [left, top, width, height] = band.map((n) => `${n}px`);
  return html`<div class="band" style=${{ left, top, width, height }}></div>`;
}

/** Beside the pointer, what putting the lifted pieces down here would cost. */
function Carried() {
  const [lifted, pointer] = useStore((s) => [s.lifted, s.pointer]);
  if (!lifted || lifted.cost === null || lifted.cost === undefined) return null;
  const at = pointer && state.cursor < 0 ? pointer : null;
  const style = at ? { left: `${at[0] + 16}px`, top: `${at[1] + 16}px` } : { left: "50%", top: "16px" };
  const better = lifted.cost <= 0;
  return html`<output class=${`cost-tip ${better ? "better" : "worse"}`} style=${style} aria-live="polite">
    ${better ? "−" : "+"}${cost(Math.abs(lifted.cost))} <span>${better ? "fits better" : "fits worse"}</span></output>`;
}

function ZoomBar({ board }) {
  const [zoom, lines, overlay] = useStore((s) => [s.zoom, s.lines, s.overlay]);
  const by = (factor) => () => (board.camera.zoom(factor), board.changed());
  return html`
    <div class="float zoom" role="toolbar" aria-label="View">
      <${Button} bare icon="minus" kind="ghost" label="Zoom out" keys="−" onClick=${by(0.8)} />
      <button type="button" class="button ghost number" title="One to one (1)" onClick=${board.oneToOne}>${Math.round(zoom * 100)} %</button>
      <${Button} bare icon="plus" kind="ghost" label="Zoom in" keys="+" onClick=${by(1.25)} />
      <${Button} bare icon="fit" kind="ghost" label="Fit the board" keys="0" onClick=${board.fit} />
      <i></i>
      <${Button} bare icon="grid" kind="ghost" label="Grid lines" keys="G" pressed=${lines} onClick=${() => set({ lines: !lines })} />
      <${Button} bare icon="doubt" kind="ghost" label="Doubt" keys="D" pressed=${overlay} onClick=${() => (set({ overlay: !overlay }), refreshAdvice())} />
    </div>`;
}

function ActionBar() {
  const [selection, lifted, run, compare, turns] = useStore((s) => [s.selection, s.lifted, s.run, s.compare, s.project?.turns]);
  if (run || compare) return compare ? html`<div class="float actions said">Before the last solve. Blue cells changed.</div>` : null;
  if (lifted)
    return html`<div class="float actions" role="toolbar" aria-label="Lifted">
      <span class="said">${lifted.by ? "Click a cell to put it down" : isTooLarge(lifted) ? "Too large for this picture" : "Point at a cell"}</span>
      ${lifted.by && html`<${Button} label="Put down" keys="Enter" onClick=${drop} />`}
      <${Button} label="Cancel" keys="Esc" kind="ghost" onClick=${cancelLift} /></div>`;
  if (!selection.size) return null;
  const cells = [...selection];
  return html`
    <div class="float actions" role="toolbar" aria-label=${`${selection.size} selected`}>
      <${Button} bare icon="move" kind="ghost" label="Lift and move" keys="M" onClick=${() => lift(cells, cells[0], true)} />
      ${turns !== "none" && html`
        <${Button} bare icon="left" kind="ghost" label="Turn left" keys="Q" onClick=${() => turn(-1)} />
        <${Button} bare icon="right" kind="ghost" label="Turn right" keys="E" onClick=${() => turn(1)} />`}
      <i></i>
      <${Button} bare icon="block" kind="ghost" label="All that holds together here" keys="H" onClick=${selectHeld} />
      <${Button} bare icon="lock" kind="ghost" label="Lock or unlock" keys="L" onClick=${toggleLock} />
      <${Button} bare icon="tray" kind="ghost" label="Park in the tray" keys="P" onClick=${park} />
      <i></i>
      <span class="said">${whole(selection.size)} selected</span>
    </div>`;
}

function Status() {
  const [hover, pictures, picture] = useStore((s) => [s.hover, s.pictures, s.picture]);
  const cells = pictures[picture]?.cells;
  return html`<div class="status">${hover && cells && hover.cell < cells.length ? describe(hover.cell).replace(/\.$/, "") : ""}</div>`;
}

/** What the painter cannot do in this browser, or does otherwise. */
function Note({ note }) {
  useStore((s) => [s.zoom, s.piecesMissing]);
  return note() && html`<div class="painter-note" role="note">${note()}</div>`;
}
