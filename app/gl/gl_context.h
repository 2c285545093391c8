// An OpenGL 4.5 context without a window, through EGL: on a GPU's device if there is one, else on Mesa's software
// rasteriser. For pictures and tests; the window's context comes from GLFW.
#pragma once

#include <memory>
#include <string>

namespace flipscope::app {

/// While it exists, a signal in a driver or a lack of memory ends the program with a sentence and status 3. For OpenGL
/// calls that allocate much; our own faults during them are attributed to the driver.
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
    /// Makes a context current on this thread. Throws std::runtime_error with a sentence that lists what was tried.
    GlContext();
    ~GlContext();
    GlContext(const GlContext&) = delete;
    GlContext& operator=(const GlContext&) = delete;

    const std::string& platform() const { return platform_; }  // "EGL device 0", "EGL surfaceless"

  private:
    void* display_ = nullptr;
    void* context_ = nullptr;
    std::string platform_;
};

/// Of the current context.
std::string gl_renderer();
std::string gl_version();
/// Whether OpenGL runs on the CPU (Mesa's llvmpipe or softpipe, SwiftShader).
bool gl_is_software();

/// Loads OpenGL's functions with `get`. Throws std::runtime_error if the context is older than 4.5.
void load_gl(void (*(*get)(const char* name))());

}  // namespace flipscope::app
