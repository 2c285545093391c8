// An OpenGL 4.5 context without a window, through EGL: on the GPU's own device where there is one, else on Mesa's
// software rasteriser. Used for pictures and by the tests; the window has its context from GLFW.
#pragma once

#include <memory>
#include <string>

namespace flipscope::app {

/// While it lives, a driver that ends in a signal ends the program with a sentence and status 3. For calls into OpenGL
/// that allocate much; faults of our own at the same time are said to be the driver's.
class DriverGuard {
  public:
    DriverGuard();
    ~DriverGuard();
    DriverGuard(const DriverGuard&) = delete;
    DriverGuard& operator=(const DriverGuard&) = delete;

  private:
    struct Before;
    std::unique_ptr<Before> before_;
};

class GlContext {
  public:
    /// Makes a context and makes it current on this thread. Throws std::runtime_error with a sentence that
    /// says what was tried.
    GlContext();
    ~GlContext();
    GlContext(const GlContext&) = delete;
    GlContext& operator=(const GlContext&) = delete;

    void make_current();
    const std::string& platform() const { return platform_; }  // "EGL device 0", "EGL surfaceless"

  private:
    void* display_ = nullptr;
    void* context_ = nullptr;
    std::string platform_;
};

/// Of the context that is current.
std::string gl_renderer();
std::string gl_version();
/// Whether OpenGL runs on the CPU (Mesa's llvmpipe or softpipe, SwiftShader).
bool gl_is_software();

/// Loads OpenGL's functions with `get`; throws std::runtime_error when the context is older than 4.5.
void load_gl(void (*(*get)(const char* name))());

}  // namespace flipscope::app
