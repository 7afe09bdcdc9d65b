// Doubt: the overlay, and the queue of questions.

import { html } from "./vendor/htm-preact.js";
import { answer } from "./actions.js";
import { nextQuestion, refreshAdvice } from "./advice.js";
import { set, state, useStore } from "./state.js";
import { Button, percent, Piece } from "./widgets.js";

export function DoubtPanel() {
  const [overlay, threshold, run, stage] = useStore((s) => [s.overlay, s.threshold, s.run, s.project.stage]);
  const [joined, parted] = useStore((s) => [s.project.joined, s.project.parted]);
  return html`
    <section aria-label="Doubt">
      <label class="check spread"><span>Show doubt on the board <kbd aria-hidden="true">D</kbd></span>
        <input type="checkbox" role="switch" class="switch" checked=${overlay} onChange=${(event) => {
          set({ overlay: event.target.checked });
          refreshAdvice();
        }} /></label>
      <label class="slider" aria-disabled=${!overlay}><span>Seams less sure than <output>${percent(threshold)}</output></span>
        <input type="range" min="0.05" max="1" step="0.01" value=${threshold} disabled=${!overlay}
          onInput=${(event) => set({ threshold: event.target.valueAsNumber })} /></label>
    </section>
    ${run || stage !== "solved" ? html`<p class="hint">${run ? "Questions come when the solve has ended or is stopped." : "Questions come after the first solve."}</p>` : html`<${Queue} />`}
    <p class="hint answers">${told(joined?.length ?? 0, parted?.length ?? 0)}</p>`;
}

const told = (joined, parted) =>
  joined + parted === 0
    ? "What you accept stays together and what you reject stays apart, in every solve from here on."
    : `You joined ${joined} and cut ${parted}. Solve on to use what you said.`;

function Queue() {
  const [questions, focus, picture] = useStore((s) => [s.questions, s.focus, s.picture]);
  const mine = questions?.picture === picture ? questions : null;
  if (mine && !mine.list.length)
    return html`<section class="queue"><p class="empty-title">No doubtful seams are left</p>
      <p class="hint">Every seam is surer than anyone could tell, or you have answered it.</p></section>`;
  const question = mine && focus ? mine.list[mine.at] : null;
  if (!question)
    return html`<section class="queue"><p>The seams where your eye helps most, one by one.</p>
      <${Button} icon="doubt" label="First question" keys="N" kind="primary" onClick=${() => nextQuestion(1)} /></section>`;
  return html`<${Question} question=${question} at=${mine.at} count=${mine.list.length} />`;
}

function Question({ question, at, count }) {
  const { row, column, dir, probability } = question;
  const { cells, columns } = state.pictures[state.picture];
  const first = row * columns + column, second = dir === "right" ? first + 1 : first + columns;
  return html`
    <section class="queue" aria-label="Question">
      <div class="row spread"><h2>Do these belong together?</h2><span class="hint nowrap">${at + 1} of ${count}</span></div>
      <div class=${`pair ${dir}`}><${Piece} pose=${cells[first]} size=${92} /><${Piece} pose=${cells[second]} size=${92} /></div>
      <p class="hint centre">Row ${row + 1}, column ${column + 1}, ${dir === "right" ? "to its right" : "below"}. The solver is ${percent(probability)} sure.</p>
      <div class="row two">
        <${Button} icon="check" label="Yes" keys="A" kind="good" onClick=${() => answer("accept")} />
        <${Button} icon="cut" label="No" keys="R" kind="wrong" onClick=${() => answer("reject")} />
      </div>
      <${Button} label="I cannot tell" keys="N" onClick=${() => nextQuestion(1)} />
    </section>`;
}
