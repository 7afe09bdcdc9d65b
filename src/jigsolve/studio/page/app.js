// The page: which of its views is shown, and what is said above them all.

import { html, useEffect } from "./vendor/htm-preact.js";
import { importSolution } from "./actions.js";
import { BoardView } from "./boardview.js";
import { GridView } from "./gridview.js";
import { Help } from "./help.js";
import { Home } from "./home.js";
import { Icon } from "./icons.js";
import { Panel } from "./panel.js";
import { STAGES } from "./runpanel.js";
import { dismiss, set, state, useStore } from "./state.js";
import { TopBar } from "./topbar.js";
import { dropped, openFiles } from "./upload.js";

export function App() {
  const [help, open] = useStore((s) => [s.help, Boolean(s.project || s.opening)]);
  useEffect(acceptDrops, []);
  useEffect(() => {
    window.addEventListener("keydown", (event) => {
      if (event.key === "?" && !event.target.closest?.("input, textarea")) set({ help: !state.help });
    });
  }, []);
  return html`
    <${TopBar} />
    <${Banner} />
    ${open ? html`<${Project} />` : html`<${Home} />`}
    <${Toasts} />
    <${Live} />
    ${help && html`<${Help} />`}`;
}

function Project() {
  const [stage, regrid, panel] = useStore((s) => [s.project?.stage, s.regrid, s.panel]);
  if (stage === undefined) return html`<${Waiting} title="Opening the project" />`;
  if (stage === "empty") return html`<${Empty} />`;
  if (stage === "reading") return html`<${Reading} />`;
  if (stage === "grid" || regrid) return html`<${GridView} key=${regrid} />`;
  return html`<div class="work"><${BoardView} />${panel && html`<${Panel} />`}</div>`;
}

const Waiting = ({ title, hint }) => html`<main class="empty"><p class="empty-title">${title}</p><p class="hint">${hint}</p></main>`;

function Empty() {
  const why = useStore((s) => s.project?.messages?.at(-1));
  return html`<main class="empty"><p class="empty-title">${why ? "It could not be opened" : "Nothing in it yet"}</p>
    <p class="hint">${why ?? "The files of this project were never sent whole."}</p>
    <a class="button" href="#">Open something else</a></main>`;
}

function Reading() {
  const run = useStore((s) => s.run);
  return html`<main class="empty"><p class="empty-title">${STAGES[run?.stage] ?? "Reading the pieces"}</p>
    <progress max=${run?.total || undefined} value=${run?.total ? run.done : undefined} aria-label="Reading"></progress>
    <p class="hint">${run?.stage === "kernels" ? "The first time after installing it is compiled, up to a minute." : "What it was cut into is found out, for you to check. This takes a while for many pieces."}</p></main>`;
}

function Banner() {
  const connection = useStore((s) => s.connection);
  if (connection === "lost")
    return html`<div class="banner" role="alert"><span class="spinner"></span>
      The studio does not answer. Your work is saved; this page goes on as soon as it is back. If you stopped it, start <code>jigsolve studio</code> again.</div>`;
  if (connection === "refused")
    return html`<div class="banner" role="alert">The studio was started anew and does not know this page. Open the address that it printed.</div>`;
  return null;
}

function Toasts() {
  const toasts = useStore((s) => s.toasts);
  return html`<div class="toasts">${toasts.map(({ id, text, kind }) => html`
    <div key=${id} class=${`toast ${kind}`} role=${kind === "error" ? "alert" : "status"}>
      <span>${text}</span><button type="button" aria-label="Dismiss" onClick=${() => dismiss(id)}><${Icon} name="close" /></button>
    </div>`)}</div>`;
}

/** For screen readers: what has just happened. */
function Live() {
  const said = useStore((s) => s.said);
  return html`<div class="away" role="status" aria-live="polite">${said}</div>`;
}

/** Anything dropped anywhere on the page is opened. */
function acceptDrops() {
  const over = (event) => event.preventDefault();
  const drop = async (event) => {
    event.preventDefault();
    const files = await dropped(event.dataTransfer);
    const [only] = files;
    if (state.project && files.length === 1 && only.name.endsWith(".json")) importSolution(only.file);
    else if (files.length) openFiles(files);
  };
  window.addEventListener("dragover", over);
  window.addEventListener("drop", drop);
  return () => {
    window.removeEventListener("dragover", over);
    window.removeEventListener("drop", drop);
  };
}
