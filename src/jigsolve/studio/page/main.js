// Where the page begins. The address after # is the project that is open.

import { html, render } from "./vendor/htm-preact.js";
import { App } from "./app.js";
import { closeProject, openProject } from "./project.js";
import { applyTheme, watchSystem } from "./theme.js";

function follow() {
  const id = location.hash.slice(1);
  if (id) openProject(id);
  else closeProject();
}

applyTheme();
watchSystem();
const app = document.getElementById("app");
app.replaceChildren();
render(html`<${App} />`, app);
window.addEventListener("hashchange", follow);
follow();
