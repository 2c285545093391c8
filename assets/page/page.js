// Steps of a lesson or a run in a page: goes forward and back, explains what is clicked, asks and judges. The source of
// steps is a Recording here, and in the playground a machine that computes them (web/playground.js).
const KINDS = ["vertex", "edge", "triangle", "pixel"];

/// Steps that the program recorded. `array(k)` and `text(k)` look up what steps refer to.
class Recording {
  constructor(data) {
    this.data = data;
    this.decoded = [];
  }
  get title() { return this.data.title; }
  get length() { return this.data.steps.length; }
  step(i) { return this.data.steps[i]; }
  /// Goes to a step; returns where it has come to.
  reach(i) { return Math.min(Math.max(i, 0), this.length - 1); }
  /// A state on the way from one step to the next.
  isBetween(i) { return Boolean(this.data.steps[i].between); }
  /// The number of a step as readers count them.
  numberOf(i) { return this.data.steps[i].step || i + 1; }
  text(k) { return this.data.texts[k]; }
  array(k) {
    if (k === undefined) return [];
    if (!this.decoded[k]) {
      const stored = this.data.arrays[k];
      if (stored.of === undefined) {
        this.decoded[k] = stored;
      } else {
        const values = this.array(stored.of).slice();
        stored.at.forEach((place, i) => { values[place] = stored.to[i]; });
        this.decoded[k] = values;
      }
    }
    return this.decoded[k];
  }
  /// The sections and marks of an element; undefined: it is not explained.
  report(step, element) {
    const list = (step.reports || []).find((one) => one.part === element.part && one.element === element.kind);
    const number = list && this.array(list.ids)[element.id];
    return number === undefined ? undefined : this.readReport(this.data.reports[number]);
  }
  readReport([sections, marks]) {
    const read = sections.map(([title, lines]) => {
      const properties = [];
      for (let i = 0; i < lines.length; i += 3) properties.push(lines.slice(i, i + 3).map((k) => this.text(k)));
      return { title: this.text(title), properties };
    });
    return { sections: read, marks };
  }
}

/// The page: its state, controls and words. `root` has the elements of page.html: the document, or a shadow root whose
/// host is one of several on a page (python/flipscope/widget.js).
class App {
  constructor(source, root = document) {
    this.source = source;
    this.root = root;
    this.index = 0;
    this.dark = this.isDark();
    this.display = {};  // layers that the user has shown or hidden
    this.camera = { x: 0, y: 0, zoom: 1 };
    this.chosen = null;   // the explained element
    this.answered = false;
    this.judged = "";
    this.byId("title").textContent = source.title;
    this.listen();
    if (root === document) this.listenToWindow();
    this.setTheme(this.dark);
    this.begin();
  }
  byId(id) { return this.root.getElementById(id); }
  isDark() { return matchMedia("(prefers-color-scheme: dark)").matches; }

  // ---- steps
  get step() { return this.source.step(this.index); }
  /// Goes to the step that the address names.
  begin() { this.go((parseInt(location.hash.slice(1), 10) || 1) - 1); }
  go(target, keepsCamera = false) {
    const before = this.step, index = this.source.reach(target), to = this.source.step(index);
    const moves = index !== this.index;
    this.index = index;
    if (moves) this.chosen = null, this.answered = false, this.judged = "";
    if (!keepsCamera && (!moves || to.zoom !== before.zoom || String(to.center) !== String(before.center)))
      this.camera = this.cameraOf(to);
    this.byId("timeline").max = this.source.length - 1;
    this.byId("timeline").value = index;
    this.refresh();
  }
  /// The next step that is not between others, in this direction.
  next(direction) {
    let index = this.index + direction;
    while (index > 0 && index < this.source.length - 1 && this.source.isBetween(index)) index += direction;
    return index;
  }
  forward() {
    const last = this.source.length - 1;
    if (!this.playing && this.index < last && this.source.isBetween(this.index + 1)) this.play(this.next(1));
    else this.stop(), this.go(this.next(1));
  }
  back() {
    this.stop();
    this.go(this.next(-1));
  }
  /// Plays up to a step.
  play(end) {
    this.stop();
    const isOver = () => this.index >= Math.min(end, this.source.length - 1);
    if (isOver()) return;
    this.playing = setInterval(() => {
      this.go(this.index + 1);
      if (isOver()) this.stop();
    }, this.source.isBetween(this.index + 1) ? 125 : 700);
    this.byId("play").textContent = "Stop";
  }
  stop() {
    clearInterval(this.playing);
    this.playing = undefined;
    this.byId("play").textContent = "Play";
  }

