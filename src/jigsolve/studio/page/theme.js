// Light and dark: as the system has it, unless chosen otherwise.

import { forgetColors } from "./board.js";
import { set, state } from "./state.js";

export const THEMES = ["system", "light", "dark"];

export function applyTheme() {
  document.documentElement.dataset.theme = state.theme;
  forgetColors();
}

export function setTheme(theme) {
  localStorage.setItem("theme", theme);
  Object.assign(state, { theme });
  applyTheme();
  set({ theme });
}

export function watchSystem() {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    applyTheme();
    set({});
  });
}
