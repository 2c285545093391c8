// The widget of a notebook: the page's app in a shadow root. The kernel's model has the step and the selection: points by
// index in the input, edges and triangles by those of their corners.
const SELECTED = ["selection", "selected_edges", "selected_triangles"];  // by kind of element
const RING = ["#1a2129", "#e8ecf1"];
const keyOf = (points) => [points].flat().sort((a, b) => a - b).join();

class Selecting extends App {
  get model() { return this.source.model; }
  begin() { this.go(this.model.get("step")); }
  go(target, keepsCamera) {
    super.go(target, keepsCamera);
    this.put({ step: this.index });
  }
  put(values) {
    for (const [name, value] of Object.entries(values)) this.model.set(name, value);
    this.model.save_changes();
  }
  /// As the notebook's theme; elsewhere as the system.
  isDark() {
    const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
    if (jpThemeLight) return jpThemeLight === "false";
    return vscodeThemeKind ? /dark|high-contrast$/.test(vscodeThemeKind) : super.isDark();
  }
  followTheme() {
    this.setTheme(this.isDark());
    this.refresh();
  }
  /// Only after a click: otherwise the wheel scrolls the notebook.
  zoomsBy(event) { return event.ctrlKey || this.root.activeElement === this.byId("canvas"); }

  // ---- the selection
  /// A function from vertices of a view to points of the input; undefined: made by the lab, or a copy.
  inputsOf(view) {
    const holder = [view, ...view.layers].find((one) => one.inputs !== undefined);
    const inputs = holder && this.source.array(holder.inputs);
    const isLattice = view.layers.some((one) => one.kind === "lattice");
    const count = this.model.get("point_count"), known = (i) => (i < count ? i : undefined);
    return (vertex) => (inputs ? known(inputs[vertex]) : isLattice ? undefined : known(vertex));
  }
  pointsOf({ kind, id, part }) {
    const view = this.step.views[part], layer = kind <= 2 && this.layerOf(view, kind), corners = kind + 1;
    if (!layer) return null;
    const ids = kind === 0 ? [id] : [...this.source.array(layer.ends).slice(corners * id, corners * (id + 1))];
    const points = ids.map(this.inputsOf(view));
    if (points.includes(undefined)) return null;
    return kind === 0 ? points[0] : kind === 1 ? points.sort((a, b) => a - b) : points;
  }
  /// Selects one element, or with `adds` adds it to the others or removes it from them.
  select(element, adds) {
    const points = element && this.pointsOf(element), values = {};
    SELECTED.forEach((name, kind) => {
      const before = adds ? this.model.get(name) : [], isOther = (one) => keyOf(one) !== keyOf(points);
      values[name] = before;
      if (points === null || kind !== element.kind) return;
      values[name] = before.filter(isOther);
      if (values[name].length === before.length) values[name].push(points);
    });
    this.put(values);
  }
  /// Selects the vertices within a box or a lasso.
  selectWithin({ isLasso, places }) {
    const a = places[0], b = places[places.length - 1], before = this.partsBefore(), found = new Set();
    const outline = isLasso ? places : [a, [b[0], a[1]], b, [a[0], b[1]]];
    const crosses = ([px, py], [qx, qy], x, y) => py > y !== qy > y && x < px + ((y - py) / (qy - py)) * (qx - px);
    this.projected.forEach((projection, own) => {
      const view = own >= before && projection.holds(...a) && this.step.views[own - before];
      const layer = view && this.layerOf(view, 0);
      if (!layer) return;
      const at = this.source.array(layer.places), inputOf = this.inputsOf(view);
      for (let i = 0; i < layer.count; ++i) {
        const x = projection.x(at[2 * i]), y = projection.y(at[2 * i + 1]);
        const isInside = outline.filter((p, k) => crosses(p, outline[(k + 1) % outline.length], x, y)).length % 2 === 1;
        if (isInside && inputOf(i) !== undefined) found.add(inputOf(i));
      }
    });
    this.put({ selection: [...found].sort((p, q) => p - q), selected_edges: [], selected_triangles: [] });
  }
  /// Ctrl with a drag selects in a box, with Shift in a lasso; a click selects, and explains where Ctrl is not held.
  handle(event, at, reach, { ctrlKey, metaKey, shiftKey }) {
    const adds = ctrlKey || metaKey, { loop } = this;
    if (event === "press") this.loop = adds ? { isLasso: shiftKey, places: [at] } : null;
    if (event === "drag" && loop) {
      loop.places.push(at);
      this.draw();
    }
    if (event === "release" && loop) {
      this.loop = null;
      const isDrag = loop.places.some(([x, y]) => Math.hypot(x - loop.places[0][0], y - loop.places[0][1]) >= 5);
      if (isDrag) this.selectWithin(loop);
      this.draw();
      return isDrag;
    }
    if (event === "tap") this.select(this.pick(...at, reach), adds);
    return event === "tap" ? adds : Boolean(loop);
  }
  paintOn(context, width, height, sharp, painter) {
    super.paintOn(context, width, height, sharp, painter);
    if (this.step.images) return;
    const before = this.partsBefore(), [points, edges, triangles] = SELECTED.map((name) => this.model.get(name));
    this.step.views.forEach((view, part) => {
      const projection = this.projected[part + before], layer = this.layerOf(view, 0), vertexOf = new Map();
      if (!layer) return;
      const inputOf = this.inputsOf(view), at = this.source.array(layer.places);
      for (let i = layer.count; i-- > 0;) vertexOf.set(inputOf(i), i);
      const forPlaces = (ids, draw) => {
        const vertices = ids.map((id) => vertexOf.get(id));
        if (!vertices.includes(undefined)) painter.forImages(layer, at, vertices, draw);
      };
      const marks = [], mark = (kind) => (shape) => marks.push({ kind, part: part + before, places: shape.flat() });
      edges.forEach((ids) => forPlaces(ids, mark("line")));
      triangles.forEach((ids) => forPlaces(ids, mark("polygon")));
      painter.marks(marks, this.projected);
      const radius = painter.dot / 2 + 4;
      context.beginPath();
      for (const id of points)
        forPlaces([id], ([place]) => {
          const x = projection.x(place[0]), y = projection.y(place[1]);
          context.moveTo(x + radius, y);
          context.arc(x, y, radius, 0, 2 * Math.PI);
        });
      for (const [colour, thick] of [[painter.canvasColour(), 4.5], [painter.colour(RING), 2.2]])
        Object.assign(context, { strokeStyle: colour, lineWidth: thick }).stroke();
    });
    if (!this.loop) return;
    const { isLasso, places } = this.loop, [x, y] = places[0], [u, v] = places[places.length - 1];
    context.beginPath();
    if (isLasso) places.forEach((p, k) => context[k ? "lineTo" : "moveTo"](...p));
    else context.rect(x, y, u - x, v - y);
    Object.assign(context, { strokeStyle: painter.colour(RING), lineWidth: 1.5 }).stroke();
  }
}

async function render({ model, el }) {
  const host = document.createElement("div"), root = host.attachShadow({ mode: "open" });
  root.innerHTML = `<style>${STYLE}</style><div class="page">${BODY}</div>`;
  host.dataset.lmSuppressShortcuts = "true";  // JupyterLab's, while the widget has the focus
  root.addEventListener("keydown", (event) => event.stopPropagation());
  el.append(host);
  const data = JSON.parse(await inflate(model.get("_data")));
  const app = host.app = new Selecting(Object.assign(new Recording(data), { model }), root);
  const follow = { "change:step": () => model.get("step") !== app.index && app.go(model.get("step")) };
  for (const name of SELECTED) follow[`change:${name}`] = () => app.draw();
  for (const [name, act] of Object.entries(follow)) model.on(name, act);
  const theme = new MutationObserver(() => app.followTheme()), system = matchMedia("(prefers-color-scheme: dark)");
  theme.observe(document.body, { attributeFilter: ["data-jp-theme-light", "data-vscode-theme-kind"] });
  system.onchange = () => app.followTheme();
  return () => {
    app.stop();
    theme.disconnect();
    system.onchange = null;
    for (const [name, act] of Object.entries(follow)) model.off(name, act);
  };
}
export default { render };
