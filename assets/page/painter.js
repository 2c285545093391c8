// Draws the views of a step on a canvas: layers with their elements in the colours of a theme, and marks over them.
"use strict";

/// One view of a step within its part of the canvas: whole numbers of the view become pixels.
class Projection {
  constructor(view, area, camera) {
    const margin = 0.05 * Math.min(area.width, area.height) + 6;
    const fitted = Math.min((area.width - 2 * margin) / view.size[0], (area.height - 2 * margin) / view.size[1]);
    this.area = area;
    this.scale = Math.max(fitted, 1e-9) * camera.zoom;
    this.left = area.x + area.width / 2 - (view.size[0] / 2 + camera.x) * this.scale;
    this.bottom = area.y + area.height / 2 + (view.size[1] / 2 + camera.y) * this.scale;
  }
  x(number) { return this.left + number * this.scale; }
  y(number) { return this.bottom - number * this.scale; }
  back(x, y) { return [(x - this.left) / this.scale, (this.bottom - y) / this.scale]; }
  holds(x, y) {
    const { area } = this;
    return x >= area.x && x < area.x + area.width && y >= area.y && y < area.y + area.height;
  }
  /// Whether the bounds of pixels meet the area.
  meets(shape) {
    const { area } = this, margin = 20;  // more than half a line's width or a dot's
    let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
    for (const [x, y] of shape) {
      left = Math.min(left, x), right = Math.max(right, x);
      top = Math.min(top, y), bottom = Math.max(bottom, y);
    }
    return right > area.x - margin && left < area.x + area.width + margin && bottom > area.y - margin && top < area.y + area.height + margin;
  }
}

/// Draws views on a canvas in the colours of a theme.
class Painter {
  constructor(source, context, dark) {
    this.source = source;
    this.context = context;
    this.theme = dark ? 1 : 0;
    this.pictures = new WeakMap();  // of lattices
  }
  colour(both) { return both[this.theme]; }
  style(k) { return this.source.data.styles[k]; }

  /// The colour of a place on a scale.
  onScale(scale, value) {
    const last = scale.stops.length - 1, along = Math.min(Math.max(value / scale.steps, 0), 1) * last;
    if (scale.classes.length > 0) return this.colour(scale.stops[Math.round(along)]);
    const i = Math.min(Math.floor(along), last - 1);
    const byte = (text, k) => parseInt(text.slice(1 + 2 * k, 3 + 2 * k), 16);
    const [a, b] = [this.colour(scale.stops[i]), this.colour(scale.stops[i + 1])];
    return `rgb(${[0, 1, 2].map((k) => Math.round(byte(a, k) + (along - i) * (byte(b, k) - byte(a, k)))).join()})`;
  }

  /// The elements of a layer by look, the conspicuous ones last. `isHelper(i)`: it belongs to a supertriangle.
  groups(layer, count, isHelper) {
    const classes = this.source.array(layer.classes), values = this.source.array(layer.values), groups = new Map();
    for (let i = 0; i < count; ++i) {
      const matched = classes.length > i ? classes[i] : -1;
      const number = matched >= 0 ? layer.legend[matched][0] : isHelper(i) ? layer.helper_style : layer.style;
      const value = values.length > i ? values[i] : -1, key = 1000 * number + value;
      if (!groups.has(key)) {
        const { colours, size, loud } = this.style(number);
        const colour = value >= 0 ? this.onScale(layer.scale, value) : this.colour(colours);
        groups.set(key, { colour, size, loud, order: matched, items: [] });
      }
      groups.get(key).items.push(i);
    }
    return [...groups.values()].sort((a, b) => a.loud - b.loud || a.order - b.order);
  }

