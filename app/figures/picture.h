// Pictures without a window: an OpenGL context of its own (EGL, no display needed) into which the renderer draws. The
// headless runner makes an Offscreen first, lets the algorithm run in its shared buffers, and then calls draw().
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/view/camera.h"
#include "compute/context.h"
#include "lab/scene.h"

namespace flipscope::app {

class Canvas;
struct Tile;

/// What of a fitted picture is seen: so much closer, around a place; nothing: around its middle.
struct CloseUp {
    double zoom = 1;
    std::optional<Point> center;
};

class Offscreen {
  public:
    /// Makes the OpenGL context current on this thread. Throws std::runtime_error with a sentence when there is none.
    Offscreen();
    ~Offscreen();
    Offscreen(const Offscreen&) = delete;
    Offscreen& operator=(const Offscreen&) = delete;

    /// Makes the shared memory that suits `context` ("auto", or "cuda", "mapped", "staged"), hands it to the context
    /// with set_shared_memory() and takes the lease, so that kernels may run at once. Call before the algorithm's
    /// reset(), once. The Offscreen must outlive the algorithm. Throws std::runtime_error when the make cannot be had.
    flipscope::SharedMemorySource& share_with(flipscope::Context& context, const std::string& make = "auto");

    /// As Renderer::set_revision().
    void set_revision(uint64_t revision);
    /// Waits until all that was drawn is there.
    void finish();

    std::string gl_renderer() const;      // "llvmpipe (LLVM 15.0.6, 256 bits)"
    std::string gl_version() const;       // "4.5 (Core Profile) Mesa 22.3.6"
    std::string make_of_sharing() const;  // "mapped: …"; empty before share_with()

    /// Draws a scene, fitted into width × height pixels; a surface from `view`, or as the window shows it first, of
    /// several views each on its part. `line_scale` 1: as in the window at presenter scale 1. Gives up the lease while
    /// drawing and takes it again. The canvas keeps what it shows until the next drawing.
    const Canvas& render(const Scene& scene, int width, int height, bool light, double line_scale = 1,
                         const Look& look = {}, const std::optional<ViewAxes>& view = {},
                         const CloseUp& close_up = CloseUp(), bool fine = true);
    /// The same into a PNG file. Throws flipscope::Error when the file cannot be written.
    void draw(const Scene& scene, const std::filesystem::path& png, int width, int height, bool light,
              double line_scale = 1, const Look& look = {}, const std::optional<ViewAxes>& view = {});

    /// A tile of a larger picture, as Renderer::draw() draws one: RGBA, rows from the top.
    std::vector<unsigned char> tile(const Scene& scene, const Camera& camera, const Tile& tile, int width, int height,
                                    bool light, double line_scale, const Look& look);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Throws Error where the current OpenGL draws no tiles of a picture of that size.
void require_viewport(int width, int height);

/// Throws std::runtime_error where the current OpenGL draws no picture of that size.
void require_room_for(int width, int height);

/// The scene in the middle of width × height pixels, with a margin. With the lease: of a surface it reads the vertices.
Camera fitted_camera(const Scene& scene, int width, int height, const std::optional<ViewAxes>& view,
                     const CloseUp& close_up = CloseUp());

/// For `flipscope info`: renderer and version of the offscreen OpenGL and the make of shared memory a run on `request`
/// would get, a line each; or one line with the reason why there is none. Never throws.
std::string describe_opengl(flipscope::DeviceRequest request = flipscope::DeviceRequest::kAuto);

}  // namespace flipscope::app
