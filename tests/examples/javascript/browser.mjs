// The little of a browser that page.mjs uses, for Node: `node browser.mjs PAGE ADDRESS`, with the URL of the
// module and the address of the page. Each line that is typed is an expression; its value is printed as JSON.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [page, address] = process.argv.slice(2);

class Element {
  children = [];
  dataset = {};
  textContent = "";
  append(...more) {
    this.children.push(...more);
    for (const each of more) each.parent = this;
  }
  replaceChildren(...more) {
    this.children = [];
    this.append(...more);
  }
  click() {
    if (this.hidden || this.parent?.hidden) throw new Error("nobody can click on what is hidden");
    for (let place = this; place; place = place.parent) place.onclick?.({ target: this });
  }
}

const elements = {};
const byId = (id) => (elements[id] ??= new Element());
const html = readFileSync(new URL("index.html", page), "utf8");
for (const [, attributes, textContent] of html.matchAll(/<button ([^>]*)>([^<]*)</g)) {
  const { value, "data-phases": phases, "data-whose": whose } = Object.fromEntries(
    [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, text]) => [name, text]),
  );
  byId("buttons").append(Object.assign(new Element(), { value, textContent, dataset: { phases, whose } }));
}
byId("enter").elements = { url: {}, room: {}, name: {} };

function storage() {
  const kept = new Map();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
}

Object.assign(globalThis, {
  document: { getElementById: byId, createElement: () => new Element() },
  location: Object.assign(new URL(address), { replace: (hash) => (location.hash = hash) }),
  localStorage: storage(),
  sessionStorage: storage(),
  FormData: class {
    constructor({ elements: fields }) {
      this[Symbol.iterator] = () => Object.entries(fields).map(([name, { value }]) => [name, value]).values();
    }
  },
});
await import(page);

const text = ({ textContent }) => textContent;
const card = (column, count) => byId("board").children[column].children.at(-count);
Object.assign(globalThis, {
  shown: (id) => byId(id).textContent,
  lines: (id) => byId(id).children.map((each) => text(each) || each.children.map(text).join(" ")),
  fields: () => Object.values(byId("enter").elements).map(({ value }) => value),
  buttons: () => byId("buttons").children.filter((each) => !each.hidden && !each.parent.hidden).map(text),
  press: (label) => byId("buttons").children.find((each) => text(each) === label).click(),
  cards: () => byId("board").children.map((column) => column.children.map(text)),
  board: () => byId("board").children.flatMap((column) => column.children),
  click: (column, count) => (card(column, count) ?? byId("board").children[column]).click(),
  enter(url, room, name) {
    const { elements: form } = byId("enter");
    [form.url.value, form.room.value, form.name.value] = [url, room, name];
    byId("enter").onsubmit({ preventDefault() {}, target: byId("enter") });
  },
  async until(isSo) {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2));
  },
});
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify((await (0, eval)(line)) ?? null));
}
process.exit();
