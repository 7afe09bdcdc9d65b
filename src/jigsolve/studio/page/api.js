// Requests to the server. A refusal is an Error in the server's own words.

export class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function request(method, path, body, headers = {}) {
  let answer;
  try {
    answer = await fetch("/api" + path, { method, body, headers });
  } catch {
    throw new Refused("The studio's server does not answer. It may have been stopped.", 0);
  }
  if (answer.ok) return answer;
  throw new Refused(await words(answer), answer.status);
}

async function words(answer) {
  try {
    return (await answer.json()).error;
  } catch {
    if (answer.status === 401 || answer.status === 403)
      return "This page may no longer talk to the studio. Open the address that jigsolve studio printed.";
    return `The server answered ${answer.status} ${answer.statusText}.`;
  }
}

export const get = async (path) => (await request("GET", path)).json();

export const getFile = async (path) => (await request("GET", path)).blob();

export async function post(path, value = {}) {
  const headers = { "Content-Type": "application/json" };
  const answer = await request("POST", path, JSON.stringify(value), headers);
  const text = await answer.text();
  return text ? JSON.parse(text) : null;
}

export const remove = (path) => request("DELETE", path);

export const putFile = (id, k, file, name) =>
  request("PUT", `/projects/${id}/files/${k}`, file, { "X-File-Name": encodeURIComponent(name) });

export const sendRaw = (path, file) => request("POST", path, file);
