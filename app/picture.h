// Pictures without a window: an OpenGL context of its own (EGL, no display needed) into which the renderer draws. The
// headless runner makes an Offscreen first, lets the algorithm run in its shared buffers, and then calls draw().
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/camera.h"
#include "compute/context.h"
#include "labs/scene.h"

namespace flipscope::app {

class Canvas;

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

    std::string gl_renderer() const;      // "llvmpipe (LLVM 15.0.6, 256 bits)"
    std::string gl_version() const;       // "4.5 (Core Profile) Mesa 22.3.6"
    std::string make_of_sharing() const;  // "mapped: …"; empty before share_with()

    /// Draws a scene, fitted into width × height pixels; a surface from `view`, or as the window shows it first, of
    /// several views each on its part. `line_scale` 1: as in the window at presenter scale 1. Gives up the lease while
    /// drawing and takes it again. The canvas keeps what it shows until the next drawing.
    const Canvas& render(const Scene& scene, int width, int height, bool light, double line_scale = 1,
                         const Look& look = {}, const std::optional<ViewAxes>& view = {});
    /// The same into a PNG file. Throws flipscope::Error when the file cannot be written.
    void draw(const Scene& scene, const std::filesystem::path& png, int width, int height, bool light,
              double line_scale = 1, const Look& look = {}, const std::optional<ViewAxes>& view = {});

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Throws std::runtime_error where the current OpenGL draws no picture of that size.
void require_room_for(int width, int height);

/// The scene in the middle of width × height pixels, with a margin. With the lease: of a surface it reads the vertices.
Camera fitted_camera(const Scene& scene, int width, int height, const std::optional<ViewAxes>& view);

/// For `flipscope info`: renderer and version of the offscreen OpenGL and the make of shared memory a run on `request`
/// would get, a line each; or one line with the reason why there is none. Never throws.
std::string describe_opengl(flipscope::DeviceRequest request = flipscope::DeviceRequest::kAuto);

}  // namespace flipscope::app