  /// From a place to another one, the shortest way in a periodic box. Calls draw(from, way) for each visible image.
  forImages(layer, places, ids, draw) {
    if (!layer.box) return draw(ids.map((id) => [places[2 * id], places[2 * id + 1]]));
    const [x, y, width, height] = layer.box;
    const wrap = (at, low, size) => (size > 0 ? at - Math.floor((at - low) / size) * size : at);
    const way = (from, to, size) => (size > 0 ? to - from - Math.floor((to - from) / size + 0.5) * size : to - from);
    const ax = places[2 * ids[0]], ay = places[2 * ids[0] + 1], shape = [];
    const from = [wrap(ax, x, width), wrap(ay, y, height)];
    for (const id of ids)
      shape.push([from[0] + way(ax, places[2 * id], width), from[1] + way(ay, places[2 * id + 1], height)]);
    draw(shape);
    const shifts = (axis, low, size) => {
      if (!(size > 0)) return [0];
      const least = Math.min(...shape.map((p) => p[axis])), most = Math.max(...shape.map((p) => p[axis]));
      return [0, ...(least < low ? [size] : []), ...(most > low + size ? [-size] : [])];
    };
    for (const dx of shifts(0, x, width))
      for (const dy of shifts(1, y, height))
        if (dx !== 0 || dy !== 0) draw(shape.map((p) => [p[0] + dx, p[1] + dy]));
  }

  /// The same in pixels, of what meets the area.
  forVisible(layer, places, ids, projection, draw) {
    this.forImages(layer, places, ids, (shape) => {
      const at = shape.map((p) => [projection.x(p[0]), projection.y(p[1])]);
      if (projection.meets(at)) draw(at);
    });
  }

  /// Draws items as paths of a few each: browsers are slow with long ones. `finish`: "fill" or "stroke".
  drawAll(items, finish, draw) {
    for (let i = 0; i < items.length; i += 100) {
      this.context.beginPath();
      for (const item of items.slice(i, i + 100)) draw(item);
      this.context[finish]();
    }
  }

  paint(view, projection, shows) {
    const { context } = this, { area } = projection;
    const gap = Math.sqrt((view.size[0] * view.size[1]) / Math.max(view.points, 1)) * projection.scale;
    this.line = Math.min(Math.max(gap / 22, 0.3), 1.8);
    this.dot = Math.min(Math.max(gap / 6, 0.5), 7);
    context.save();
    context.beginPath();
    context.rect(area.x, area.y, area.width, area.height);
    context.clip();
    context.lineJoin = context.lineCap = "round";
    for (const layer of view.layers) {
      if (!shows(layer)) continue;
      context.save();
      if (layer.box && layer.kind !== "points") this.clipToBox(layer.box, projection);
      this[layer.kind](layer, projection);
      context.restore();
    }
    context.restore();
  }
  clipToBox([x, y, width, height], projection) {
    const { area } = projection, path = new Path2D();
    const left = width > 0 ? projection.x(x) : area.x, right = width > 0 ? projection.x(x + width) : area.x + area.width;
    const top = height > 0 ? projection.y(y + height) : area.y;
    const bottom = height > 0 ? projection.y(y) : area.y + area.height;
    path.rect(left, top, right - left, bottom - top);
    this.context.clip(path);
  }