  // ---- the picture
  cameraOf(step) {
    const camera = { x: 0, y: 0, zoom: step.zoom || 1 }, view = step.views && step.views[step.first];
    if (view && step.center) {
      camera.x = (step.center[0] - view.low[0]) / view.unit - view.size[0] / 2;
      camera.y = (step.center[1] - view.low[1]) / view.unit - view.size[1] / 2;
    }
    return camera;
  }
  /// The views of this step, after those beside it.
  views() {
    const { step } = this, other = step.beside !== undefined ? this.source.step(step.beside).views || [] : [];
    return [...other, ...(step.views || [])];
  }
  partsBefore() { return this.views().length - (this.step.views || []).length; }
  shows(layer) {
    const { step } = this;
    if (layer.id in this.display) return this.display[layer.id];
    return layer.id in step.display ? step.display[layer.id] : layer.shown;
  }
  projections(width, height) {
    const views = this.views(), across = width >= height;
    return views.map((view, i) => {
      const part = (across ? width : height) / views.length;
      const area = across ? { x: i * part, y: 0, width: part, height } : { x: 0, y: i * part, width, height: part };
      const title = views.length > 1 ? 26 : 0;
      return new Projection(view, { ...area, y: area.y + title, height: area.height - title }, this.camera);
    });
  }
  draw() {
    const canvas = this.byId("canvas"), now = this.byId("picture").getBoundingClientRect(), sharp = window.devicePixelRatio || 1;
    const box = now.width > 0 ? now : this.box;  // hidden: as it was
    if (!box) return;
    this.box = box;
    canvas.width = Math.round(box.width * sharp);
    canvas.height = Math.round(box.height * sharp);
    this.paintOn(canvas.getContext("2d"), box.width, box.height, sharp, this.painter);
  }
  paintOn(context, width, height, sharp, painter) {
    const { step } = this;
    painter.context = context;
    context.setTransform(sharp, 0, 0, sharp, 0, 0);
    context.clearRect(0, 0, width, height);
    this.projected = this.projections(width, height);
    if (step.images) return this.paintImage(context, width, height, painter.theme);
    const views = this.views(), before = this.partsBefore();
    views.forEach((view, i) => {
      const projection = this.projected[i], { area } = projection;
      painter.paint(view, projection, (layer) => this.shows(layer));
      const title = step.beside === undefined ? view.title : i < before ? "The step before" : "This step";
      if (views.length > 1) painter.write(title, area.x + area.width / 2, area.y - 12, painter.theme ? "#9aa6b4" : "#57636f", area.width - 12);
    });
    const shift = (marks) => (marks || []).map((mark) => ({ ...mark, part: mark.part + before }));
    painter.marks(shift(step.marks), this.projected);
    if (this.answered && step.question) painter.marks(shift(step.question.marks), this.projected);
    if (this.chosen) painter.marks(shift(this.chosen.marks), this.projected);
    for (const [part, x, y, text] of step.labels || []) {
      const projection = this.projected[part + before];
      painter.write(text, projection.x(x), projection.y(y) - 11, painter.theme ? "#e8ecf1" : "#1a2129");
    }
  }
  paintImage(context, width, height, theme) {
    const { step } = this, image = new Image();
    image.onload = () => {
      if (step !== this.step) return;
      const scale = Math.min(width / image.width, height / image.height);
      const [w, h] = [image.width * scale, image.height * scale];
      context.drawImage(image, (width - w) / 2, (height - h) / 2, w, h);
    };
    image.src = step.images[theme];
  }
  zoomBy(factor, x, y) {
    const projection = this.projected.find((one) => one.holds(x, y)) || this.projected[0];
    if (!projection) return;
    const zoom = Math.min(Math.max(this.camera.zoom * factor, 0.2), 5000), grown = zoom / this.camera.zoom;
    const { area } = projection;
    this.camera.x += ((x - area.x - area.width / 2) / projection.scale) * (1 - 1 / grown);
    this.camera.y -= ((y - area.y - area.height / 2) / projection.scale) * (1 - 1 / grown);
    this.camera.zoom = zoom;
    this.draw();
  }
  pan(dx, dy) {
    if (!this.projected[0]) return;
    this.camera.x -= dx / this.projected[0].scale;
    this.camera.y += dy / this.projected[0].scale;
    this.draw();
  }
  fit() {
    this.camera = this.cameraOf(this.step);
    this.draw();
  }

