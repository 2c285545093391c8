// A painter that is fast with hundreds of thousands of elements: where they are smaller than some pixels it computes
// their pixels itself, without the browser's paths.
"use strict";

/// In the place of a canvas context: lines, dots and triangles become opacities of pixels.
class Raster {
  /// `width` and `height` of the canvas, `sharp` of its pixels in one of the page's.
  constructor(context, finish, sharp) {
    const { width, height } = context.canvas;
    Object.assign(this, { context, finish, sharp, width, height, shape: [] });
    this.opacity = new Uint8ClampedArray(4 * width * height);  // of pixel i at 4 i + 3, as an image has it
    this.strength = Math.min(context.lineWidth * sharp, 1);
  }
  cover(x, y, part) {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    const i = 4 * (y * this.width + x) + 3;
    this.opacity[i] += (255 - this.opacity[i]) * part;
  }
  rect(x, y, size) {
    const { sharp } = this;
    this.cover(Math.floor((x + size / 2) * sharp), Math.floor((y + size / 2) * sharp), Math.min((size * sharp) ** 2, 1));
  }
  arc(x, y, radius) { this.rect(x - radius, y - radius, 2 * radius); }
  moveTo(x, y) { this.shape = [[x * this.sharp, y * this.sharp]]; }
  lineTo(x, y) {
    this.shape.push([x * this.sharp, y * this.sharp]);
    if (this.finish === "stroke") this.line(this.shape.shift(), this.shape[0]);
  }
  /// A step along the longer axis; the two pixels across share each place.
  line([x, y], to) {
    const dx = to[0] - x, dy = to[1] - y, steps = Math.ceil(Math.max(Math.abs(dx), Math.abs(dy))), isFlat = Math.abs(dx) > Math.abs(dy);
    for (let k = 0; k < steps; ++k) {
      const at = (k + 0.5) / steps, u = x + at * dx, v = y + at * dy, across = (isFlat ? v : u) - 0.5;
      const first = Math.floor(across), part = across - first, along = Math.floor(isFlat ? u : v);
      this.cover(isFlat ? along : first, isFlat ? first : along, (1 - part) * this.strength);
      this.cover(isFlat ? along : first + 1, isFlat ? first + 1 : along, part * this.strength);
    }
  }
  /// The pixels whose centres lie in the triangle.
  closePath() {
    const [a, b, c] = this.shape, turn = Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
    const inside = (p, q, x, y) => ((q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])) * turn >= 0;
    for (let y = Math.floor(Math.min(a[1], b[1], c[1])); y < Math.max(a[1], b[1], c[1]); ++y)
      for (let x = Math.floor(Math.min(a[0], b[0], c[0])); x < Math.max(a[0], b[0], c[0]); ++x)
        if (inside(a, b, x + 0.5, y + 0.5) && inside(b, c, x + 0.5, y + 0.5) && inside(c, a, x + 0.5, y + 0.5)) this.cover(x, y, 1);
  }
  /// Draws the pixels in the colour of the context.
  draw() {
    const layer = new OffscreenCanvas(this.width, this.height), paint = layer.getContext("2d");
    paint.putImageData(new ImageData(this.opacity, this.width, this.height), 0, 0);
    paint.globalCompositeOperation = "source-in";
    paint.fillStyle = this.context.fillStyle;
    paint.fillRect(0, 0, this.width, this.height);
    this.context.save();
    this.context.resetTransform();
    this.context.drawImage(layer, 0, 0);
    this.context.restore();
  }
}

class DensePainter extends Painter {
  drawAll(items, finish, draw) {
    if (items.length < 20000 || this.line > 0.35) return super.drawAll(items, finish, draw);
    const { context } = this;
    this.context = new Raster(context, finish, context.getTransform().a);
    items.forEach(draw);
    this.context.draw();
    this.context = context;
  }
}
