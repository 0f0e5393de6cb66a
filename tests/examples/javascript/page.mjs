// Runs the script of index.html with the little of a browser that it uses: `node page.mjs SCRIPT URL`.
// It enters a new room, gets ready, starts, clicks the free card of the first column, and prints what is shown.

const elements = {};
const element = () => ({
  children: [],
  textContent: "",
  append(...more) {
    this.children.push(...more);
  },
  replaceChildren(...more) {
    this.children = more;
  },
});
globalThis.document = {
  getElementById: (id) => (elements[id] ??= element()),
  createElement: element,
};
globalThis.FormData = class {
  constructor(form) {
    this.form = form;
  }
  *[Symbol.iterator]() {
    yield* Object.entries(this.form);
  }
};
const kept = new Map();
globalThis.localStorage = {
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, value) => kept.set(key, value),
};

const [script, url] = process.argv.slice(2);
await import(script);
const { enter, buttons, status, board, people } = new Proxy(elements, {
  get: (_, id) => document.getElementById(id),
});
const press = (value) => buttons.onclick({ target: { value } });
const until = async (so) => {
  while (!so()) await new Promise((resolve) => setTimeout(resolve, 5));
};

enter.onsubmit({ preventDefault() {}, target: { url, room: "new", name: "Ada" } });
await until(() => status.textContent.startsWith("Room "));
press("ready");
press("start");
await until(() => board.children.length === 10);
console.log(JSON.stringify(board.children.map((column) => column.children.map((card) => card.textContent))));
const free = board.children.findIndex(({ children }) => children.length);
board.children[free].children.at(-1).onclick();
await until(() => status.textContent.includes("moves") || status.textContent.includes("card"));
console.log(status.textContent);
press("forfeit");
await until(() => people.children[0]?.textContent.endsWith("forfeited"));
console.log(people.children[0].textContent, people.children[0].value);
process.exit();
