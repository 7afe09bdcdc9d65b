// The WebSocket of the open project. It comes back by itself, with the number of the last event it has seen.

const PING_EVERY = 15000;

/**
 * Listen to a project's events until closed.
 * `last()` is the number to go on after; `heard(event)` takes each event; `changed("open" | "lost")` says how it stands.
 */
export function connect(id, { last, heard, changed }) {
  let socket = null, timer = 0, pinger = 0, wait = 300, closed = false, alive = 0;

  function open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/api/projects/${id}/events?after=${last()}`);
    socket.onopen = () => {
      wait = 300;
      alive = Date.now();
      changed("open");
    };
    socket.onmessage = ({ data }) => {
      alive = Date.now();
      const event = JSON.parse(data);
      if (event.kind !== "pong") heard(event);
    };
    socket.onclose = () => {
      if (closed) return;
      changed("lost");
      timer = setTimeout(open, wait);
      wait = Math.min(wait * 1.6, 3000);
    };
  }

  function ping() {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (Date.now() - alive > 2.5 * PING_EVERY) socket.close(); // asleep or cut off: start over
    else socket.send('{"kind":"ping"}');
  }

  open();
  pinger = setInterval(ping, PING_EVERY);
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(pinger);
      socket.close();
    },
  };
}
