// Draws a Scene with OpenGL from the lab's buffers: every layer of every view. It modifies no buffer and is independent
// of labs. The window uses it (into a Canvas), and so do offscreen pictures. Call it on the OpenGL thread, without the
// lease.
#pragma once

#include <glad/gl.h>

#include <memory>
#include <vector>

#include "app/view/camera.h"
#include "app/view/palette.h"
#include "instruments/mesh_motion.h"
#include "lab/lab.h"

namespace flipscope::app {

/// A part of a canvas, pixels from its lower left corner.
struct PixelBox {
    int x = 0, y = 0, width = 0, height = 0;
};

/// A texture to draw into, kept between frames.
class Canvas {
  public:
    Canvas() = default;
    ~Canvas();
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;
    void resize(int width, int height);  // pixels
    /// Whether the texture is filtered when shown enlarged or reduced.
    void smooth(bool on);
    GLuint texture() const { return texture_; }
    GLuint framebuffer() const { return framebuffer_; }
    /// For surfaces: a framebuffer of the same size with depth, and several samples per pixel if `fine`; created on
    /// first use. resolve() copies it to the texture.
    GLuint deep_framebuffer(bool fine);
    void resolve();
    void drop_depths();
    int width() const { return width_; }
    int height() const { return height_; }
    /// RGBA, rows from the top.
    std::vector<unsigned char> pixels() const;

  private:
    GLuint texture_ = 0, framebuffer_ = 0;
    GLuint deep_framebuffer_ = 0, deep_colors_ = 0, deep_depths_ = 0;
    bool deep_fine_ = false;
    int width_ = 0, height_ = 0;
};

/// A tile of a larger picture, and how to draw that picture: for figures, whose lines have a prescribed width.
struct Tile {
    int width = 0, height = 0;  // pixels, of the whole picture
    int x = 0, y = 0;           // of the tile in it, from the lower left corner; the canvas has the tile's size
    bool transparent = false;   // no background; premultiplied alpha
    double line_px = 0;         // width of a plain edge; 0: from the number of points
};

class Renderer {
  public:
    /// With the programs of another renderer of the same OpenGL context, or with its own. Throws std::runtime_error
    /// when the driver refuses a shader.
    explicit Renderer(const Renderer* other = nullptr);
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    /// Clears the canvas and draws all views except labels (see label_places()). `camera`: of linked views; every other
    /// view is shown whole. `line_scale` 1: edges and points as thick as on a monitor at 100 %. `fine`: draws elements
    /// as soon as they can be told apart, and surfaces and lattices with several samples per pixel, for smooth
    /// silhouettes and borders. Throws Error for what cannot be drawn: plane shapes in a view of space, or more legend
    /// entries than the driver supports.
    void draw(const Scene& scene, const Camera& camera, Canvas& canvas, bool light, double line_scale,
              const DisplayOptions& display = {}, bool fine = true, const Tile* tile = nullptr);
    /// Sizes of plain edges and points that lie `gap` pixels apart; pixels at line scale 1.
    struct PlainSizes {
        double line, point;
    };
    static PlainSizes plain_sizes(const SceneView& view, double gap);
    /// The place of one of `views` views on a canvas: up to three side by side, four two by two.
    static PixelBox box_of_view(int width, int height, size_t views, size_t view);
    /// The camera of a view.
    static Camera camera_of(const SceneView& view, const Camera& linked, const PixelBox& box);

    /// Draws the input before an algorithm has read it: points as waiting; without points, the first frame of its field
    /// or tracks. `bounds`: for its low and high. The data stay on the GPU until the input changes or forget_input() is
    /// called.
    void draw_input(const Geometry& input, const SceneView& bounds, const Camera& camera, Canvas& canvas, bool light,
                    double line_scale);
    void forget_input();
    /// Scenes of one non-zero revision differ only in camera and display options, so that results computed for them are
    /// cached. Call it before draw(); without it nothing is cached.
    void set_revision(uint64_t revision);
    /// The next pictures show the way to the state of their scene, `at` 0 to 1 of it; 1: that state, exactly.
    void set_motion(MeshMotions motions, double at);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// The place of a label's text.
struct PlacedLabel {
    double x, y;  // canvas pixels from its upper left corner: the middle of the text
    const std::string* text;
    Role role;
    size_t view = 0;    // index of its view
    PixelBox box = {};  // of that view, likewise from the canvas's upper left corner
};
std::vector<PlacedLabel> label_places(const Scene& scene, const Camera& camera, const DisplayOptions& display,
                                      int width, int height);

}  // namespace flipscope::app
