// The open project: its state from the server, kept up to date by numbered events.

import { get, Refused } from "./api.js";
import { connect } from "./connection.js";
import { forgetAdvice, refreshAdvice } from "./advice.js";
import { decode } from "./poses.js";
import { say, set, state, toast } from "./state.js";

let connection = null;

export async function openProject(id) {
  closeProject();
  set({ ...nothingOpen(), opening: id });
  try {
    await load(id);
  } catch (error) {
    if (state.opening !== id) return;
    set({ opening: null });
    location.hash = "";
    toast(error.message, "error");
    return;
  }
  if (state.opening !== id) return; // another was opened meanwhile
  set({ opening: null });
  connection = connect(id, {
    last: () => state.project?.n ?? 0,
    heard: (event) => hear(id, event),
    changed: (how) => standing(id, how),
  });
}

export function closeProject() {
  connection?.close();
  connection = null;
  set({ ...nothingOpen(), connection: "idle", opening: null });
}

const nothingOpen = () => ({
  project: null, pictures: [], live: [], before: null, run: null, picture: 0, selection: new Set(), cursor: -1,
  hover: null, lifted: null, focus: null, doubt: null, questions: null, skipped: [], candidates: null, fits: null,
  compare: false, regrid: false, answers: 0,
});

/** Ask for the whole state and show it. */
async function load(id) {
  const whole = await get(`/projects/${id}/state`);
  const { pictures = [], run: underWay, ...project } = whole;
  const { arranged, ...run } = underWay ?? {};
  const decoded = pictures.map(({ rows, columns, cells }) => ({ rows, columns, cells: decode(cells) }));
  const picture = Math.min(state.picture, Math.max(0, decoded.length - 1));
  const fits = (c) => decoded.length && c < decoded[picture].cells.length;
  set({
    project: worth.of === project.n ? { ...project, ...worth } : project,
    pictures: decoded, run: underWay && run, picture,
    live: underWay ? state.live : [],
    selection: new Set([...state.selection].filter(fits)),
    before: project.previous?.pictures?.map((one) => decode(one.cells)) ?? state.before,
    lifted: null,
  });
  if (arranged && !state.live.length) hearing.arranged(arranged);
  refreshAdvice();
}

let worth = {}; // what was said last of a state's cost, that may be on its way

async function standing(id, how) {
  if (how === "open") {
    set({ connection: "open" });
    return state.piecesMissing && set({ piecesMissing: false, piecesAgain: state.piecesAgain + 1 });
  }
  if (state.connection !== "refused") set({ connection: "lost" });
  try {
    await get(`/projects/${id}/state`); // tells a server that is gone from one that refuses
  } catch (error) {
    if (error instanceof Refused && [401, 403].includes(error.status)) set({ connection: "refused" });
    if (error.status === 404) leave();
  }
}

function leave() {
  closeProject();
  location.hash = "";
  toast("This project was deleted.", "error");
}

function hear(id, event) {
  if (state.project?.id !== id) return;
  if (event.n !== undefined && event.kind !== "reload") {
    if (event.n <= state.project.n) return;
    if (event.n > state.project.n + 1) return reload(id); // a gap: ask for all of it
  }
  (hearing[event.kind] ?? (() => {}))(event, id);
}

const hearing = {
  changed: (event) => changed(event),
  reload: (event, id) => reload(id),
  run: (event) => tellRun(event),
  assessed: ({ of, cost, believed }) => {
    worth = { of, cost, believed };
    if (of === state.project.n) set({ project: { ...state.project, cost, believed } });
  },
  cost: ({ seconds, cost }) => tellRun({}, [[seconds, cost]]),
  arranged: ({ picture, cells, ...shape }) => {
    const poses = decode(cells), own = state.pictures[picture];
    const { rows, columns } = shape.rows ? shape : own ?? {};
    if (!state.run || rows * columns !== poses.length) return;
    const live = [...state.live];
    live[state.pictures.length ? picture : 0] = { rows, columns, cells: poses }; // of a bag what is solved is shown
    set({ live });
  },
  picture: () => {
    told?.points.splice(0);
    if (state.run) set({ run: { ...state.run, curve: [] } });
  },
  "run-ended": ({ reason }, id) => {
    told = null;
    say(reason ?? "Solving ended.");
    reload(id);
  },
  message: ({ text }) => toast(text),
  error: ({ text }) => toast(text, "error"),
  deleted: leave,
};

let told = null; // of the run, and not yet shown

/** Show how far a run is, three times a second: to draw the panel costs more than to draw the board. */
function tellRun(event, points = []) {
  if (told) {
    Object.assign(told.event, event);
    told.points.push(...points);
    return;
  }
  const mine = (told = { event: { ...event }, points: [...points] });
  const { id } = state.project;
  setTimeout(() => {
    if (told !== mine) return; // it has ended
    const { event: latest, points: more } = told;
    told = null;
    if (state.project?.id !== id || (!state.run && !latest.stage)) return;
    const { curve = [] } = state.run ?? {};
    set({ run: { ...state.run, ...latest, curve: more.length ? [...curve, ...more] : curve } });
  }, 330);
}

function changed(event) {
  const { n, cells = [], label, kind, ...rest } = event;
  const pictures = [...state.pictures];
  const copied = new Set();
  for (const [picture, cell, pose] of cells) {
    if (!copied.has(picture)) {
      pictures[picture] = { ...pictures[picture], cells: pictures[picture].cells.slice() };
      copied.add(picture);
    }
    pictures[picture].cells[cell] = pose;
  }
  set({ pictures, project: { ...state.project, ...rest, n } });
  const went = { undo: `Undone: ${rest.redoLabel}`, redo: `Done again: ${rest.undoLabel}` };
  if (label) say(went[label] ?? label);
  refreshAdvice();
}

let reloading = null;

/** Load anew; requests that come while one is under way are one more, afterwards. */
async function reload(id) {
  if (reloading) return void (reloading.again = true);
  reloading = { again: false };
  try {
    do {
      reloading.again = false;
      const solving = state.run;
      await load(id);
      if (solving && !state.run) forgetAdvice();
    } while (reloading.again && state.project?.id === id);
  } catch (error) {
    if (error.status) toast(error.message, "error");
  } finally {
    reloading = null;
  }
}
