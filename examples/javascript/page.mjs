// The script of index.html: it shows what the client receives, and sends what is clicked.

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
let player, room, held, zero; // `zero` is the start of the race on the clock of this computer

const showStatus = (text) => (at("status").textContent = text);
const since = (elapsed) => (zero = Date.now() - elapsed);

function element(tag, text, more = {}) {
  return Object.assign(document.createElement(tag), { textContent: text, ...more });
}

function time(ms) {
  const seconds = Math.abs(Math.floor(ms / 1000)); // negative before the start
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// The first click picks up a card and all below it, the second one is where they go.
function click(column, cards) {
  const isDropped = held && (held.from !== column || held.cards === cards);
  const goal = held?.from === column ? { type: "auto_move" } : { type: "move", to: column };
  if (isDropped) player.submit({ ...held, ...goal });
  held = isDropped || !cards ? null : { from: column, cards };
  drawBoard();
}

function card(text, column, cards) {
  const isHeld = held?.from === column && held.cards >= cards;
  const className = `${"HD".includes(text[1]) ? "red" : ""} ${isHeld ? "held" : ""}`;
  const shown = text[0].replace("T", "10") + SUITS[text[1]];
  return element("button", shown, { className, onclick: () => click(column, cards) });
}

// Called only when the board changes: a click on a card that is replaced at that moment would be lost.
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

function drawMembers() {
  const lines = room.members.map(({ player: id, name, ready, spectator, connected }) => {
    const marks = { host: id === room.host, ready, spectator, disconnected: !connected };
    return element("li", [name, ...Object.keys(marks).filter((mark) => marks[mark])].join(", "));
  });
  at("members").replaceChildren(...lines);
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

// Update the room, and show in words what happened.
function follow(message) {
  const { type, code, text, score, moves, run, state } = message;
  const member = room?.members.find((each) => each.player === message.player);
  if (type in PHASES) room.phase = PHASES[type];
  for (const each of message.members ?? message.results ?? []) names[each.player] = each.name;
  switch (type) {
    case "room":
      room = message;
      location.replace(`#${room.room}`); // so that a reload returns to the room
      Object.assign(at("link"), { textContent: `Room ${room.room}`, href: `#${room.room}` });
      if (room.current_race) since(room.current_race.elapsed_ms);
      if (room.starts_in_ms !== undefined) since(-room.starts_in_ms);
      return showStatus(room.game ? HINT : "Get ready for the next race; the host starts it.");
    case "resumed":
      return showStatus("Connected again.");
    case "member_joined":
      names[message.member.player] = message.member.name;
      return room.members.push(message.member);
    case "member_left":
      return (room.members = room.members.filter((each) => each !== member));
    case "member_disconnected":
    case "member_reconnected":
      return (member.connected = type === "member_reconnected");
    case "ready_changed":
      return Object.assign(member, { ready: message.ready, spectator: member.spectator && !message.ready });
    case "host_changed":
      return (room.host = message.player);
    case "countdown_started":
      return since(-message.starts_in_ms);
    case "race_started":
      for (const each of room.members) each.ready = false;
      since(message.elapsed_ms);
      return showStatus(`Deal ${code}: go! ${player.racing ? HINT : ""}`);
    case "standings":
      return since(message.elapsed_ms);
    case "race_ended":
      return showStatus("The race is over. Get ready for the next one; the host starts it.");
    case "accepted":
      if (state === "forfeited") return showStatus("You have forfeited. Undo within ten seconds to go on.");
      return showStatus(`${score} points, ${moves} moves${run ? ". A run is complete!" : ""}`);
    case "chat_message":
      return showStatus(`${names[message.player]}: ${text}`);
    default:
      if (text && code !== "no_game") showStatus(text); // a refusal, an error or a notice
  }
}

function onMessage(message) {
  follow(message);
  const { type, from, to, rows, results } = message;
  if (["accepted", "game", "race_started"].includes(type)) {
    if (type !== "accepted" || [from, to].includes(held?.from)) held = null;
    drawBoard();
  }
  if (rows || results) drawStandings(rows ?? results);
  if (room) drawMembers();
  drawButtons();
}

function onReconnect() {
  const question = ` Is a server at ${player.url}, and was it started with --origins ${location.origin}?`;
  showStatus(`There is no connection; trying again.${room ? "" : question}`);
}

function onEnd(why) {
  room = null;
  at("enter").hidden = false;
  at("buttons").hidden = true;
  at("link").textContent = "";
  for (const id of ["board", "standings", "members"]) at(id).replaceChildren();
  showStatus(why);
}

at("enter").onsubmit = (event) => {
  event.preventDefault();
  const { url, room: code, name } = Object.fromEntries(new FormData(event.target));
  sessionStorage.setItem("name", name);
  player = new Client(url, code, name, { storage: localStorage, onMessage, onReconnect, onEnd });
  player.connect();
  at("enter").hidden = true;
  at("buttons").hidden = false;
  drawButtons();
  showStatus("Connecting...");
};

at("buttons").onclick = ({ target: { value } }) => {
  if (value === "leave" && !player.live) player.stop("left");
  else if (value) player.submit(value === "ready" ? { type: "ready", ready: !isReady() } : { type: value });
};

setInterval(() => {
  const isRunning = ["countdown", "racing"].includes(room?.phase);
  at("clock").textContent = isRunning ? time(Date.now() - zero) : "";
}, 200);

const [url, code, name] = ["url", "room", "name"].map((field) => at("enter").elements[field]);
url.value = `${location.protocol === "https:" ? "wss" : "ws"}://${location.hostname}:7466`;
code.value = location.hash.slice(1) || "new";
name.value = sessionStorage.getItem("name") ?? "";
showStatus("");
