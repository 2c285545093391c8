// Draws a Scene with OpenGL straight from the lab's buffers: each layer of each of its views, as the layer says. It
// changes none of them and knows no lab. Used by the window (into a Canvas) and by the offscreen picture; call
// it on the OpenGL thread, without the lease.
#pragma once

#include <glad/gl.h>

#include <memory>
#include <vector>

#include "app/view/camera.h"
#include "app/view/palette.h"
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
    /// Whether the texture is smoothed where it is shown larger or smaller than it is.
    void smooth(bool on);
    GLuint texture() const { return texture_; }
    GLuint framebuffer() const { return framebuffer_; }
    /// For surfaces: a framebuffer of the same size with depths, and `fine` several samples to a pixel, made when first
    /// asked for. What was drawn into it comes to the texture with resolve().
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

/// A tile of a larger picture, and how that picture is drawn: for figures, whose lines are as thick as they were asked
/// to be.
struct Tile {
    int width = 0, height = 0;  // pixels, of the whole picture
    int x = 0, y = 0;           // of the tile in it, from the lower left corner; the canvas is the tile
    bool transparent = false;   // no ground; colours are then multiplied by their alpha
    double line_px = 0;         // of a plain edge; 0: as the number of points suggests
};

class Renderer {
  public:
    /// Throws std::runtime_error when the driver refuses a shader.
    Renderer();
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    /// Clears the canvas and draws all views but labels, which label_places() tells of. `camera`: of the views that are
    /// linked; each other one is shown whole. `line_scale` 1: edges and points as thick as on a monitor at 100 %.
    /// `fine`: elements as soon as they are told apart, surfaces and lattices with several samples to a pixel, for
    /// smooth silhouettes and borders. Throws Error for what cannot be drawn: shapes of the plane in a view of space,
    /// more legend entries than the driver takes.
    void draw(const Scene& scene, const Camera& camera, Canvas& canvas, bool light, double line_scale,
              const DisplayOptions& display = {}, bool fine = true, const Tile* tile = nullptr);
    /// Of plain edges and points, for points that lie `gap` pixels apart; pixels at a line scale of 1.
    struct PlainSizes {
        double line, point;
    };
    static PlainSizes plain_sizes(const SceneView& view, double gap);
    /// Where a canvas shows one of so many views: up to three side by side, four two by two.
    static PixelBox box_of_view(int width, int height, size_t views, size_t view);
    /// The camera that a view is seen through.
    static Camera camera_of(const SceneView& view, const Camera& linked, const PixelBox& box);

    /// Draws the input alone, before an algorithm has taken it in: points as waiting; where there are none, the first
    /// frame of its field or of its tracks. `bounds`: for its low and high. What is drawn is kept on the GPU until
    /// another input comes or forget_input().
    void draw_input(const Geometry& input, const SceneView& bounds, const Camera& camera, Canvas& canvas, bool light,
                    double line_scale);
    void forget_input();
    /// Scenes of one revision, other than 0, are the same but for the camera and the look: what has been found out
    /// about them is kept. Call it before draw(); until then nothing is kept.
    void set_revision(uint64_t revision);
    /// Points in the density that was drawn last, with those just outside of the view; 0: there was none. Waits for the
    /// driver.
    double density_total() const;
    /// Of the last picture: the elements that were near, in all layers, and the large ones below means.
    uint64_t near_count() const;
    uint64_t large_count() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Where the words of a scene's labels belong.
struct PlacedLabel {
    double x, y;  // pixels of the canvas, from its upper left corner: the middle of the text
    const std::string* text;
    Role role;
    size_t view = 0;                                                         // which view it is in, and where that is
    float view_low_x = 0, view_low_y = 0, view_high_x = 0, view_high_y = 0;  // pixels of the canvas, likewise
};
/// Whether a scene has labels to show, wherever their places are.
bool shows_labels(const Scene& scene, const DisplayOptions& display);
std::vector<PlacedLabel> label_places(const Scene& scene, const Camera& camera, const DisplayOptions& display,
                                      int width, int height);

}  // namespace flipscope::app
