// Opening pictures, archives and folders: one request a file, a few under way at once.

import { post, putFile, remove } from "./api.js";
import { set, state, toast } from "./state.js";

const AT_ONCE = 4;
const PICTURES = /\.(png|jpe?g|webp|tiff?|bmp|gif|ppm|pgm|pnm|avif|jp2|tga)$/i;

/** Files dropped on the page, folders walked through: [{file, name}]. */
export async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => ({ file, name: file.name }));
  const found = [];
  for (const entry of entries) await walk(entry, "", found);
  return found;
}

async function walk(entry, folder, found) {
  const name = folder + entry.name;
  if (entry.isFile) {
    found.push({ name, file: await new Promise((yes, no) => entry.file(yes, no)) });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((yes, no) => reader.readEntries(yes, no)); // a hundred at a time
    if (!some.length) return;
    for (const inner of some) await walk(inner, `${name}/`, found);
  }
}

export const chosenFiles = (input) =>
  [...input.files].map((file) => ({ file, name: file.webkitRelativePath || file.name }));

/** Make a project of files: send them all, have them read, and go there. */
export async function openFiles(given) {
  const several = given.filter(({ name }) => PICTURES.test(name) && !name.split("/").some((part) => part.startsWith(".")));
  const files = given.length === 1 ? given : several;
  if (!files.length) return toast("There are no pictures among these files. Expected a picture, a ZIP, or a folder of tiles.", "error");
  files.sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
  const first = files[0].name;
  const name = files.length > 1 && first.includes("/") ? first.split("/")[0] : first.split("/").pop();
  let id = null;
  set({ upload: { done: 0, total: files.length, name } });
  try {
    ({ id } = await post("/projects", { name }));
    await sendAll(id, files);
    await post(`/projects/${id}/read`);
    location.hash = id;
  } catch (error) {
    toast(error.message, "error");
    if (id) remove(`/projects/${id}`).catch(() => {});
  } finally {
    set({ upload: null });
  }
  return undefined;
}

async function sendAll(id, files) {
  let next = 0, done = 0, told = 0;
  const worker = async () => {
    while (next < files.length) {
      const k = next++;
      await putFile(id, k, files[k].file, files[k].name).catch((error) => {
        if (error.status !== 415 || files.length === 1) throw error; // not a picture: left out
      });
      done++;
      if (performance.now() - told > 100) {
        told = performance.now();
        set({ upload: { ...state.upload, done } });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, files.length) }, worker));
}

export async function openExample() {
  set({ upload: { done: 0, total: 0, name: "the example" } });
  try {
    const { id } = await post("/projects", { example: true });
    location.hash = id;
  } catch (error) {
    toast(error.message, "error");
  } finally {
    set({ upload: null });
  }
}
