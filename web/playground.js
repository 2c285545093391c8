// The playground: the page's app on a machine, the core in WebAssembly, which computes its steps. Points are added,
// dragged and removed; labs, generators and numbers of points are chosen.
"use strict";

/// A source of steps, as Recording. Steps are computed when they are first asked for, and kept until an edit.
class Machine extends Recording {
  constructor(module) {
    super({ steps: [], arrays: [], texts: [], styles: [], reports: [] });
    this.module = module;
  }
  /// Asks the core. Throws Error with its sentence.
  ask(request) {
    const answer = JSON.parse(this.module.ccall("flipscope_answer", "string", ["string"], [JSON.stringify(request)]));
    if (answer.error) throw new Error(answer.error);
    return answer;
  }
  open(lab, points, parameters = {}) {
    const state = this.ask({ do: "open", lab, points, parameters });
    this.data = state.page;
    this.decoded = [];
    this.lab = lab;
    this.isLarge = state.points > 5000;
    this.forget(state);
  }
  /// After an edit: only the present step is known.
  forget(state) {
    this.state = state;
    this.known = new Map();
  }
  get length() { return this.isLarge ? 1 : this.state.known + (this.state.done ? 1 : 2); }
  take(added) {
    for (const list of ["arrays", "texts", "styles", "reports"]) this.data[list].push(...added[list]);
    return added.steps;
  }
  seek(to) {
    if (this.state.position !== to && !this.isLarge) this.state = this.ask({ do: "seek", to });
  }
  step(i) {
    if (!this.known.has(i)) {
      this.seek(i);
      const at = this.isLarge ? i : this.state.position;
      if (!this.known.has(at)) this.known.set(at, this.take(this.ask({ do: "scene" }))[0]);
      return this.known.get(at);
    }
    return this.known.get(i);
  }
  report(step, element) {
    this.seek(step.position);
    const answer = this.ask({ do: "explain", ...element });
    this.take(answer);
    return this.readReport(answer.report);
  }
  finish() {
    this.state = this.ask({ do: "finish" });
    if (this.isLarge) this.known = new Map();
    return this.state.ms;
  }
  edit(request) {
    this.forget(this.ask({ do: "edit", ...request }));
  }
}

class Playground extends App {
  constructor(machine) {
    machine.open("build", "uniform:30");
    super(machine);
    this.hand = "explain";
    this.addTools();
  }
  addTools() {
    const tools = document.createElement("section");
    tools.innerHTML = `<h2>Playground</h2><form id="tools">
      <select id="lab" aria-label="Lab"><option value="build">Build<option value="flip">Flip<option value="serial">Serial<option value="strips">Strips</select>
      <select id="generator" aria-label="Points"><option>uniform<option>grid<option>ring<option>clusters<option>blue-noise<option>line<option>duplicates<option>near-grid<option>near-ring</select>
      <label>Points <input id="count" type="number" min="0" max="100000" value="30"></label>
      <label>Seed <input id="seed" type="number" min="1" value="1"></label><button>New</button>
      <button type="button" id="same">Same points</button><button type="button" id="finish">Finish</button></form>
      <div id="hands" role="group" aria-label="What a click does"></div><p id="said" aria-live="polite"></p>`;
    document.querySelector("aside").prepend(tools);
    for (const hand of ["explain", "add", "move", "remove", "flip"]) {
      const button = make("button", hand[0].toUpperCase() + hand.slice(1));
      button.onclick = () => this.take(hand);
      button.dataset.hand = hand;
      byId("hands").append(button);
    }
    this.take("explain");
    byId("tools").onsubmit = (event) => {
      event.preventDefault();
      const count = Math.min(Number(byId("count").value), 100000);
      this.open(byId("lab").value, `${byId("generator").value}:${count}@seed=${byId("seed").value}`);
    };
    byId("same").onclick = () => this.attempt(() => this.open(byId("lab").value, this.source.ask({ do: "points" })));
    byId("finish").onclick = () => this.finish();
  }
  take(hand) {
    this.hand = hand;
    for (const button of byId("hands").children) button.setAttribute("aria-pressed", button.dataset.hand === hand);
  }
  say(text) { byId("said").textContent = text; }
  /// Does something; the core's sentence is shown if it is impossible.
  attempt(act) {
    try {
      act();
    } catch (error) {
      this.say(error.message);
    }
  }
  open(lab, points) {
    this.attempt(() => {
      this.stop();
      this.source.open(lab, points);
      byId("lab").value = lab;
      byId("title").textContent = this.source.title;
      this.say("");
      this.index = 0;
      this.chosen = null;
      this.camera = { x: 0, y: 0, zoom: 1 };
      this.setTheme(this.dark);
      if (this.source.isLarge) this.finish();
      else this.go(0);
    });
  }
  finish() {
    this.attempt(() => {
      const ms = this.source.finish();
      this.say(`${this.source.state.points.toLocaleString("en")} points in ${ms.toFixed(1)} ms`);
      this.go(this.source.isLarge ? 0 : this.source.state.position);
    });
  }
  edit(request) {
    this.attempt(() => {
      this.source.edit(request);
      this.say("");
      this.go(this.source.state.position, true);
    });
  }
  /// A place of the canvas in world units.
  worldAt([x, y]) {
    const view = this.step.views[0], at = this.projected[0].back(x, y);
    return { x: view.low[0] + at[0] * view.unit, y: view.low[1] + at[1] * view.unit };
  }
  /// Called by the page for what a pointer does; true: it is done.
  handle(event, at, reach) {
    if (this.hand === "explain") return false;
    if (event === "press") {
      const found = this.hand === "move" ? this.pick(...at, reach) : null;
      this.held = found && found.kind === 0 ? found : null;
      return Boolean(this.held);
    }
    if (event === "drag" && this.held) {
      this.edit({ kind: "move", id: this.held.id, goes_on: this.held.moved === true, ...this.worldAt(at) });
      this.held.moved = true;
    }
    if (event !== "tap") {
      const held = this.held;
      if (event === "release") this.held = null;
      return Boolean(held);
    }
    const found = this.pick(...at, reach), kinds = { remove: 0, flip: 1 };
    if (this.hand === "add") this.edit({ kind: "add", ...this.worldAt(at) });
    else if (found && found.kind === kinds[this.hand]) this.edit({ kind: this.hand, id: found.id });
    return true;
  }
}

if (typeof document !== "undefined")
  make_flipscope().then((module) => { window.app = new Playground(new Machine(module)); });
