// The playground: the page's app on a machine, the core in WebAssembly, which computes its steps. Points are added,
// dragged and removed; labs, generators and numbers of points are chosen.
"use strict";

/// A source of steps, as Recording, which computes them. It has the present one only.
class Machine extends Recording {
  constructor(module) {
    super({});
    this.module = module;
    this.asked = { display: {} };  // of structures: which are shown, "beta" and "alpha"
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
    this.last = undefined;
    delete this.asked.alpha;  // a length among the points
    this.arrive(state);
  }
  /// At a state, whose step is not known yet.
  arrive(state) {
    this.state = state;
    this.present = undefined;
    if (state.done) this.last = state.position;
    else if (state.known > this.last) this.last = undefined;
  }
  get length() { return (this.last === undefined ? this.state.known + 1 : this.last) + 1; }
  isBetween() { return false; }
  numberOf(i) { return i > this.state.known ? "…" : i + 1; }
  reach(i) {
    const to = super.reach(i);
    if (to !== this.state.position) this.arrive(this.ask({ do: "seek", to }));
    return this.state.position;
  }
  step() {
    if (!this.present) {
      for (const list of ["arrays", "texts", "styles", "reports"]) this.data[list] = [];
      this.decoded = [];
      this.present = this.take(this.ask({ do: "scene", ...this.asked }))[0];
    }
    return this.present;
  }
  /// Adds to the lists of the present step. Arrays are copied from the core's memory.
  take({ steps, arrays, ...others }) {
    this.data.arrays.push(...arrays.map(([at, count]) => new Int32Array(this.module.HEAP32.buffer, at, count).slice()));
    for (const list of ["texts", "styles", "reports"]) this.data[list].push(...others[list]);
    return steps;
  }
  report(step, element) {
    const answer = this.ask({ do: "explain", ...element });
    this.take(answer);
    return this.readReport(answer.report);
  }
  finish() {
    this.arrive(this.ask({ do: "finish" }));
    return this.state.ms;
  }
  edit(request) {
    this.last = undefined;
    this.arrive(this.ask({ do: "edit", ...request }));
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
      this.byId("hands").append(button);
    }
    this.take("explain");
    this.byId("tools").onsubmit = (event) => {
      event.preventDefault();
      const count = Math.min(Number(this.byId("count").value), 100000);
      this.open(this.byId("lab").value, `${this.byId("generator").value}:${count}@seed=${this.byId("seed").value}`);
    };
    this.byId("same").onclick = () => this.attempt(() => this.open(this.byId("lab").value, this.source.ask({ do: "points" })));
    this.byId("finish").onclick = () => this.finish();
  }
  take(hand) {
    this.hand = hand;
    for (const button of this.byId("hands").children) button.setAttribute("aria-pressed", button.dataset.hand === hand);
  }
  say(text) { this.byId("said").textContent = text; }
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
      this.byId("lab").value = lab;
      this.byId("title").textContent = this.source.title;
      this.say("");
      this.index = 0;
      this.chosen = null;
      this.camera = { x: 0, y: 0, zoom: 1 };
      this.setTheme(this.dark);
      this.go(0);
    });
  }
  finish() {
    this.attempt(() => {
      const ms = this.source.finish(), { points, position } = this.source.state;
      this.say(`${points.toLocaleString("en")} points in ${ms.toFixed(1)} ms`);
      this.go(position);
    });
  }
  edit(request) {
    this.attempt(() => {
      this.source.edit(request);
      this.chosen = null;
      this.say("");
      this.go(this.source.state.position, true);
    });
  }
  printed() { return [this.index]; }
  makePainter(context, dark) { return new DensePainter(this.source, context, dark); }

  // ---- structures
  /// Those that are not in the picture are rows without elements.
  layers() {
    const layers = super.layers();
    for (const [id, title, sentence] of this.step.structures) {
      const shown = layers.get(id);
      layers.delete(id);
      layers.set(id, shown || [{ id, title, sentence, shown: false, count: 0 }]);
    }
    return layers;
  }
  show(id, on) {
    this.source.asked.display[id] = on;
    this.source.present = undefined;
    super.show(id, on);
  }
  /// With the reason why a structure is absent, and the sliders of β and α.
  legendOf(layers) {
    const [, , , absence] = this.step.structures.find(([id]) => id === layers[0].id) || [], rows = super.legendOf(layers);
    if (absence) rows.push(make("div", `Not shown: ${absence}.`, "entry quiet"));
    if (layers[0].id === "beta-skeleton") rows.push(this.slider("beta", "β", 1.5, 0.1, 10));
    const { spacing } = this.step;
    if (layers[0].id === "alpha-shape") rows.push(this.slider("alpha", "α", spacing, spacing / 10, spacing * 10));
    return rows;
  }
  /// A logarithmic one.
  slider(name, letter, value, least, most) {
    const row = make("label", "", "entry slider"), slide = document.createElement("input"), words = make("output");
    const { asked } = this.source, tell = (number) => { words.textContent = `${letter} = ${Number(number.toPrecision(3))}`; };
    Object.assign(slide, { type: "range", min: Math.log(least), max: Math.log(most), step: "any", ariaLabel: letter,
      value: Math.log(asked[name] || value) });
    tell(asked[name] || value);
    slide.oninput = () => {
      asked[name] = Math.exp(slide.value);
      tell(asked[name]);
      this.source.present = undefined;
      this.draw();
    };
    slide.onchange = () => this.refresh();
    row.append(slide, words);
    return row;
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
