// A complete client of Simon Race in one file without packages, to copy: for browsers (see index.html) and for
// Node 20 or newer:
//
//     node client.mjs ws://localhost:7466 new Ada      // opens a room; code=SS1-... names its deal
//     node client.mjs ws://localhost:7466 BKMRT Ben    // joins the room
//
// Type `ready`; the host types `start_countdown`. `move 2 6 3` moves three cards from column 2 to 6 (of 0 to 9).
// There are `auto_move 2`, `undo`, `restart`, `forfeit` and `leave`. Moves from a pipe wait for the race.

const ACTIONS = ["move", "auto_move", "undo", "restart", "forfeit"];
const BUSY = ["rate_limited", "store_unavailable", "busy"]; // the same message can succeed later

// Returns whether a client must not reconnect after this close code.
const isFinal = (code) =>
  [1000, 1002, 1007, 1008, 1009].includes(code) || (code >= 4000 && ![4004, 4005].includes(code));

// A player in one room, who reconnects when needed. `entry` has fields of `create` or `join`; `storage` has
// getItem and setItem. `onMessage` is called with each message that was handled, `onReconnect` with the reason
// when a connection is lost and will be tried again, `onEnd` with the reason of the end.
export class Client {
  constructor(url, room, name, { entry = {}, storage, ...handlers }) {
    const ignore = () => {};
    Object.assign(this, { onMessage: ignore, onReconnect: ignore, onEnd: ignore, ...handlers });
    Object.assign(this, { url, room, name, entry, storage });
    this.key = `simonrace ${name} ${url}`;
    this.me = this.over = "";
    this.columns = []; // our board after the last accepted action
    this.live = this.racing = this.lastRace = false;
    this.seq = this.race = this.n = this.attempt = this.pause = 0;
    this.queue = []; // messages to send, one after another
    this.inFlight = {}; // the message without an answer yet
  }

  connect() {
    if (this.over) return this.onEnd(this.over);
    const socket = (this.socket = new WebSocket(this.url, ["simonrace.v1.json"]));
    let receivedAt = Date.now();
    let pingedAt = 0; // when the ping without an answer was sent, or 0
    let opened = false;
    const lost = (code, reason) => {
      if (this.socket !== socket) return; // it has been replaced already
      clearInterval(watch);
      this.socket = null;
      socket.close();
      this.lost(code, reason);
    };
    // A browser runs the timers of a hidden tab once a minute, so silence alone proves nothing.
    const watch = setInterval(() => {
      const now = Date.now();
      if (!this.live) now - receivedAt > 10_000 && lost(1006, "no answer");
      else if (pingedAt) now - pingedAt > 15_000 && lost(1006, "a ping stayed unanswered");
      else if (now - receivedAt > 15_000) {
        pingedAt = now;
        this.send({ type: "ping" });
      }
    }, 1_000);
    socket.onopen = () => {
      opened = true;
      const known = JSON.parse(this.storage.getItem(this.key) ?? "{}");
      this.send({ type: "hello", client: "example/1", name: this.name, ...known });
    };
    socket.onmessage = (event) => {
      receivedAt = Date.now();
      pingedAt = 0;
      if (this.socket === socket) this.receive(JSON.parse(event.data));
    };
    socket.onclose = (event) => lost(event.code, event.reason);
    socket.onerror = () => opened || lost(1006, "no connection"); // Node 20 sends no `close` then
  }

  lost(code, reason) {
    this.live = false;
    if (isFinal(code)) this.over ||= reason || `closed with ${code}`;
    if (this.over) return this.onEnd(this.over);
    this.onReconnect(`${code} ${reason}`);
    const wait = this.pause + Math.random() * Math.min(5_000, 200 * 2 ** this.attempt);
    this.pause = 0;
    this.attempt += 1;
    setTimeout(() => this.connect(), wait);
  }

  // Queue a message. Messages are sent one after another, actions only in a race, each with the next number.
  submit(message) {
    this.queue.push(message);
    this.sendNext();
  }

  sendNext() {
    if (!this.live || Object.keys(this.inFlight).length) return;
    if (this.lastRace && this.race && !this.racing && !this.queue.length) {
      this.lastRace = false;
      this.queue.push({ type: "leave" });
    }
    const next = this.queue.findIndex(({ type }) => this.racing || !ACTIONS.includes(type));
    if (next < 0) return;
    const [message] = this.queue.splice(next, 1);
    const number = ACTIONS.includes(message.type) ? { race: this.race, n: this.n + 1 } : { ref: 1 };
    this.inFlight = { ...message, ...number };
    this.send(this.inFlight);
  }

