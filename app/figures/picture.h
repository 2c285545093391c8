// Pictures without a window, rendered in a private OpenGL context (EGL, no display needed). The headless runner makes
// an Offscreen, runs the algorithm in its shared buffers, and then draws figures.
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
    /// Makes the OpenGL context current on this thread. Throws std::runtime_error with a sentence if OpenGL is
    /// unavailable.
    Offscreen();
    ~Offscreen();
    Offscreen(const Offscreen&) = delete;
    Offscreen& operator=(const Offscreen&) = delete;

    /// Makes shared memory of kind `make` ("auto", "cuda", "mapped" or "staged") for `context`, passes it to
    /// set_shared_memory() and acquires the lease, so that kernels may run at once. Call once, before the algorithm's
    /// reset(). The Offscreen must outlive the algorithm. Throws std::runtime_error if that kind is unavailable.
    flipscope::SharedMemorySource& share_with(flipscope::Context& context, const std::string& make = "auto");

    /// As Renderer::set_revision().
    void set_revision(uint64_t revision);
    /// Waits until all drawing has finished.
    void finish();

    std::string gl_renderer() const;      // "llvmpipe (LLVM 15.0.6, 256 bits)"
    std::string make_of_sharing() const;  // "mapped: …"; empty before share_with()

    /// Draws a scene, fitted into width × height pixels, as the window does between frames, or if `fine` as it does at
    /// rest. Releases the lease while drawing and reacquires it.
    void render(const Scene& scene, int width, int height, const CloseUp& close_up, bool fine);
    /// The complete figure of this scene.
    Pixels figure(const Scene& scene, FigurePlan plan);

    /// A tile of a larger picture, as Renderer::draw() draws it: RGBA, rows from the top.
    std::vector<unsigned char> tile(const Scene& scene, const Camera& camera, const Tile& tile, int width, int height,
                                    bool light, double line_scale, const DisplayOptions& display);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Throws Error if the current OpenGL cannot draw tiles of a picture of that size.
void require_viewport(int width, int height);

/// Fits the scene into width × height pixels with a margin. Requires the lease: it reads a surface's vertices.
Camera fitted_camera(const Scene& scene, int width, int height, const std::optional<ViewAxes>& view,
                     const CloseUp& close_up = CloseUp());

/// For `flipscope info`: renderer and version of the offscreen OpenGL and the kind of shared memory that a run on
/// `request` would use, a line each; or one line with the reason why OpenGL is unavailable. Never throws.
std::string describe_opengl(flipscope::DeviceRequest request = flipscope::DeviceRequest::kAuto);

}  // namespace flipscope::app
