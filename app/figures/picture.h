// Pictures without a window: an OpenGL context of its own (EGL, no display needed) into which the renderer draws. The
// headless runner makes an Offscreen first, lets the algorithm run in its shared buffers, and then draws figures.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/figure_plan.h"
#include "compute/context.h"

namespace flipscope::app {

class Offscreen {
  public:
    /// Makes the OpenGL context current on this thread. Throws std::runtime_error with a sentence when there
    /// is none.
    Offscreen();
    ~Offscreen();
    Offscreen(const Offscreen&) = delete;
    Offscreen& operator=(const Offscreen&) = delete;

    /// Makes the shared memory that suits `context` ("auto", or "cuda", "mapped", "staged"), hands it to the
    /// context with set_shared_memory() and takes the lease, so that kernels may run at once. Call before the
    /// algorithm's reset(), once. The Offscreen must outlive the algorithm. Throws std::runtime_error when the make
    /// cannot be had.
    flipscope::SharedMemorySource& share_with(flipscope::Context& context, const std::string& make = "auto");

    /// As Renderer::set_revision().
    void set_revision(uint64_t revision);
    /// Waits until all that was drawn is there.
    void finish();

    std::string gl_renderer() const;      // "llvmpipe (LLVM 15.0.6, 256 bits)"
    std::string gl_version() const;       // "4.5 (Core Profile) Mesa 22.3.6"
    std::string make_of_sharing() const;  // "mapped: …"; empty before share_with()

    /// Draws a scene, fitted into width × height pixels, as the window does between two frames; `fine`: as it does at
    /// rest. Gives up the lease while drawing and takes it again.
    void render(const Scene& scene, int width, int height, const CloseUp& close_up, bool fine);
    /// The whole of a figure of this scene.
    Pixels figure(const Scene& scene, FigurePlan plan);

    /// A tile of a larger picture, as Renderer::draw() draws one: RGBA, rows from the top.
    std::vector<unsigned char> tile(const Scene& scene, const Camera& camera, const Tile& tile, int width, int height,
                                    bool light, double line_scale, const DisplayOptions& display);

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
