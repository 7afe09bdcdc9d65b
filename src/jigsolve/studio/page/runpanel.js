// How the solve goes, or what came of it.

import { html, useState } from "./vendor/htm-preact.js";
import { price, solve, stop } from "./actions.js";
import { hasBefore } from "./shown.js";
import { set, useStore } from "./state.js";
import { Button, cost, percent, span, whole } from "./widgets.js";

export function RunPanel() {
  const [run, stage] = useStore((s) => [s.run, s.project?.stage]);
  if (run) return html`<${Running} run=${run} />`;
  return stage === "cut" ? html`<${NotYet} />` : html`<${Result} />`;
}

/** The stages of reading and of solving, for people. */
export const STAGES = {
  starting: "Starting", reading: "Reading", kernels: "Loading the solver", colours: "Comparing colours",
  seams: "Pricing seams", means: "Pricing seams", gradients: "Pricing seams", traces: "Looking for traces",
  network: "Pricing seams by the network", modules: "Looking for a code", pictures: "Telling pictures apart",
  boards: "Finding the board", turns: "Looking for turned pieces", segments: "Joining segments", evolution: "Evolving", generations: "Evolving",
  annealing: "Repairing faint places",
};

function Running({ run }) {
  const { job, stage, done, total, rate, left, curve = [] } = run, isFound = curve.length > 0;
  const known = total > 0, words = STAGES[stage] ?? stage;
  const started = done || rate;
  return html`
    <section class="run" aria-label="Solve">
      <div class="row spread">
        <h2>${words}</h2>
        <${Button} icon="stop" label="Stop" keys="Esc" onClick=${stop} />
      </div>
      <progress max=${known ? total : undefined} value=${known ? done : undefined} aria-label=${words}></progress>
      <dl class="figures">
        <div><dt>done</dt><dd>${known ? `${whole(done)} of ${whole(total)}` : started ? whole(done) : "–"}</dd></div>
        <div><dt>a second</dt><dd>${rate ? (rate < 10 ? rate.toFixed(1) : whole(rate)) : "–"}</dd></div>
        <div><dt>time left</dt><dd>${span(left)}</dd></div>
      </dl>
      ${job !== "price" && html`<${Curve} curve=${curve} />`}
      <p class="hint">${job === "price" ? "Nothing is moved: it is found out how sure what lies there is." : stage === "kernels" ? "The first solve after installing compiles it, up to a minute." : isFound ? "Stopping keeps the best so far." : "Nothing is found yet: what lies there stays if you stop now."}</p>
    </section>`;
}

/** The cost over time. */
function Curve({ curve }) {
  const points = curve.filter(([, value]) => Number.isFinite(value));
  if (points.length < 2) return html`<div class="curve waiting"><span class="hint">${points.length ? `cost ${cost(points[0][1])}, nothing better yet` : "The cost appears here as it falls."}</span></div>`;
  const [w, h] = [280, 88];
  const last = points.at(-1);
  const values = points.map((p) => p[1]);
  const low = values.reduce((a, b) => Math.min(a, b)), high = values.reduce((a, b) => Math.max(a, b));
  const x = (seconds) => ((seconds - points[0][0]) / (last[0] - points[0][0] || 1)) * w;
  const y = (value) => 6 + (1 - (value - low) / (high - low || 1)) * (h - 12);
  const step = Math.max(1, Math.floor(points.length / 300));
  const path = points.filter((_, i) => i % step === 0 || i === points.length - 1).map((p) => `${x(p[0]).toFixed(1)},${y(p[1]).toFixed(1)}`);
  return html`
    <figure class="curve">
      <svg viewBox=${`0 0 ${w} ${h}`} preserveAspectRatio="none" role="img" aria-label=${`Cost, from ${cost(points[0][1])} to ${cost(last[1])}`}>
        <polygon points=${`0,${h} ${path.join(" ")} ${w},${h}`} />
        <polyline points=${path.join(" ")} />
      </svg>
      <figcaption><span>cost ${cost(last[1])}</span><span>${span(last[0])}</span></figcaption>
    </figure>`;
}

function NotYet() {
  const [hasBoard, tiles] = useStore((s) => [s.pictures.length > 0, s.project?.source?.kind === "tiles"]);
  return html`
    <section class="run" aria-label="Solve">
      <h2>Ready to solve</h2>
      <p class="hint">The pieces lie as they came. ${hasBoard
        ? "You can lock or place some first: a solve keeps what you fix."
        : "A solve sorts them into pictures; then you can move and lock them."}</p>
      <${Solving} label="Solve" />
      <${Notes} />
      <button type="button" class="link" onClick=${() => set({ regrid: true })}>Correct ${tiles ? "what these tiles are" : "the grid"}</button>
    </section>`;
}

const LIMITS = [["", "no limit"], ["10", "10 s"], ["60", "1 min"], ["300", "5 min"], ["1800", "30 min"], ["7200", "2 h"]];

function Solving({ label }) {
  const [limit, setLimit] = useState("");
  const chosen = useStore((s) => s.selection.size);
  const seconds = limit ? Number(limit) : null;
  return html`
    <div class="row wrap">
      <${Button} icon="play" label=${label} keys="S" kind="primary" onClick=${() => solve("all", seconds)} />
      ${chosen > 1 && html`<${Button} label=${`Only these ${whole(chosen)}`} title="Solve the selection (Shift + S)" onClick=${() => solve("selection", seconds)} />`}
      <label class="inline">
        <select aria-label="Time limit" title="Time limit" onChange=${(event) => setLimit(event.target.value)}>
          ${LIMITS.map(([value, words]) => html`<option value=${value} selected=${value === limit}>${words}</option>`)}
        </select></label>
    </div>`;
}

/** What the solver had to say. */
function Notes() {
  const messages = useStore((s) => s.project?.messages);
  return messages?.length > 0 && html`<ul class="notes">${messages.slice(-3).map((text) => html`<li>${text}</li>`)}</ul>`;
}

function Result() {
  const [project, compare, several] = useStore((s) => [s.project, s.compare, s.pictures.length > 1]);
  const before = useStore(hasBefore);
  const { cost: now, believed, previous } = project;
  const known = previous && previous.cost !== null && now !== null;
  const change = known && Math.abs(now - previous.cost) >= 0.005 ? now - previous.cost : null;
  return html`
    <section class="run" aria-label="Result">
      <dl class="figures two">
        <div><dt>believed right${several && ", in all"}</dt><dd class="large">${percent(believed)}</dd>
          ${previous?.believed !== undefined && previous?.believed !== null && html`<dd class="was">before ${percent(previous.believed)}</dd>`}</div>
        <div><dt>cost${several && ", in all"}</dt><dd class="large">${cost(now)}</dd>
          ${change !== null && html`<dd class=${`was ${change <= 0 ? "better" : "worse"}`}>${change <= 0 ? "−" : "+"}${cost(Math.abs(change))} since the last</dd>`}</div>
      </dl>
      ${now === null && html`<p class="hint">What its seams cost is not known: ${several ? "a piece of another picture lies there, or they were never priced." : "they were never priced."}</p>
        <${Button} label="Price the seams" onClick=${price} title="Nothing is moved" />`}
      <${Solving} label="Solve on" />
      ${several && html`<p class="hint">Each picture is solved on by itself, with its own pieces.</p>`}
      <${Notes} />
      ${before && html`
        <${Button} icon="compare" label=${compare ? "Shown: before the solve" : "Compare with before"} keys="C" pressed=${compare}
          onClick=${() => set({ compare: !compare })} />`}
    </section>`;
}
