// Doubt: the overlay, and the queue of questions.

import { html } from "./vendor/htm-preact.js";
import { solve } from "./actions.js";
import { refreshAdvice } from "./advice.js";
import { pieceOf } from "./poses.js";
import { inWords, judge, liftBlock, nextQuestion, pick } from "./queue.js";
import { set, state, useStore } from "./state.js";
import { Button, percent, Piece, whole } from "./widgets.js";

export function DoubtPanel() {
  const [overlay, threshold, run, stage] = useStore((s) => [s.overlay, s.threshold, s.run, s.project?.stage]);
  const [joined, parted, locked] = useStore((s) => [s.project?.joined, s.project?.parted, s.project?.locked]);
  const said = [joined, parted, locked].map((each) => each?.length ?? 0);
  const isOver = !run && stage === "solved";
  return html`
    <section aria-label="Doubt">
      <label class="check spread"><span>Show doubt on the board <kbd aria-hidden="true">D</kbd></span>
        <input type="checkbox" role="switch" class="switch" checked=${overlay} onChange=${(event) => {
          set({ overlay: event.target.checked });
          refreshAdvice();
        }} /></label>
      <label class="slider" aria-disabled=${!overlay}><span>Seams less sure than <b>${percent(threshold)}</b></span>
        <input type="range" aria-label="Seams less sure than" aria-valuetext=${percent(threshold)} min="0.05" max="1" step="0.01" value=${threshold} disabled=${!overlay}
          onInput=${(event) => set({ threshold: event.target.valueAsNumber })} /></label>
    </section>
    ${isOver ? html`<${Queue} />` : html`<p class="hint">${run ? "Questions come when the solve has ended or is stopped." : "Questions come after the first solve."}</p>`}
    <p class="hint answers">${told(...said)}</p>
    ${isOver && said.some(Boolean) && html`<section>
      <${Button} icon="play" label="Touch up near your answers" keys="T" onClick=${() => solve("near")} />
      <p class="hint">Seconds: only what lies around the last answers is solved on. Solve on for all of it.</p></section>`}`;
}

const told = (joined, parted, locked) =>
  joined + parted + locked === 0
    ? "What you accept stays together, what you reject stays apart and what you lock stays where it is, in every solve from here on."
    : `You joined ${joined} and cut ${parted} ${parted === 1 ? "seam" : "seams"} and locked ${locked} ${locked === 1 ? "piece" : "pieces"}.`;

function Queue() {
  const [questions, focus, picture, asking] = useStore((s) => [s.questions, s.focus, s.picture, s.asking]);
  const mine = questions?.picture === picture ? questions : null;
  if (mine && !mine.list.length)
    return html`<section class="queue"><p class="empty-title">No questions are left</p>
      <p class="hint">All is surer than anyone could tell, or you have answered it.</p></section>`;
  const question = mine && focus ? mine.list[mine.at] : null;
  if (!question && asking)
    return html`<section class="queue" aria-busy="true"><p>Looking for the most useful question…</p><progress aria-label="Looking"></progress></section>`;
  if (!question)
    return html`<section class="queue"><p>Where your eye helps most, one question at a time.</p>
      <${Button} icon="doubt" label="First question" keys="N" kind="primary" onClick=${() => nextQuestion(1)} /></section>`;
  return html`<${Question} question=${question} at=${mine.at} count=${mine.list.length} />`;
}

const ASKED = { seam: SeamQuestion, piece: PieceQuestion, block: BlockQuestion };

function Question({ question, at, count }) {
  const Asked = ASKED[question.kind];
  return html`
    <section class="queue" aria-label="Question">
      <${Asked} question=${question} counted=${html`<span class="hint nowrap">${at + 1} of ${count}</span>`} />
      <${Button} label="I cannot tell" keys="N" onClick=${() => nextQuestion(1)} />
    </section>`;
}

const Heading = ({ words, counted }) => html`<div class="row spread"><h2>${words}</h2>${counted}</div>`;

const where = (row, column) => `row ${row + 1}, column ${column + 1}`;

function SeamQuestion({ question, counted }) {
  const { row, column, dir, probability } = question;
  const { cells, columns } = state.pictures[state.picture];
  const first = row * columns + column, second = dir === "right" ? first + 1 : first + columns;
  return html`
    <${Heading} words="Do these belong together?" counted=${counted} />
    <div class=${`pair ${dir}`}><${Piece} pose=${cells[first]} size=${92} /><${Piece} pose=${cells[second]} size=${92} /></div>
    <p class="hint centre">Row ${row + 1}, column ${column + 1}, ${dir === "right" ? "to its right" : "below"}. The solver is ${percent(probability)} sure.</p>
    <div class="row two">
      <${Button} icon="check" label="Yes" keys="A" kind="good" onClick=${() => judge("accept")} />
      <${Button} icon="cut" label="No" keys="R" kind="wrong" onClick=${() => judge("reject")} />
    </div>`;
}

const DIGITS = 9;

function PieceQuestion({ question, counted }) {
  const { row, column, beside, candidates, probability } = question;
  const { cells, columns } = state.pictures[state.picture];
  const here = cells[row * columns + column];
  const isAcross = beside[0] === row, isAfter = beside[0] + beside[1] < row + column;
  const pair = [cells[beside[0] * columns + beside[1]], here];
  return html`
    <${Heading} words="Which piece belongs here?" counted=${counted} />
    <div class=${`pair ${isAcross ? "right" : "below"}`}>${(isAfter ? pair : pair.reverse()).map((pose, i) => html`
      <span class=${(i === 1) === isAfter ? "asked" : ""}><${Piece} pose=${pose} size=${72} /></span>`)}</div>
    <p class="hint centre">In the frame, ${where(row, column)}. The solver is ${percent(probability)} sure that it is one of these.</p>
    <div class="row two">
      <${Button} icon="check" label="Right" keys="A" kind="good" onClick=${() => judge("accept")} />
      <${Button} icon="cut" label="None of these" keys="R" kind="wrong" onClick=${() => judge("reject")} />
    </div>
    <ol class="pieces" aria-label="Pieces that may belong here">${candidates.map((one, i) => html`
      <li key=${one.pose}><button type="button" class=${one.pose === here ? "here" : ""} onClick=${() => pick(i)}
          aria-label=${`Piece ${pieceOf(one.pose) + 1}, ${percent(one.probability)}${one.pose === here ? ", which lies here" : ""}`}
          title=${one.pose === here ? "This is what lies here" : `Piece ${pieceOf(one.pose) + 1}`}>
        <${Piece} pose=${one.pose} size=${48} /><small>${i < DIGITS && html`<kbd aria-hidden="true">${i + 1}</kbd> `}${percent(one.probability)}</small>
      </button></li>`)}</ol>`;
}

function BlockQuestion({ question, counted }) {
  const [count, lifted] = useStore((s) => [s.selection.size, s.lifted]);
  return html`
    <${Heading} words="Does this block lie where it belongs?" counted=${counted} />
    <p>${lifted ? "Put it where it belongs: click there, or arrows and Enter." : inWords(question)}</p>
    <p class="hint">Ctrl and click takes a piece out of it, or into it: ${whole(count)} ${count === 1 ? "piece" : "pieces"}.</p>
    <div class="row two">
      <${Button} icon="check" label="It does" keys="A" kind="good" onClick=${() => judge("accept")} />
      <${Button} icon="move" label="Move it" keys="M" kind="wrong" onClick=${liftBlock} />
    </div>`;
}
