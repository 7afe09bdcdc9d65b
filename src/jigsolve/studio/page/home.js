// The first page: open something, or go on with a project.

import { html, useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { get, remove } from "./api.js";
import { Icon } from "./icons.js";
import { set, toast, useStore } from "./state.js";
import { chosenFiles, openExample, openFiles } from "./upload.js";
import { Button, whole } from "./widgets.js";

const STAGES = { empty: "empty", reading: "being read", grid: "grid to confirm", cut: "not solved yet", solving: "solving", solved: "solved" };

export async function listProjects() {
  try {
    set({ projects: await get("/projects"), connection: "idle" });
  } catch (error) {
    set({ projects: [], connection: error.status === 401 || error.status === 403 ? "refused" : "lost" });
    if (!error.status) setTimeout(() => location.hash || listProjects(), 1500);
  }
}

export function Home() {
  const [projects, upload] = useStore((s) => [s.projects, s.upload]);
  const [over, setOver] = useState(false);
  const file = useRef(), folder = useRef();
  useEffect(() => {
    listProjects();
  }, []);
  useEffect(() => folder.current?.setAttribute("webkitdirectory", ""), [upload]);
  useEffect(() => {
    const dragging = (event) => setOver(event.type === "dragover");
    const kinds = ["dragover", "dragleave", "drop"];
    kinds.forEach((kind) => window.addEventListener(kind, dragging));
    return () => kinds.forEach((kind) => window.removeEventListener(kind, dragging));
  }, []);
  return html`
    <main class="home">
      <div class="home-inner">
        <h1><img src="/page/icon.svg" alt="" width="36" height="36" />jigsolve studio</h1>
        <p class="lead">Puts shuffled pictures together again. Where it is not sure, you are asked.</p>
        ${upload ? html`<${Uploading} ...${upload} />` : html`
          <section class=${`drop ${over ? "over" : ""}`} aria-label="Open">
            <${Icon} name="picture" />
            <p class="drop-title">Drop a shuffled picture here</p>
            <p class="hint">or a ZIP, or a folder of tiles. Nothing leaves this machine.</p>
            <div class="row centre">
              <${Button} icon="picture" label="Choose a file" kind="primary" onClick=${() => file.current.click()} />
              <${Button} icon="folder" label="Choose a folder" onClick=${() => folder.current.click()} />
              <${Button} icon="play" label="Try the example" onClick=${openExample} />
            </div>
            <input ref=${file} hidden type="file" tabindex="-1" aria-label="A picture or an archive" multiple
              onChange=${(event) => openFiles(chosenFiles(event.target))} />
            <input ref=${folder} hidden type="file" tabindex="-1" aria-label="A folder of tiles"
              onChange=${(event) => openFiles(chosenFiles(event.target))} />
          </section>`}
        <${Recent} projects=${projects} />
      </div>
    </main>`;
}

const Uploading = ({ done, total, name }) => html`
  <section class="drop" aria-live="polite">
    <p class="drop-title">Opening ${name}</p>
    <progress max=${total || undefined} value=${total ? done : undefined} aria-label="Files sent"></progress>
    <p class="hint">${total > 1 ? `${whole(done)} of ${whole(total)} files` : "One moment"}</p>
  </section>`;

function Recent({ projects }) {
  if (!projects) return null;
  if (!projects.length) return html`<p class="hint centre">Your projects will be listed here; every step is saved as you make it.</p>`;
  const away = async (event, { id, name }) => {
    event.preventDefault();
    if (!confirm(`Delete “${name}” and all its steps?`)) return;
    try {
      await remove(`/projects/${id}`);
      listProjects();
    } catch (error) {
      toast(error.message, "error");
    }
  };
  return html`
    <section class="recent" aria-label="Recent projects">
      <h2>Recent</h2>
      <ul>${projects.map((one) => html`
        <li key=${one.id}>
          <a href=${`#${one.id}`}>
            <strong>${one.name}</strong>
            <span>${one.pieces ? `${whole(one.pieces)} pieces` : ""}</span>
            <span class=${`chip ${one.stage}`}>${STAGES[one.stage] ?? one.stage}</span>
            <time>${when(one.changed)}</time>
          </a>
          <${Button} bare icon="trash" kind="ghost" label=${`Delete ${one.name}`} onClick=${(event) => away(event, one)} />
        </li>`)}
      </ul>
    </section>`;
}

/** How long ago, in words. Takes seconds since 1970 or a written date. */
function when(changed) {
  const then = typeof changed === "number" ? changed * 1000 : Date.parse(changed);
  const minutes = (Date.now() - then) / 60000;
  if (!(minutes >= 0)) return "";
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${Math.round(minutes)} min ago`;
  if (minutes < 1440) return `${Math.round(minutes / 60)} h ago`;
  return new Date(then).toLocaleDateString();
}
