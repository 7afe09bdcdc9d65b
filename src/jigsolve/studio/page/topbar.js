// The bar along the top: where one is, undo and redo, what one can take away, how it looks.

import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { importSolution, redo, showPicture, takeAway, undo } from "./actions.js";
import { Icon } from "./icons.js";
import { set, useStore } from "./state.js";
import { setTheme, THEMES } from "./theme.js";
import { Button, whole } from "./widgets.js";

export function TopBar() {
  const [project, theme, panel, run] = useStore((s) => [s.project, s.theme, s.panel, Boolean(s.run)]);
  useEffect(() => {
    document.title = project ? `${run ? "… " : ""}${project.name} – jigsolve studio` : "jigsolve studio";
  }, [project?.name, run]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  const icon = { system: "auto", light: "sun", dark: "moon" }[theme];
  return html`
    <header class="top">
      <a class="home-link" href="#" title="All projects"><img src="/page/icon.svg" alt="All projects" width="22" height="22" /></a>
      ${project && html`
        <div class="title"><strong>${project.name}</strong>
          ${project.pieces && html`<span class="hint">${whole(project.pieces.count)} pieces</span>`}</div>
        <${Pictures} />
        <div class="row middle">
          <${Button} bare icon="undo" kind="ghost" label=${project.canUndo ? `Undo: ${project.undoLabel ?? ""}` : "Undo"} keys="Ctrl Z" disabled=${!project.canUndo} onClick=${undo} />
          <${Button} bare icon="redo" kind="ghost" label=${project.canRedo ? `Redo: ${project.redoLabel ?? ""}` : "Redo"} keys="Ctrl Shift Z" disabled=${!project.canRedo} onClick=${redo} />
        </div>`}
      <div class="row end">
        ${project?.pieces && html`<${Exports} />`}
        <${Button} bare icon=${icon} kind="ghost" label=${`Colours: ${theme}. Change to ${next}`} onClick=${() => setTheme(next)} />
        <${Button} bare icon="help" kind="ghost" label="Shortcuts" keys="?" onClick=${() => set({ help: true })} />
        ${project?.pieces && html`<${Button} bare icon="panel" kind="ghost" label="Side panel" pressed=${panel} onClick=${() => set({ panel: !panel })} />`}
      </div>
    </header>`;
}

function Pictures() {
  const [pictures, picture] = useStore((s) => [s.pictures, s.picture]);
  if (pictures.length < 2) return null;
  const step = (by, icon, label, keys) => html`<span data-step=${by}><${Button} bare icon=${icon} kind="ghost" label=${label} keys=${keys}
    disabled=${!pictures[picture + by]} onClick=${() => showPicture(picture + by)} /></span>`;
  return html`<div class="row middle">${step(-1, "back", "Previous picture", "page up")}
    <label class="inline">
      <select aria-label="Picture" onChange=${(event) => showPicture(Number(event.target.value))}>
        ${pictures.map((_, i) => html`<option value=${i} selected=${i === picture}>Picture ${i + 1} of ${pictures.length}</option>`)}
      </select></label>
    ${step(1, "forth", "Next picture", "page down")}</div>`;
}

const EXPORTS = [ // the last only of a single picture
  ["picture.png", "The picture", "PNG"],
  ["solution.csv", "Where each piece lies", "CSV"],
  ["solution.json", "The solution, for jigsolve", "JSON"],
  ["tiles.zip", "Pieces renamed by their place", "ZIP"],
  ["overlay.png", "The picture with its doubt", "PNG"],
  ["film.gif", "Film of the evolution", "GIF"],
  ["moves.gif", "Film of your own moves", "GIF"],
  ["constraints.json", "What you fixed, for --constraints", "JSON"],
];

function Exports() {
  const [open, setOpen] = useState(false);
  const count = useStore((s) => s.pictures.length);
  const box = useRef(), file = useRef();
  useLayoutEffect(() => {
    if (!open) return undefined;
    box.current.querySelector("[role=menuitem]").focus();
    const away = (event) => box.current.contains(event.target) || setOpen(false);
    window.addEventListener("pointerdown", away);
    return () => window.removeEventListener("pointerdown", away);
  }, [open]);
  const keys = (event) => {
    if (!open) return;
    const items = [...box.current.querySelectorAll("[role=menuitem]")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) items[(items.indexOf(document.activeElement) + step + items.length) % items.length].focus();
    else if (event.key === "Escape") setOpen(false), box.current.querySelector("button").focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return html`
    <div class="menu" ref=${box} onKeyDown=${keys}>
      <button type="button" class="button" aria-haspopup="menu" aria-expanded=${open} onClick=${() => setOpen(!open)}>
        <${Icon} name="export" /><span>Export</span></button>
      ${open && html`<div class="menu-list" role="menu" aria-label="Export">
        ${count > 0 && EXPORTS.slice(0, count > 1 ? -1 : undefined).map(([kind, words, sort]) => html`
          <button type="button" role="menuitem" key=${kind} onClick=${() => (setOpen(false), takeAway(kind))}>
            <span>${words}</span><small>${sort}</small></button>`)}
        ${count > 0 && html`<hr />`}
        <button type="button" role="menuitem" onClick=${() => file.current.click()}><span>Open a solution.json…</span></button>
      </div>`}
      <input ref=${file} hidden type="file" accept=".json,application/json" tabindex="-1" aria-label="A solution" onChange=${(event) => {
        setOpen(false);
        if (event.target.files[0]) importSolution(event.target.files[0]);
        event.target.value = "";
      }} />
    </div>`;
}
