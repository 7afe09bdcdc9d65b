// The shortcuts, shown by `?`.

import { html, useEffect, useRef } from "./vendor/htm-preact.js";
import { SHORTCUTS } from "./keys.js";
import { set } from "./state.js";
import { Button } from "./widgets.js";

export function Help() {
  const dialog = useRef();
  useEffect(() => dialog.current.showModal(), []);
  const close = () => set({ help: false });
  return html`
    <dialog ref=${dialog} class="help" aria-label="Shortcuts" onClose=${close} onClick=${(event) => event.target === dialog.current && close()}>
      <div class="row spread"><h1>Shortcuts</h1><${Button} bare icon="close" kind="ghost" label="Close" keys="Esc" onClick=${close} /></div>
      <div class="help-columns">${SHORTCUTS.map(([title, rows]) => html`
        <section key=${title}><h2>${title}</h2>
          <dl>${rows.map(([keys, what]) => html`<div><dt>${what}</dt><dd>${keys}</dd></div>`)}</dl>
        </section>`)}</div>
    </dialog>`;
}