  points(layer, projection) {
    const places = this.source.array(layer.places), helpers = layer.helpers || [Infinity, 0];
    const isHelper = (i) => i >= helpers[0];
    const count = Math.max(layer.count, helpers[1]);
    for (const { colour, size, items } of this.groups(layer, count, isHelper)) {
      this.context.fillStyle = colour;
      this.drawAll(items, "fill", (i) => {
        if (i >= layer.count && !isHelper(i)) return;
        this.forVisible(layer, places, [i], projection, ([[x, y]]) => {
          const radius = (this.dot * size) / 2;
          if (radius < 1) return this.context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
          this.context.moveTo(x + radius, y);
          this.context.arc(x, y, radius, 0, 2 * Math.PI);
        });
      });
    }
  }
  discs(layer, projection) {
    const places = this.source.array(layer.places), radii = this.source.array(layer.radii);
    const turns = this.source.array(layer.turns), { context } = this;
    for (const { colour, items } of this.groups(layer, layer.count, () => false)) {
      context.fillStyle = colour;
      for (const i of items) {
        const radius = (radii.length > 0 ? radii[i] : layer.radius) * projection.scale;
        this.forImages(layer, places, [i], ([p]) => {
          const x = projection.x(p[0]), y = projection.y(p[1]);
          context.beginPath();
          context.arc(x, y, Math.max(radius, 0.5), 0, 2 * Math.PI);
          context.fill();
          if (turns.length === 0 || radius < 3) return;
          context.beginPath();
          context.moveTo(x, y);
          context.lineTo(x + radius * Math.cos(turns[i] / 1000), y - radius * Math.sin(turns[i] / 1000));
          context.strokeStyle = this.canvasColour();
          context.lineWidth = 1.5;
          context.stroke();
        });
      }
    }
  }
  segments(layer, projection) {
    const places = this.source.array(layer.places), ends = this.source.array(layer.ends), count = places.length / 2;
    const end = (i, k) => (layer.ends === undefined ? 2 * i + k : ends[2 * i + k]);
    const first = layer.helpers ? layer.helpers[0] : Infinity;
    const isHelper = (i) => end(i, 0) >= first || end(i, 1) >= first;
    for (const { colour, size, items } of this.groups(layer, layer.count, isHelper)) {
      this.context.strokeStyle = this.context.fillStyle = colour;
      this.context.lineWidth = this.line * size;
      this.drawAll(items, "stroke", (i) => {
        const a = end(i, 0), b = end(i, 1);
        if (a >= count || b >= count) return;  // to the vertex at infinity
        this.forVisible(layer, places, [a, b], projection, ([p, q]) => this.stroke(p, q, layer.arrows));
      });
    }
  }
  stroke(p, [x, y], hasHead) {
    const { context } = this;
    context.moveTo(...p);
    context.lineTo(x, y);
    if (!hasHead) return;
    const dx = x - p[0], dy = y - p[1], head = Math.min(9 / (Math.hypot(dx, dy) || 1), 0.5);
    for (const side of [0.5, -0.5]) {
      context.moveTo(x - head * (dx + side * dy), y - head * (dy - side * dx));
      context.lineTo(x, y);
    }
  }
  polylines(layer, projection) {
    const places = this.source.array(layer.places), starts = this.source.array(layer.starts);
    for (const { colour, size, items } of this.groups(layer, layer.count, () => false)) {
      this.context.strokeStyle = colour;
      this.context.lineWidth = this.line * size;
      this.drawAll(items, "stroke", (i) => {
        for (let k = starts[i]; k + 1 < starts[i + 1]; ++k)
          this.forVisible(layer, places, [k, k + 1], projection, ([p, q]) => this.stroke(p, q));
      });
    }
  }
  triangles(layer, projection) {
    const places = this.source.array(layer.places), corners = this.source.array(layer.ends), count = places.length / 2;
    const first = layer.helpers ? layer.helpers[0] : Infinity;
    const of = (t) => [corners[3 * t], corners[3 * t + 1], corners[3 * t + 2]];
    for (const { colour, items } of this.groups(layer, corners.length / 3, () => false)) {
      this.context.fillStyle = colour;
      this.drawAll(items, "fill", (t) => {
        const ids = of(t);
        if (ids.some((id) => id >= count || id >= first)) return;
        this.forVisible(layer, places, ids, projection, (shape) => {
          shape.forEach((p, k) => this.context[k ? "lineTo" : "moveTo"](...p));
          this.context.closePath();
        });
      });
    }
  }
  labels(layer, projection) {
    const places = this.source.array(layer.places);
    layer.texts.forEach((text, i) =>
      this.write(text, projection.x(places[2 * i]), projection.y(places[2 * i + 1]), this.colour(this.style(layer.style).colours)));
  }
  write(text, x, y, colour, most) {
    const { context } = this;
    context.font = "600 13px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = 3.5;
    context.strokeStyle = this.canvasColour();
    context.strokeText(text, x, y, most);
    context.fillStyle = colour;
    context.fillText(text, x, y, most);
  }