  // ---- elements
  /// The layer of a view whose elements have these ids.
  layerOf(view, kind) {
    if (kind === 3) return view.layers.find((layer) => layer.kind === "lattice");
    return view.layers.find((layer) => layer.element === kind && layer.numbered);
  }
  /// The nearest vertex, else the nearest edge, else the triangle or pixel around a place of the canvas.
  pick(x, y, reach) {
    const before = this.partsBefore(), own = this.projected.findIndex((one) => one.holds(x, y));
    if (own < before) return null;
    const view = this.views()[own], projection = this.projected[own], part = own - before;
    const [px, py] = projection.back(x, y), radius = reach / projection.scale;
    const found = (kind, id) => ({ kind, id, part });
    const array = (k) => this.source.array(k);
    const [vertices, edges, triangles, lattice] = [0, 1, 2, 3].map((kind) => this.layerOf(view, kind));
    let best = null, least = radius;
    if (vertices && this.shows(vertices)) {
      const at = array(vertices.places), radii = array(vertices.radii);
      for (let i = 0; i < vertices.count; ++i) {
        const size = vertices.kind === "discs" ? radii[i] || vertices.radius : 0;
        const distance = Math.hypot(at[2 * i] - px, at[2 * i + 1] - py) - size;
        if (distance < least) least = distance, best = found(0, i);
      }
    }
    if (best) return best;
    if (edges) {
      const at = array(edges.places), ends = array(edges.ends), isDrawn = this.drawnEdges(view, edges);
      least = radius / 1.5;
      for (let e = 0; e < edges.count; ++e) {
        if (Math.max(ends[2 * e], ends[2 * e + 1]) >= at.length / 2 || !isDrawn(ends[2 * e], ends[2 * e + 1])) continue;
        this.painter.forImages(edges, at, [ends[2 * e], ends[2 * e + 1]], ([p, q]) => {
          const [dx, dy] = [q[0] - p[0], q[1] - p[1]];
          const along = Math.min(Math.max(((px - p[0]) * dx + (py - p[1]) * dy) / (dx * dx + dy * dy || 1), 0), 1);
          const distance = Math.hypot(p[0] + along * dx - px, p[1] + along * dy - py);
          if (distance < least) least = distance, best = found(1, e);
        });
      }
    }
    if (best) return best;
    if (triangles) {
      const at = array(triangles.places), corners = array(triangles.ends);
      const left = (p, q) => (q[0] - p[0]) * (py - p[1]) - (q[1] - p[1]) * (px - p[0]) >= 0;
      for (let t = 0; 3 * t < corners.length && !best; ++t) {
        const ids = [corners[3 * t], corners[3 * t + 1], corners[3 * t + 2]];
        if (ids.some((id) => id >= at.length / 2)) continue;
        this.painter.forImages(triangles, at, ids, ([a, b, c]) => {
          if (left(a, b) && left(b, c) && left(c, a)) best = found(2, t);
        });
      }
    }
    if (best || !lattice) return best;
    const column = Math.floor((px - lattice.corner[0]) / lattice.pixel), row = Math.floor((py - lattice.corner[1]) / lattice.pixel);
    const inside = column >= 0 && row >= 0 && column < lattice.width && row < lattice.height;
    return inside ? found(3, row * lattice.width + column) : null;
  }
  /// A test for the ends of an edge: it is visible, in its own layer or in a graph.
  drawnEdges(view, edges) {
    if (this.shows(edges)) return () => true;
    const drawn = new Set();
    for (const layer of view.layers.filter((one) => one.numbered && one.element === 1 && this.shows(one))) {
      const ends = this.source.array(layer.ends);
      for (let i = 0; i < ends.length; i += 2) drawn.add(`${ends[i]} ${ends[i + 1]}`);
    }
    return (from, to) => drawn.has(`${from} ${to}`);
  }
  /// Explains an element, and judges it as an answer; null: none.
  choose(element) {
    const layer = element && this.layerOf(this.step.views[element.part], element.kind);
    if (!layer || element.id >= (layer.width ? layer.width * layer.height : layer.count)) element = null;
    const { step } = this, question = step.question;
    this.chosen = element && { ...element, ...this.explanation(element) };
    if (question && question.element && !this.answered && element) {
      const [kind, id, part] = question.element;
      this.answered = kind === element.kind && id === element.id && part === element.part;
      this.judged = this.answered ? "Right." : `Not ${this.nameOf(element)}. Try again.`;
    }
    this.refresh();
    if (element && !question && this.root === document) this.byId("explanation-title").scrollIntoView({ behavior: "smooth" });
  }
  nameOf({ kind, id }) { return `${KINDS[kind]} ${id}`; }
  explanation(element) {
    const view = this.step.views[element.part], layer = this.layerOf(view, element.kind);
    const report = this.source.report(this.step, element), { marks, lines } = this.plainly(view, layer, element);
    const classes = this.source.array(layer.classes), entry = classes[element.id] >= 0 && layer.legend[classes[element.id]];
    if (entry && this.source.text(entry[1]))
      lines.unshift([this.source.text(entry[1]), "", this.source.text(entry[2])]);
    const sections = report ? report.sections : [{ title: "", properties: lines }];
    return { sections, marks: [...(report ? report.marks : []), ...marks] };
  }
  /// What the scene itself says of an element, and its outline.
  plainly(view, layer, { kind, id, part }) {
    if (kind === 3) {
      const column = id % layer.width, row = Math.floor(id / layer.width), cell = this.source.array(layer.cells)[id];
      const near = [[0, 0], [1, 0], [1, 1], [0, 1]].flatMap(([x, y]) =>
        [layer.corner[0] + (column + x) * layer.pixel, layer.corner[1] + (row + y) * layer.pixel]);
      const mark = { kind: "polygon", part, places: near };
      return { marks: [mark], lines: [["pixel", `${column}, ${row}`, ""], ...(cell >= 0 ? [["cell", String(cell), ""]] : [])] };
    }
    const places = this.source.array(layer.places), each = kind + 1;
    const ids = kind === 0 ? [id] : Array.from(this.source.array(layer.ends).slice(each * id, each * id + each));
    const finite = ids.filter((corner) => 2 * corner < places.length), at = finite.flatMap((corner) => [places[2 * corner], places[2 * corner + 1]]);
    const place = (i) => [0, 1].map((k) => Number((view.low[k] + at[2 * i + k] * view.unit).toPrecision(7))).join(", ");
    const lines = kind === 0 ? [["place", place(0), ""]]
      : [["vertices", ids.map((corner) => (2 * corner < places.length ? corner : "infinity")).join(", "), ""]];
    const mark = { kind: ["point", "line", "polygon"][kind], part, places: at };
    return { marks: finite.length === ids.length ? [mark] : [], lines };
  }

