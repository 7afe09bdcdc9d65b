// Undo, redo and named snapshots.

import { html, useState } from "./vendor/htm-preact.js";
import { act, redo, undo } from "./actions.js";
import { say, useStore } from "./state.js";
import { Button } from "./widgets.js";

export function HistoryPanel() {
  const project = useStore((s) => s.project);
  const { canUndo, canRedo, undoLabel, redoLabel, snapshots = [] } = project;
  return html`
    <section aria-label="Steps"><h2>Steps</h2>
      <${Button} icon="undo" label=${canUndo ? `Undo: ${undoLabel ?? "the last step"}` : "Nothing to undo"} disabled=${!canUndo} onClick=${undo} />
      <${Button} icon="redo" label=${canRedo ? `Redo: ${redoLabel ?? "the next step"}` : "Nothing to redo"} disabled=${!canRedo} onClick=${redo} />
      <p class="hint">Every step is saved as you make it, solves too. Undo goes back to the beginning.</p>
    </section>
    <section aria-label="Snapshots"><h2>Snapshots</h2>
      <${Take} />
      ${snapshots.length > 0 && html`<ul class="places">${[...snapshots].reverse().map(({ name }) => html`
        <li key=${name}><span>${name}</span><${Button} label="Go back to it" kind="small" onClick=${() => act({ kind: "restore", name })} /></li>`)}</ul>`}
    </section>`;
}

function Take() {
  const [name, setName] = useState("");
  const take = async (event) => {
    event.preventDefault();
    if (!name.trim() || !(await act({ kind: "snapshot", name: name.trim() }))) return;
    say(`Kept as “${name.trim()}”.`);
    setName("");
  };
  return html`
    <form class="row" onSubmit=${take}>
      <input type="text" maxlength="80" placeholder="A name for how it is now" aria-label="Name of the snapshot" value=${name}
        onInput=${(event) => setName(event.target.value)} />
      <button type="submit" class="button" disabled=${!name.trim()}>Keep</button>
    </form>`;
}
