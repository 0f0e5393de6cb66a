// The rules of a move, checked as our engine checks them: cards are 16 * suit + rank, the length of the last group
// is kept for each column, the same five rules refuse a move, and a complete run is removed at once.

const RUN = 13;

function groupLength(column) {
  if (column.length === 0) return 0;
  let length = 1;
  while (length < column.length && column.at(-length - 1) - column.at(-length) === 1) length += 1;
  return length;
}

export class Game {
  constructor(columns) {
    this.columns = columns.map((column) => column.slice());
    this.groups = this.columns.map(groupLength);
    this.history = [];
    this.moves = 0;
    this.runs = 0;
    this.progress = 0;
    for (const column of this.columns) {
      for (let at = 1; at < column.length; at += 1) if (column[at - 1] - column[at] === 1) this.progress += 1;
    }
  }

  get score() {
    return 500 - this.moves + 100 * this.runs;
  }

  get won() {
    return this.columns.every((column) => column.length === 0);
  }

  check(source, target, cards) {
    if (!(source >= 0 && source < 10 && target >= 0 && target < 10)) return "no_such_column";
    if (source === target) return "same_column";
    if (!(cards >= 1 && cards <= this.groups[source])) return "bad_cards";
    const destination = this.columns[target];
    if (destination.length === 0) return null;
    const first = this.columns[source].at(-cards);
    return ((destination.at(-1) - first) & 15) === 1 ? null : "rank_mismatch";
  }

  move(source, target, cards) {
    const refusal = this.check(source, target, cards);
    if (refusal !== null) return refusal;
    const origin = this.columns[source];
    const destination = this.columns[target];
    const first = origin.at(-cards);
    let length = cards;
    if (destination.length > 0 && destination.at(-1) - first === 1) {
      length += this.groups[target];
      this.progress += 1;
    }
    if (cards === 1) destination.push(origin.pop());
    else destination.push(...origin.splice(-cards));
    const left = this.groups[source] - cards;
    if (left > 0) {
      this.groups[source] = left;
      this.progress -= 1;
    } else this.groups[source] = groupLength(origin);
    let run = null;
    if (length < RUN) this.groups[target] = length;
    else {
      destination.splice(-RUN);
      this.groups[target] = groupLength(destination);
      run = first >> 4;
      this.runs += 1;
    }
    this.moves += 1;
    this.history.push({ source, target, cards, run });
    if (this.history.length > 100) this.history.shift();
    return this.history.at(-1);
  }

  undo() {
    const step = this.history.pop();
    if (step === undefined) return "nothing_to_undo";
    const { source, target, cards, run } = step;
    const origin = this.columns[source];
    const destination = this.columns[target];
    let together = this.groups[target];
    if (run !== null) {
      for (let rank = RUN; rank > 0; rank -= 1) destination.push(run * 16 + rank);
      together = RUN;
      this.runs -= 1;
    }
    origin.push(...destination.splice(-cards));
    this.groups[source] = groupLength(origin);
    this.groups[target] = groupLength(destination);
    this.progress += (this.groups[source] > cards) - (together > cards);
    this.moves -= 1;
    return step;
  }
}
