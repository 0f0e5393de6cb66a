// What happens on index.html: it draws what a client is told, and says what is clicked.

import { Client } from "./client.mjs";

const HINT = "Click a card, then where it goes with all below it; or the card again for the best place.";
const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const PHASES = {
  countdown_started: "countdown",
  countdown_cancelled: "lobby",
  race_started: "racing",
  race_ended: "results",
  lobby_opened: "lobby",
};

const at = (id) => document.getElementById(id);
const names = {};
let player, room, held, zero; // `zero` is when the race starts, on our own clock

const say = (text) => (at("status").textContent = text);
const since = (elapsed) => (zero = Date.now() - elapsed);

function element(tag, text, more = {}) {
  return Object.assign(document.createElement(tag), { textContent: text, ...more });
}

function time(ms) {
  const seconds = Math.abs(Math.floor(ms / 1000)); // before the start they are negative
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// The first click picks up a card and all below it, the second one says where they go.
function click(column, cards) {
  const isDropped = held && (held.from !== column || held.cards === cards);
  const goal = held?.from === column ? { type: "auto_move" } : { type: "move", to: column };
  if (isDropped) player.say({ ...held, ...goal });
  held = isDropped || !cards ? null : { from: column, cards };
  drawBoard();
}

function card(text, column, cards) {
  const isHeld = held?.from === column && held.cards >= cards;
  const className = `${"HD".includes(text[1]) ? "red" : ""} ${isHeld ? "held" : ""}`;
  const shown = text[0].replace("T", "10") + SUITS[text[1]];
  return element("button", shown, { className, onclick: () => click(column, cards) });
}

// Only when something changes on it: a click on a card that is replaced in that moment would be lost.
function drawBoard() {
  const columns = player.columns.map((cards, column) => {
    const place = element("div", "", { onclick: ({ target }) => target === place && click(column, 0) });
    place.append(...cards.map((text, deep) => card(text, column, cards.length - deep)));
    return place;
  });
  at("board").replaceChildren(...columns);
}

function drawStandings(rows) {
  const lines = rows.map(({ player: id, rank, score, moves, runs, state = "playing", at_ms, reached_ms }) => {
    const end = state === "won" ? `won in ${time(at_ms ?? reached_ms)}` : state;
    const cells = [`${rank}.`, names[id], `${score} points`, `${moves} moves`, `${runs} runs`, end];
    const line = element("tr", "");
    line.append(...cells.map((text) => element("td", text)));
    return line;
  });
  at("standings").replaceChildren(...lines);
}

function drawPeople() {
  const lines = room.members.map(({ player: id, name, ready, spectator, connected }) => {
    const marks = [id === room.host && "host", ready && "ready", spectator && "watches", !connected && "away"];
    return element("li", [name, ...marks.filter(Boolean)].join(", "));
  });
  at("people").replaceChildren(...lines);
}

const isReady = () => room.members.some((each) => each.player === player.me && each.ready);

function drawButtons() {
  const here = room?.phase === "racing" && !player.racing ? "watching" : room?.phase;
  for (const button of at("buttons").children) {
    const { phases = "", whose } = button.dataset;
    const isOurs = whose !== "host" || room?.host === player.me;
    button.hidden = phases !== "" && !(phases.includes(here) && isOurs);
    if (button.value === "ready" && here) button.textContent = isReady() ? "not ready" : "ready";
  }
}

// Keep in mind what the room is, and say in words what happened.
function follow(message) {
  const { type, code, text, score, moves, run, state } = message;
  const person = room?.members.find((each) => each.player === message.player);
  if (type in PHASES) room.phase = PHASES[type];
  for (const each of message.members ?? message.results ?? []) names[each.player] = each.name;
  switch (type) {
    case "room":
      room = message;
      location.replace(`#${room.room}`); // so that a reload comes back
      Object.assign(at("link"), { textContent: `Room ${room.room}`, href: `#${room.room}` });
      if (room.current_race) since(room.current_race.elapsed_ms);
      if (room.starts_in_ms !== undefined) since(-room.starts_in_ms);
      return say(room.game ? HINT : "Get ready for the next race; the host starts it.");
    case "resumed":
      return say("Here again.");
    case "member_joined":
      names[message.member.player] = message.member.name;
      return room.members.push(message.member);
    case "member_left":
      return (room.members = room.members.filter((each) => each !== person));
    case "member_disconnected":
    case "member_reconnected":
      return (person.connected = type === "member_reconnected");
    case "ready_changed":
      return Object.assign(person, { ready: message.ready, spectator: person.spectator && !message.ready });
    case "host_changed":
      return (room.host = message.player);
    case "countdown_started":
      return since(-message.starts_in_ms);
    case "race_started":
      for (const each of room.members) each.ready = false;
      since(message.elapsed_ms);
      return say(`Deal ${code}: go! ${player.racing ? HINT : ""}`);
    case "standings":
      return since(message.elapsed_ms);
    case "race_ended":
      return say("The race is over. Get ready for the next one; the host starts it.");
    case "accepted":
      if (state === "forfeited") return say("Given up; for ten seconds undo takes that back.");
      return say(`${score} points, ${moves} moves${run ? ". A run is complete!" : ""}`);
    case "chat_message":
      return say(`${names[message.player]}: ${text}`);
    default:
      if (text && code !== "no_game") say(text); // it is refused, an error or a notice
  }
}

function told(message) {
  follow(message);
  const { type, from, to, rows, results } = message;
  if (["accepted", "game", "race_started"].includes(type)) {
    if (type !== "accepted" || [from, to].includes(held?.from)) held = null;
    drawBoard();
  }
  if (rows || results) drawStandings(rows ?? results);
  if (room) drawPeople();
  drawButtons();
}

function waits() {
  const question = ` Is a server at ${player.url}, and was it started with --origins ${location.origin}?`;
  say(`There is no connection; trying again.${room ? "" : question}`);
}

function ended(why) {
  room = null;
  at("enter").hidden = false;
  at("buttons").hidden = true;
  at("link").textContent = "";
  for (const id of ["board", "standings", "people"]) at(id).replaceChildren();
  say(why);
}

at("enter").onsubmit = (event) => {
  event.preventDefault();
  const { url, room: code, name } = Object.fromEntries(new FormData(event.target));
  sessionStorage.setItem("name", name);
  player = new Client(url, code, name, { storage: localStorage, told, waits, ended });
  player.connect();
  at("enter").hidden = true;
  at("buttons").hidden = false;
  drawButtons();
  say("Connecting...");
};

at("buttons").onclick = ({ target: { value } }) => {
  if (value === "leave" && !player.live) player.stop("left");
  else if (value) player.say(value === "ready" ? { type: "ready", ready: !isReady() } : { type: value });
};

setInterval(() => {
  const isRunning = ["countdown", "racing"].includes(room?.phase);
  at("clock").textContent = isRunning ? time(Date.now() - zero) : "";
}, 200);

const [url, code, name] = ["url", "room", "name"].map((field) => at("enter").elements[field]);
url.value = `${location.protocol === "https:" ? "wss" : "ws"}://${location.hostname}:7466`;
code.value = location.hash.slice(1) || "new";
name.value = sessionStorage.getItem("name") ?? "";
say("");
