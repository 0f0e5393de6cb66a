// The peer: a Colyseus server that does the same as ours for a move, except that it stores nothing. Every move is
// checked, numbered and acknowledged; the standings are the room's state, sent as patches every 50 ms, which is the
// default of the library.
//
//   node server.mjs PORT SEATS COLUMNS   where COLUMNS is the deal as JSON

import { createServer } from "node:http";
import { Room, Server } from "@colyseus/core";
import { MapSchema, schema } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { Game } from "./engine.mjs";

const [port, seats, columns] = [Number(process.argv[2]), Number(process.argv[3]), JSON.parse(process.argv[4])];

const Standing = schema({
  score: "int32",
  moves: "uint32",
  runs: "uint8",
  progress: "uint8",
  state: "string",
});
const Standings = schema({ racers: { map: Standing } });

class Race extends Room {
  maxClients = seats;
  patchRate = 50;
  state = new Standings();
  games = new Map();

  messages = {
    move: (client, message) => this.act(client, message, (game) => game.move(message.from, message.to, message.cards)),
    undo: (client, message) => this.act(client, message, (game) => game.undo()),
  };

  onCreate() {
    this.began = performance.now();
  }

  onJoin(client) {
    const standing = new Standing();
    Object.assign(standing, { score: 500, moves: 0, runs: 0, progress: 0, state: "playing" });
    this.state.racers.set(client.sessionId, standing);
    this.games.set(client.sessionId, { game: new Game(columns), standing, n: 0 });
  }

  onLeave(client) {
    this.state.racers.delete(client.sessionId);
    this.games.delete(client.sessionId);
  }

  act(client, message, carryOut) {
    const racer = this.games.get(client.sessionId);
    if (racer === undefined || message.n !== racer.n + 1) {
      client.send("refused", { n: message.n, expected: (racer?.n ?? 0) + 1, code: "wrong_number" });
      return;
    }
    const { game, standing } = racer;
    const step = carryOut(game);
    if (typeof step === "string") {
      client.send("refused", { n: message.n, expected: racer.n + 1, code: step });
      return;
    }
    racer.n += 1;
    standing.score = game.score;
    standing.moves = game.moves;
    standing.runs = game.runs;
    standing.progress = game.progress + 12 * game.runs;
    if (step.run !== null && game.won) standing.state = "won";
    client.send("accepted", {
      n: racer.n,
      at_ms: Math.round(performance.now() - this.began),
      score: game.score,
      moves: game.moves,
      runs: game.runs,
      undoable: game.history.length,
      from: step.source,
      to: step.target,
      cards: step.cards,
    });
  }
}

const server = new Server({ transport: new WebSocketTransport({ server: createServer() }), greet: false });
server.define("race", Race);
await server.listen(port, "127.0.0.1");
console.log("ready");
