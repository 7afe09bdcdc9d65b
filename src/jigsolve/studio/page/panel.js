// The side panel: how the solve stands, and one of four tabs.

import { html, useMemo } from "./vendor/htm-preact.js";
import { refreshAdvice } from "./advice.js";
import { DoubtPanel } from "./doubtpanel.js";
import { HistoryPanel } from "./historypanel.js";
import { PiecesPanel } from "./piecespanel.js";
import { RunPanel } from "./runpanel.js";
import { set, useStore } from "./state.js";
import { inTray, TrayPanel } from "./traypanel.js";
import { whole } from "./widgets.js";

const TABS = [["doubt", "Doubt", DoubtPanel], ["pieces", "Pieces", PiecesPanel], ["tray", "Tray", TrayPanel], ["history", "Steps", HistoryPanel]];

export function Panel() {
  const [tab, project, pictures, selected] = useStore((s) => [s.tab, s.project, s.pictures, s.selection.size]);
  const tray = useMemo(() => inTray(project, pictures).length, [project?.pieces, pictures]);
  const counts = { pieces: selected, tray };
  const Shown = TABS.find(([name]) => name === tab)[2];
  const choose = (name) => {
    set({ tab: name });
    refreshAdvice();
  };
  const arrows = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = TABS.findIndex(([name]) => name === tab);
    const [next] = TABS[(at + step + TABS.length) % TABS.length];
    choose(next);
    document.getElementById(`tab-${next}`).focus();
  };
  return html`
    <aside class="panel" aria-label="Panel" data-tray=${tab === "tray" ? "" : undefined}>
      <${RunPanel} />
      <div class="tabs" role="tablist" onKeyDown=${arrows}>${TABS.map(([name, words]) => html`
        <button type="button" role="tab" id=${`tab-${name}`} aria-selected=${tab === name} tabindex=${tab === name ? 0 : -1}
            aria-controls="tab-panel" onClick=${() => choose(name)} data-tray=${name === "tray" ? "" : undefined}>
          ${words}${counts[name] > 0 && html`${" "}<span class="count">${whole(counts[name])}</span>`}
        </button>`)}</div>
      <div id="tab-panel" class="tab-panel" role="tabpanel" aria-labelledby=${`tab-${tab}`} tabindex="-1"><${Shown} /></div>
    </aside>`;
}
