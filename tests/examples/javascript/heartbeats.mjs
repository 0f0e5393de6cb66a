// Plays a connection to the client of the example in a time of its own, and prints what the client did:
// `node heartbeats.mjs CLIENT MINUTES SILENT`. The tab is hidden: its timers run once a minute. The server
// answers each ping, in the last minute only if SILENT is "no".

const [path, minutes, silent] = process.argv.slice(2);
let now = 1_000_000;
let socket;
const timers = [];

class FakeSocket {
  readyState = 1;
  sent = [];
  constructor() {
    socket = this;
  }
  send(text) {
    this.sent.push(JSON.parse(text).type);
  }
  close() {}
}

Object.assign(globalThis, {
  WebSocket: FakeSocket,
  setInterval: (run) => timers.push(run) - 1,
  clearInterval: (index) => (timers[index] = () => {}),
  setTimeout: () => {},
});
Date.now = () => now;
const { Client } = await import(path);

const waits = [];
const storage = { getItem: () => null, setItem: () => {} };
const client = new Client("ws://server", "BKMRT", "Ann", { storage, onReconnect: (reason) => waits.push(reason) });
client.connect();
client.live = true; // it is in its room
const last = Number(minutes);
for (let minute = 1; minute <= last; minute += 1) {
  now += 60_000;
  timers.forEach((run) => run());
  if (minute < last || silent === "no") socket.onmessage({ data: '{"type":"pong"}' });
}
now += 60_000;
timers.forEach((run) => run());
console.log(JSON.stringify({ pings: socket.sent.filter((type) => type === "ping").length, waits }));
process.exit();
