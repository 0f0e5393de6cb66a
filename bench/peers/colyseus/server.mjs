// The peer: a Colyseus server with rooms of four that does what ours does on the path of a move, except that it
// remembers nothing. Every move is checked, numbered and acknowledged; everybody's progress is the room's
// state, patched every 50 ms as the library does it.
//
//   node server.mjs PORT SEATS COLUMNS   with COLUMNS the deal, as JSON

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
  joined: "uint8",
  state: "string",
});
const Standings = schema({ racers: { map: Standing } });

class Race extends Room {
  maxClients = seats;
  patchRate = 50;
  state = new Standings();
  games = new Map();

  messages = {
    move: (client, message) => this.act(client, message, (game) => game.move(message.from, message.to, message.count)),
    undo: (client, message) => this.act(client, message, (game) => game.undo()),
  };

  onCreate() {
    this.began = performance.now();
  }

  onJoin(client) {
    const standing = new Standing();
    Object.assign(standing, { score: 500, moves: 0, runs: 0, joined: 0, state: "playing" });
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
    standing.joined = game.joins + 12 * game.runs;
    if (step.run !== null && game.won) standing.state = "won";
    client.send("accepted", {
      n: racer.n,
      at: Math.round(performance.now() - this.began),
      score: game.score,
      moves: game.moves,
      runs: game.runs,
      undoable: game.history.length,
      from: step.source,
      to: step.target,
      count: step.count,
    });
  }
}

const server = new Server({ transport: new WebSocketTransport({ server: createServer() }), greet: false });
server.define("race", Race);
await server.listen(port, "127.0.0.1");
console.log("ready");
