#include "app/gl/gl_context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>
#include <glad/gl.h>
#include <sys/mman.h>

#include <array>
#include <csignal>
#include <cstring>
#include <iterator>
#include <new>
#include <stdexcept>
#include <vector>

#include "app/base/endings.h"

namespace flipscope::app {

namespace {

/// EGL's entry points, loaded at run time, so that everything else works without EGL.
struct Egl {
    void* const library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL);
    const std::string failure = library ? "" : text_of(dlerror());  // after `library`, whose loading sets dlerror()
    const decltype(&::eglQueryString) query_string = find<decltype(&::eglQueryString)>("eglQueryString");
    const decltype(&::eglGetProcAddress) get = find<decltype(&::eglGetProcAddress)>("eglGetProcAddress");
    const decltype(&::eglGetDisplay) get_display = find<decltype(&::eglGetDisplay)>("eglGetDisplay");
    const decltype(&::eglInitialize) initialize = find<decltype(&::eglInitialize)>("eglInitialize");
    const decltype(&::eglTerminate) terminate = find<decltype(&::eglTerminate)>("eglTerminate");
    const decltype(&::eglBindAPI) bind_api = find<decltype(&::eglBindAPI)>("eglBindAPI");
    const decltype(&::eglChooseConfig) choose_config = find<decltype(&::eglChooseConfig)>("eglChooseConfig");
    const decltype(&::eglCreateContext) create_context = find<decltype(&::eglCreateContext)>("eglCreateContext");
    const decltype(&::eglDestroyContext) destroy_context = find<decltype(&::eglDestroyContext)>("eglDestroyContext");
    const decltype(&::eglMakeCurrent) make_current = find<decltype(&::eglMakeCurrent)>("eglMakeCurrent");

    static std::string text_of(const char* text) { return text ? text : "unknown error"; }

    template <class Function>
    Function find(const char* name) const {
        return library ? reinterpret_cast<Function>(dlsym(library, name)) : nullptr;
    }
    bool complete() const {
        return query_string && get && get_display && initialize && terminate && bind_api && choose_config &&
               create_context && destroy_context && make_current;
    }
};

/// Throws std::runtime_error without EGL. Never closes the library: drivers do not survive it.
const Egl& egl() {
    static const Egl loaded;
    if (!loaded.complete())
        throw std::runtime_error("a picture is drawn with OpenGL by way of EGL, which cannot be opened (" +
                                 (loaded.library ? "libEGL.so.1 lacks functions of EGL 1.4" : loaded.failure) +
                                 "). Install a graphics driver, or Mesa's software one (Debian: apt install "
                                 "libgl1-mesa-dri libegl1); everything but pictures works without");
    return loaded;
}

bool offers(const char* extensions, const char* name) { return extensions && std::strstr(extensions, name); }

struct Candidate {
    EGLDisplay display;
    std::string platform;
};

// By preference: GPUs by device (no display needed), Mesa without a surface, the default.
std::vector<Candidate> candidates() {
    std::vector<Candidate> found;
    const char* client = egl().query_string(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    const auto platform_display =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(egl().get("eglGetPlatformDisplayEXT"));
    const auto query_devices = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(egl().get("eglQueryDevicesEXT"));
    if (platform_display && query_devices && offers(client, "EGL_EXT_platform_device")) {
        std::array<EGLDeviceEXT, 16> devices{};
        EGLint count = 0;
        if (query_devices(static_cast<EGLint>(devices.size()), devices.data(), &count))
            for (EGLint i = 0; i < count; ++i)
                found.push_back({platform_display(EGL_PLATFORM_DEVICE_EXT, devices[static_cast<size_t>(i)], nullptr),
                                 "EGL device " + std::to_string(i)});
    }
    if (platform_display && offers(client, "EGL_MESA_platform_surfaceless"))
        found.push_back(
            {platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr), "EGL surfaceless"});
    found.push_back({egl().get_display(EGL_DEFAULT_DISPLAY), "EGL default display"});
    return found;
}

/// `version`: the attributes requested; only EGL_NONE: any version.
EGLContext make_context(EGLDisplay display, const EGLint* version) {
    if (!offers(egl().query_string(display, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context")) return EGL_NO_CONTEXT;
    if (!egl().bind_api(EGL_OPENGL_API)) return EGL_NO_CONTEXT;
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!egl().choose_config(display, wanted, &config, 1, &count) || count == 0) config = nullptr;
    return egl().create_context(display, config, EGL_NO_CONTEXT, version);
}

constexpr EGLint kCore45[] = {
    EGL_CONTEXT_MAJOR_VERSION,           4,       EGL_CONTEXT_MINOR_VERSION, 5, EGL_CONTEXT_OPENGL_PROFILE_MASK,
    EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};

/// " (OpenGL 3.3 …)" for a display without 4.5. Empty: it reports no OpenGL.
std::string older_version(EGLDisplay display) {
    constexpr EGLint any[] = {EGL_NONE};
    const EGLContext context = make_context(display, any);
    if (context == EGL_NO_CONTEXT) return "";
    std::string found;
    if (egl().make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        const auto text = reinterpret_cast<PFNGLGETSTRINGPROC>(egl().get("glGetString"));
        if (const GLubyte* const version = text ? text(GL_VERSION) : nullptr)
            found = std::string(" (which offers ") + reinterpret_cast<const char*>(version) + ")";
        egl().make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
    egl().destroy_context(display, context);
    return found;
}

/// Without memory, drivers die of a signal: Mesa's software driver does not check its allocations.
void require_address_space() {
    constexpr size_t kRoom = size_t(512) << 20;  // its threads' stacks and heaps, compiled shaders, a picture
    void* const room = mmap(nullptr, kRoom, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        throw std::runtime_error(
            "OpenGL needs " + std::to_string(kRoom >> 20) +
            " MiB of address space, and there is less: raise the limit (ulimit -v), or do without a picture");
    munmap(room, kRoom);
}

/// Signals in which a driver may still end; in the order of DriverGuard's `before_`.
constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE};

[[maybe_unused]] void on_driver_failure(int) {
    end_at_once(
        "the graphics driver failed, perhaps for lack of memory; do without a picture, or try another driver "
        "(Mesa's software one: LIBGL_ALWAYS_SOFTWARE=1)",
        kFailed);
}

}  // namespace

struct DriverGuard::Before {
    struct sigaction actions[std::size(kSignals)];
    // An exception that leaves a driver leaves its locks held, and whatever destroys OpenGL's objects waits for them.
    std::new_handler on_lack_of_memory = std::set_new_handler(end_out_of_memory);
};

DriverGuard::DriverGuard() : before_(std::make_unique<Before>()) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // sanitizers report them themselves
    struct sigaction ours {};
    ours.sa_handler = on_driver_failure;
    ours.sa_flags = SA_ONSTACK;
    for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &ours, &before_->actions[i]);
#endif
}

DriverGuard::~DriverGuard() {
    std::set_new_handler(before_->on_lack_of_memory);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before_->actions[i], nullptr);
#endif
}