  /// A picture of a pixel for each pixel; marks and borders are drawn over it where there is room.
  lattice(layer, projection) {
    const { context } = this, { width, height } = layer, size = layer.pixel * projection.scale;
    const fills = layer.fills || size < 5, pictures = this.pictures.get(layer) || {};
    pictures[fills] = pictures[fills] || this.latticePicture(layer, fills);
    this.pictures.set(layer, pictures);
    const x = projection.x(layer.corner[0]), y = projection.y(layer.corner[1]) - height * size;
    context.imageSmoothingEnabled = size < 1;
    context.drawImage(pictures[fills], x, y, width * size, height * size);
    if (!fills) this.frames(layer, x, y, size);
    if (layer.cells === undefined || size < 2) return;
    const cells = this.source.array(layer.cells);
    context.strokeStyle = this.colour(this.source.data.border);
    context.lineWidth = Math.min(size / 4, 2);
    context.beginPath();
    for (let row = 0, i = 0; row < height; ++row)
      for (let column = 0; column < width; ++column, ++i) {
        const left = x + column * size, bottom = y + (height - row) * size;
        if (column + 1 < width && cells[i] !== cells[i + 1]) {
          context.moveTo(left + size, bottom);
          context.lineTo(left + size, bottom - size);
        }
        if (row + 1 < height && cells[i] !== cells[i + width]) {
          context.moveTo(left, bottom - size);
          context.lineTo(left + size, bottom - size);
        }
      }
    context.stroke();
  }
  /// Marked pixels.
  frames(layer, x, y, size) {
    const classes = this.source.array(layer.classes), { context } = this, inset = Math.min(size / 5, 3);
    context.lineWidth = inset;
    for (const { colour, items } of this.groups(layer, classes.length, () => false)) {
      context.strokeStyle = colour;
      for (const i of items) {
        if (classes[i] < 0) continue;
        const left = x + (i % layer.width) * size, top = y + (layer.height - 1 - Math.floor(i / layer.width)) * size;
        context.strokeRect(left + inset, top + inset, size - 2 * inset, size - 2 * inset);
      }
    }
  }
  latticePicture(layer, fills) {
    const { width, height } = layer, canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const paint = canvas.getContext("2d"), { source } = this;
    const cells = source.array(layer.cells), tints = source.array(layer.tints), field = source.array(layer.field);
    const numbers = source.array(layer.numbers), classes = source.array(layer.classes);
    for (let row = 0, i = 0; row < height; ++row)
      for (let column = 0; column < width; ++column, ++i) {
        let colour;
        if (cells.length > 0) {
          const number = numbers[cells[i]], tint = tints[cells[i]];
          if (cells[i] === -2) colour = this.colour(source.data.obstacle);
          else if (number >= 0) colour = this.onScale(layer.scale, number);
          else if (tint >= 0) colour = this.colour(source.data.cells[tint]);
        }
        if (field.length > 0 && field[i] >= 0) colour = this.onScale(layer.scale, field[i]);
        const place = [column, height - 1 - row, 1, 1];
        if (colour) paint.fillStyle = colour, paint.fillRect(...place);
        if (fills && classes[i] >= 0) {
          paint.fillStyle = this.colour(this.style(layer.legend[classes[i]][0]).colours);
          paint.fillRect(...place);
        }
      }
    return canvas;
  }

  /// Circles, lines and outlines that explain something; without a style they mark the chosen element.
  marks(marks, projections) {
    const { context } = this;
    for (const mark of marks) {
      const projection = projections[mark.part];
      const { colours } = mark.style === undefined ? { colours: ["#0072b2", "#56b4e9"] } : this.style(mark.style);
      if (!projection) continue;
      const at = [];
      for (let i = 0; i < mark.places.length; i += 2)
        at.push([projection.x(mark.places[i]), projection.y(mark.places[i + 1])]);
      context.save();
      context.beginPath();
      context.rect(projection.area.x, projection.area.y, projection.area.width, projection.area.height);
      context.clip();
      context.setLineDash(mark.dashed ? [7, 5] : []);
      context.beginPath();
      if (mark.kind === "circle") context.arc(...at[0], mark.radius * projection.scale, 0, 2 * Math.PI);
      else if (mark.kind === "point") context.arc(...at[0], 9, 0, 2 * Math.PI);
      else at.forEach((p, k) => context[k ? "lineTo" : "moveTo"](...p));
      if (mark.kind === "polygon") context.closePath();
      context.lineCap = "round";
      for (const [colour, width] of [[this.canvasColour(), 5.5], [this.colour(colours), 3]]) {
        context.strokeStyle = colour;
        context.lineWidth = width;
        context.stroke();
      }
      context.restore();
    }
  }
  canvasColour() { return this.theme ? "#0f1318cc" : "#ffffffcc"; }
}