  // ---- words
  refresh() {
    this.showWords();
    this.showLayers();
    this.showExplanation();
    this.draw();
    const last = this.source.length - 1;
    this.byId("first").disabled = this.byId("back").disabled = this.index === 0;
    this.byId("last").disabled = this.byId("forward").disabled = this.index >= last;
    this.byId("place").textContent = `${this.source.numberOf(this.index)} / ${this.source.numberOf(last)}`;
    this.byId("canvas").setAttribute("aria-label", `Picture of step ${this.index + 1}`);
  }
  wordsOf(step, answered) {
    const words = document.createElement("div"), add = (text, kind) => {
      if (text) words.append(make("p", text, kind));
    };
    if (step.caption !== undefined) {
      add(step.why, "why");
      add(step.caption);
      add(step.note, "quiet");
    } else {
      add(`${step.position > 0 ? `Pass ${step.position}: ` : ""}${step.pass}${step.done ? ", the end" : ""}`, "why");
      add(step.sentence);
      add(step.message, "quiet");
      const counters = (step.counters || []).map(([name, count]) => `${name} ${count.toLocaleString("en")}`);
      add(counters.join(" · "), "counters");
    }
    if (step.question) {
      add(step.question.ask, "question");
      if (answered) add(step.question.answer, "right");
    }
    return words;
  }
  showWords() {
    const { step } = this, words = this.wordsOf(step, this.answered);
    if (this.judged && !this.answered) words.append(make("p", this.judged, "wrong"));
    if (step.question && !this.answered) {
      const button = make("button", "Show the answer");
      button.onclick = () => { this.answered = true; this.judged = ""; this.refresh(); };
      words.querySelector(".question").append(" ", button);
    }
    this.byId("words").replaceChildren(...words.childNodes);
  }
  /// Those of all views of this step by id.
  layers() {
    const layers = new Map();
    for (const view of this.step.views || [])
      for (const layer of view.layers) layers.set(layer.id, [...(layers.get(layer.id) || []), layer]);
    return layers;
  }
  show(id, on) {
    this.display[id] = on;
    this.refresh();
  }
  /// The layers of this step with the legend of what occurs in them.
  showLayers() {
    const list = this.byId("layers"), rows = [];
    for (const same of this.layers().values()) {
      const row = make("label", "", "layer"), box = document.createElement("input"), [{ id, title, sentence }] = same;
      box.type = "checkbox";
      box.checked = this.shows(same[0]);
      box.onchange = () => this.show(id, box.checked);
      const count = same.reduce((sum, layer) => sum + this.countOf(layer), 0);
      row.title = sentence;
      row.append(box, make("span", title), make("span", count > 0 ? count.toLocaleString("en") : "", "count"));
      rows.push(row);
      if (box.checked) rows.push(...this.legendOf(same));
    }
    if (this.step.images) rows.push(make("p", "This step has too many elements to show one by one: it is a picture.", "quiet"));
    const active = this.root.activeElement, focused = active && list.contains(active) ? active.closest(".layer") : null;
    const place = focused ? [...list.querySelectorAll(".layer")].indexOf(focused) : -1;
    list.replaceChildren(...rows);
    if (place >= 0 && list.querySelectorAll(".layer input")[place]) list.querySelectorAll(".layer input")[place].focus();
  }
  /// The number of elements without those at infinity; of a lattice none.
  countOf(layer) {
    if (layer.kind === "lattice") return 0;
    if (layer.ends === undefined) return layer.count;
    const ends = this.source.array(layer.ends), each = layer.kind === "triangles" ? 3 : 2;
    const places = this.source.array(layer.places).length / 2;
    let finite = 0;
    for (let i = 0; i < ends.length; i += each) finite += Math.max(ends[i], ends[i + 1], ends[i + each - 1]) < places;
    return finite;
  }
  /// Names, sentences and counts of the entries that occur. Shades count for the entry before them.
  entriesOf(layers) {
    const entries = new Map();
    for (const layer of layers) {
      const counts = new Map();
      for (const k of this.source.array(layer.classes)) if (k >= 0) counts.set(k, (counts.get(k) || 0) + 1);
      for (const [k, count] of [...counts].sort((a, b) => a[0] - b[0])) {
        let named = k;
        while (named > 0 && !this.source.text(layer.legend[named][1])) --named;
        const [style, text, sentence] = layer.legend[named], name = this.source.text(text);
        const colour = (entry) => this.source.data.styles[entry[0]].colours[0].slice(0, 7);
        if (!name || colour(layer.legend[named]) !== colour(layer.legend[k])) continue;
        const entry = entries.get(name) || { name, sentence: this.source.text(sentence), style, count: 0 };
        entry.count += count;
        entries.set(name, entry);
      }
    }
    return [...entries.values()];
  }
  legendOf(layers) {
    const rows = this.entriesOf(layers).map(({ name, sentence, style, count }) => {
      const row = make("div", "", "entry"), swatch = make("span", "", "swatch"), isAll = name === layers[0].title;
      const text = make("span", isAll ? "" : name);
      swatch.style.background = this.painter.colour(this.painter.style(style).colours).slice(0, 7);
      if (sentence) text.append(make("small", sentence));
      row.append(swatch, text, make("span", isAll ? "" : count.toLocaleString("en"), "count"));
      return row;
    });
    const scaled = layers.find((layer) => layer.scale);
    if (scaled && scaled.scale.classes.length === 0) {
      const { scale } = scaled, bar = make("div", "", "bar"), ends = make("div", "", "ends");
      bar.style.background = `linear-gradient(90deg, ${scale.stops.map((stop) => this.painter.colour(stop)).join()})`;
      const number = (value) => `${Number(value.toPrecision(4))}`;
      ends.append(make("span", number(scale.low)), make("span", `${scale.name}${scale.unit ? `, ${scale.unit}` : ""}`), make("span", number(scale.high)));
      rows.push(bar, ends);
    }
    return rows;
  }
  showExplanation() {
    const parts = [];
    if (this.chosen) {
      parts.push(make("h3", this.nameOf(this.chosen)));
      for (const { title, properties } of this.chosen.sections) {
        if (title) parts.push(make("h3", title));
        const list = document.createElement("dl");
        for (const [name, value, remark] of properties) {
          const shown = make("dd", value);
          if (remark) shown.append(make("small", remark));
          list.append(make("dt", name), shown);
        }
        parts.push(list);
      }
    }
    this.byId("explanation").replaceChildren(...parts);
  }
  setTheme(dark) {
    this.dark = dark;
    (this.root.host || document.documentElement).classList.toggle("dark", dark);
    this.painter = this.makePainter(this.byId("canvas").getContext("2d"), dark);
  }
  makePainter(context, dark) { return new Painter(this.source, context, dark); }