GlContext::GlContext() {
    require_address_space();
    const DriverGuard guard;
    std::string tried;
    for (const Candidate& candidate : candidates()) {
        tried += (tried.empty() ? "" : ", ") + candidate.platform;
        if (candidate.display == EGL_NO_DISPLAY || !egl().initialize(candidate.display, nullptr, nullptr)) continue;
        const EGLContext context = make_context(candidate.display, kCore45);
        if (context != EGL_NO_CONTEXT &&
            egl().make_current(candidate.display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
            display_ = candidate.display;
            context_ = context;
            platform_ = candidate.platform;
            break;
        }
        if (context != EGL_NO_CONTEXT) egl().destroy_context(candidate.display, context);
        tried += older_version(candidate.display);
        egl().terminate(candidate.display);
    }
    if (!context_)
        throw std::runtime_error("OpenGL 4.5 without a display is not available (tried " + tried +
                                 "). Install a graphics driver, or Mesa's software one (Debian: apt install "
                                 "libgl1-mesa-dri libegl1)");
    load_gl(reinterpret_cast<void (*(*)(const char*))()>(egl().get));
}

GlContext::~GlContext() {
    egl().make_current(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    egl().destroy_context(display_, context_);
    egl().terminate(display_);
}

void load_gl(void (*(*get)(const char*))()) {
    const int version = gladLoadGL(reinterpret_cast<GLADloadfunc>(get));
    if (version < GLAD_MAKE_VERSION(4, 5))
        throw std::runtime_error("OpenGL 4.5 is needed; the driver offers " +
                                 std::to_string(GLAD_VERSION_MAJOR(version)) + "." +
                                 std::to_string(GLAD_VERSION_MINOR(version)));
}

namespace {
std::string gl_text(GLenum name) {
    const GLubyte* text = glGetString(name);
    return text ? reinterpret_cast<const char*>(text) : "unknown";
}
}  // namespace

std::string gl_renderer() { return gl_text(GL_RENDERER); }
std::string gl_version() { return gl_text(GL_VERSION); }

bool gl_is_software() {
    const std::string name = gl_renderer();
    return name.find("llvmpipe") != std::string::npos || name.find("softpipe") != std::string::npos ||
           name.find("SwiftShader") != std::string::npos;
}

}  // namespace flipscope::app