  send(message) {
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify(message));
  }

  // Handle a message, then send the next one from the queue.
  receive(message) {
    const { type, code } = message;
    const sent = this.inFlight;
    const keys = "n" in sent ? ["race", "n"] : ["ref"];
    const isAnswer = keys.every((key) => key in sent && message[key] === sent[key]);
    if (isAnswer && BUSY.includes(code)) {
      setTimeout(() => this.live && this.inFlight === sent && this.send(sent), message.retry_in_ms ?? 1_000);
    } else if (isAnswer) {
      this.inFlight = {};
    }
    if (type !== "resumed") this.seq = message.seq ?? this.seq; // `resumed` names an event still to come
    if (type === "welcome") {
      const { player, token } = message;
      this.me = player;
      if (token) this.storage.setItem(this.key, JSON.stringify({ player, token }));
      const enter = this.room === "new" ? { type: "create" } : { type: "join", room: this.room };
      this.send({ ...enter, ...this.entry, ...(this.seq && { seen: this.seq }) });
      this.send({ type: "get_game" }); // it is answered behind all that we have missed
    } else if (type === "room") {
      this.room = message.room;
      this.inFlight = {}; // what was in flight may be out of date
    } else if (type === "game" || (type === "race_started" && message.racers.includes(this.me))) {
      this.racing = true;
      this.race = message.race;
      this.n = message.game?.n ?? 0;
      this.columns = message.game?.columns ?? message.columns;
    } else if (type === "race_ended") {
      this.racing = false;
      this.race = message.race;
      this.queue = [];
      this.inFlight = {};
      if (this.lastRace) this.stop("the race is over");
    } else if (type === "member_left" && message.player === this.me) {
      this.stop(message.reason);
    } else if (type === "notice" && code === "restarting") {
      this.pause = message.retry_in_ms;
    } else if (type === "accepted" && message.race === this.race && message.n === this.n + 1) {
      this.n += 1;
      if (["move", "auto_move"].includes(sent.type) && !message.run) {
        this.columns[message.to].push(...this.columns[message.from].splice(-message.cards));
      } else {
        this.queue.unshift({ type: "get_game" });
      }
    } else if (type === "refused" && ["wrong_number", "number_taken"].includes(code)) {
      this.queue.unshift({ type: "get_game" });
    } else if (type === "error" && !this.live && code !== "no_game") {
      if (!message.temporary) this.over = message.text;
      this.socket.close();
    }
    if (!this.live && (type === "game" || code === "no_game")) {
      this.live = true;
      this.racing = type === "game";
      this.attempt = 0;
      if (Object.keys(this.inFlight).length) this.send(this.inFlight); // same number: never carried out twice
    }
    this.onMessage(message);
    this.sendNext();
  }

  stop(why) {
    this.over = why;
    this.socket?.close(1000); // without a socket it ends instead of the next attempt
  }
}

// In Node: send what is typed.
const node = typeof process === "object" && import.meta.filename === process.argv[1];
if (node && typeof WebSocket === "undefined") {
  // Node 20 has WebSocket behind a flag, Node 22 has it always.
  const { spawn } = await import("node:child_process");
  const options = ["--experimental-websocket", "--no-warnings", ...process.argv.slice(1)];
  const child = spawn(process.execPath, options, { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code) => process.exit(code ?? 1));
} else if (node) {
  const { existsSync, readFileSync, writeFileSync } = await import("node:fs");
  const { createInterface } = await import("node:readline");
  const [url, room, name, ...more] = process.argv.slice(2);
  if (!name) {
    console.error("node client.mjs ws://localhost:7466 new Ada (or the room's code instead of new)");
    process.exit(2);
  }
  const file = (key) => `${key.replace(/\W+/g, "-")}.json`;
  const player = new Client(url, room, name, {
    entry: Object.fromEntries(more.map((word) => word.split("="))),
    storage: {
      getItem: (key) => (existsSync(file(key)) ? readFileSync(file(key), "utf8") : null),
      setItem: (key, value) => writeFileSync(file(key), value, { mode: 0o600 }),
    },
    onMessage: ({ token, columns, current_race, game, ...shown }) => {
      console.log(JSON.stringify(shown)); // JSON escapes control characters in texts of others
      if (player.racing && ["race_started", "accepted", "game"].includes(shown.type)) {
        player.columns.forEach((column, at) => console.log(`   ${at}: ${column.join(" ")}`));
      }
    },
    onReconnect: (why) => console.error(`trying again after ${why}`),
    onEnd: (why) => {
      console.log(why);
      process.exit();
    },
  });
  player.connect();
  for await (const line of createInterface({ input: process.stdin })) {
    const [type, ...numbers] = line.split(/\s+/).filter(Boolean);
    const fields = numbers.map((number, at) => [["from", "to", "cards"][at], Number(number)]);
    if (type) player.submit({ type, ...Object.fromEntries(fields) });
  }
  player.lastRace = true;
  player.sendNext(); // leaves if the race is over already
}