  // ---- input
  listen() {
    const press = { first: () => this.go(0), back: () => this.back(), forward: () => this.forward(),
      last: () => this.go(this.source.length - 1),
      play: () => (this.playing ? this.stop() : this.play(Infinity)),
      theme: () => { this.setTheme(!this.dark); this.refresh(); }, "zoom-fit": () => this.fit(),
      "zoom-in": () => this.zoomMiddle(1.5), "zoom-out": () => this.zoomMiddle(1 / 1.5) };
    for (const [id, act] of Object.entries(press)) this.byId(id).onclick = act;
    const keys = { ArrowRight: "forward", " ": "forward", PageDown: "forward", ArrowLeft: "back", PageUp: "back",
      Home: "first", End: "last", p: "play", t: "theme", "+": "zoom-in", "=": "zoom-in", "-": "zoom-out", 0: "zoom-fit" };
    this.root.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.id === "element") return;
      if (event.key === " " && /^(BUTTON|INPUT)$/.test(event.target.tagName)) return;
      if (event.target.id === "timeline" && event.key.startsWith("Arrow")) return;
      if (event.key === "Escape") return this.choose(null);
      if (!(event.key in keys)) return;
      event.preventDefault();
      press[keys[event.key]]();
    });
    this.byId("timeline").oninput = (event) => { this.stop(); this.go(Number(event.target.value)); };
    this.byId("find").onsubmit = (event) => {
      event.preventDefault();
      const [, word, id] = /^\s*(vertex|edge|triangle)[\s:]*(\d+)\s*$/i.exec(this.byId("element").value) || [];
      const kind = KINDS.indexOf((word || "").toLowerCase());
      const layer = kind >= 0 && this.step.views && this.layerOf(this.step.views[this.step.first], kind);
      if (layer && Number(id) < layer.count) this.choose({ kind, id: Number(id), part: this.step.first });
    };
    new ResizeObserver(() => this.draw()).observe(this.byId("picture"));
    this.listenToPointers(this.byId("canvas"));
  }
  listenToWindow() {
    window.addEventListener("hashchange", () => this.begin());
    window.addEventListener("beforeprint", () => this.printSlides());
    window.addEventListener("afterprint", () => { this.setTheme(this.dark); this.refresh(); });
  }
  zoomMiddle(factor) {
    const box = this.byId("canvas").getBoundingClientRect();
    this.zoomBy(factor, box.width / 2, box.height / 2);
  }
  /// For pages that do more with a pointer: true if it is done.
  handle() { return false; }
  /// Whether the wheel zooms, rather than scrolls what is around the picture.
  zoomsBy() { return true; }
  /// A drag moves the picture, or steps if all of it is visible; two fingers zoom; a tap explains.
  listenToPointers(canvas) {
    const held = new Map(), reach = (event) => (event.pointerType === "touch" ? 22 : 10);
    let moved = 0, begun = null;
    const local = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      held.set(event.pointerId, local(event));
      if (held.size === 1) moved = 0, begun = local(event), this.handle("press", begun, reach(event), event);
    });
    canvas.addEventListener("pointermove", (event) => {
      const from = held.get(event.pointerId), to = local(event);
      if (!from) return;
      moved += Math.hypot(to[0] - from[0], to[1] - from[1]);
      const other = [...held].find(([id]) => id !== event.pointerId);
      if (other) {
        const apart = (p) => Math.max(Math.hypot(p[0] - other[1][0], p[1] - other[1][1]), 1);
        this.zoomBy(apart(to) / apart(from), (to[0] + other[1][0]) / 2, (to[1] + other[1][1]) / 2);
      }
      if (this.handle("drag", to, reach(event), event)) return held.set(event.pointerId, to);
      const swipes = event.pointerType === "touch" && this.camera.zoom <= 1;
      if (moved > 4 && !swipes) this.pan((to[0] - from[0]) / held.size, (to[1] - from[1]) / held.size);
      held.set(event.pointerId, to);
    });
    const end = (event) => {
      const at = held.get(event.pointerId), touch = event.pointerType === "touch";
      held.delete(event.pointerId);
      if (!at || held.size > 0 || event.type === "pointercancel") return;
      const along = at[0] - begun[0];
      if (this.handle("release", at, reach(event), event) || (moved < 5 && this.handle("tap", at, reach(event), event))) return;
      if (moved < (touch ? 12 : 5)) this.choose(this.pick(...at, reach(event)));
      else if (touch && this.camera.zoom <= 1 && Math.abs(along) > 40) along < 0 ? this.forward() : this.back();
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("wheel", (event) => {
      if (!this.zoomsBy(event)) return;
      event.preventDefault();
      this.zoomBy(Math.exp(-event.deltaY / 400), ...local(event));
    }, { passive: false });
  }
  /// The steps that have slides.
  printed() { return [...Array(this.source.length).keys()].filter((i) => !this.source.isBetween(i)); }
  /// A slide for each of them, in light colours.
  printSlides() {
    const slides = [], kept = { index: this.index, camera: this.camera, answered: this.answered, chosen: this.chosen };
    const painter = this.makePainter(null, false);
    this.chosen = null;
    for (const i of this.printed()) {
      const step = this.source.step(i);
      this.index = i;
      this.camera = this.cameraOf(step);
      this.answered = true;
      const slide = make("div", "", "slide"), image = new Image();
      if (step.images) {
        image.src = step.images[0];
      } else {
        const canvas = document.createElement("canvas"), [width, height] = [900, 540];
        canvas.width = 2 * width;
        canvas.height = 2 * height;
        this.paintOn(canvas.getContext("2d"), width, height, 2, painter);
        image.src = canvas.toDataURL();
      }
      slide.append(image, this.wordsOf(step, true));
      slides.push(slide);
    }
    Object.assign(this, kept);
    document.documentElement.classList.remove("dark");
    this.byId("slides").replaceChildren(...slides);
  }
}

function make(tag, text, kind) {
  const made = document.createElement(tag);
  if (text) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

/// The text of base64 of a zlib stream.
async function inflate(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

async function start() {
  const data = document.querySelector("script#data");
  if (data && data.textContent.trim()) window.app = new App(new Recording(JSON.parse(await inflate(data.textContent))));
}
start();
