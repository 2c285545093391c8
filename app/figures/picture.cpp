#include "app/figures/picture.h"

#include <stdexcept>
#include <utility>

#include "app/figures/figure_job.h"
#include "app/gl/gl_context.h"
#include "app/gl/shared_memory.h"
#include "app/render/renderer.h"
#include "compute/error.h"

namespace flipscope::app {

namespace {

/// Throws std::runtime_error if the current OpenGL cannot draw a picture of that size.
void require_room_for(int width, int height) {
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    if (width < 1 || height < 1 || width > most || height > most)
        throw std::runtime_error("a picture of " + std::to_string(width) + " × " + std::to_string(height) +
                                 " pixels: expected 1 to " + std::to_string(most) + " each way");
}

}  // namespace

struct Offscreen::Impl {
    GlContext context;
    std::unique_ptr<DriverGuard> guard = std::make_unique<DriverGuard>();  // while the renderer is constructed
    std::unique_ptr<SharedMemory> sharing;
    Renderer renderer;
    Canvas canvas;

    /// Draws with the lease released. `tile`: of a larger picture; nullptr: the whole.
    void draw(const Scene& scene, const Camera& camera, int width, int height, bool light, double line_scale,
              const DisplayOptions& display, bool fine, const Tile* tile) {
        if (!sharing) throw std::logic_error("Offscreen draws only after share_with()");
        const DriverGuard driver;
        require_room_for(width, height);
        if (tile) require_viewport(tile->width, tile->height);
        canvas.resize(width, height);
        sharing->release();
        renderer.draw(scene, camera, canvas, light, line_scale, display, fine, tile);
        sharing->drawn();
        sharing->acquire();
    }
};

Offscreen::Offscreen() : impl_(std::make_unique<Impl>()) { impl_->guard.reset(); }
Offscreen::~Offscreen() = default;

SharedMemorySource& Offscreen::share_with(Context& context, const std::string& make) {
    impl_->sharing = std::make_unique<SharedMemory>(context, make);
    context.set_shared_memory(impl_->sharing.get());
    impl_->sharing->acquire();
    return *impl_->sharing;
}

void Offscreen::set_revision(uint64_t revision) { impl_->renderer.set_revision(revision); }
void Offscreen::finish() { glFinish(); }

std::string Offscreen::gl_renderer() const { return app::gl_renderer(); }
std::string Offscreen::make_of_sharing() const { return impl_->sharing ? impl_->sharing->description() : ""; }

Camera fitted_camera(const Scene& scene, int width, int height, const std::optional<ViewAxes>& view,
                     const CloseUp& close_up) {
    Camera camera;
    const PixelBox part = Renderer::box_of_view(width, height, scene.view_count(), 0);
    if (scene.in_space && scene.mesh && scene.mesh->vertex_count > 1) {
        camera.view = view.value_or(standard_views()[0]);
        std::vector<Point> places(scene.mesh->vertex_count - 1);
        std::vector<double> heights(places.size());
        scene.mesh->positions.download(places.data(), places.size());
        scene.mesh->heights.download(heights.data(), heights.size());
        camera.fit(places, heights, part.width, part.height);
    } else {
        camera.fit(scene.low, scene.high, part.width, part.height);
        const Point middle{scene.low.x + (scene.high.x - scene.low.x) / 2,
                           scene.low.y + (scene.high.y - scene.low.y) / 2};
        camera.close_in(close_up.zoom, close_up.center.value_or(middle), scene.low, scene.high);
    }
    if (view) camera.apart = *view;
    return camera;
}

void Offscreen::render(const Scene& scene, int width, int height, const CloseUp& close_up, bool fine) {
    const Camera camera = fitted_camera(scene, width, height, {}, close_up);
    impl_->draw(scene, camera, width, height, false, 1, {}, fine, nullptr);
}

Pixels Offscreen::figure(const Scene& scene, FigurePlan plan) {
    constexpr TileSize kLarge{4096, 4096};  // most pictures are one tile
    Pixels pixels{plan.pixel_width, plan.pixel_height, {}};
    const bool light = plan.spec.light;
    const DrawTile draw = [&](const Camera& camera, const Tile& of, int width, int height, double line_scale,
                              const DisplayOptions& display) {
        return tile(scene, camera, of, width, height, light, line_scale, display);
    };
    const size_t row = 4 * static_cast<size_t>(pixels.width);
    FigureJob job([&](const unsigned char* from) { pixels.rgba.insert(pixels.rgba.end(), from, from + row); },
                  std::move(plan), draw, kLarge);
    while (!job.advance(1)) {
    }
    return pixels;
}

std::vector<unsigned char> Offscreen::tile(const Scene& scene, const Camera& camera, const Tile& tile, int width,
                                           int height, bool light, double line_scale, const DisplayOptions& display) {
    impl_->draw(scene, camera, width, height, light, line_scale, display, true, &tile);
    return impl_->canvas.pixels();
}

void require_viewport(int width, int height) {
    GLint most[2] = {0, 0};
    glGetIntegerv(GL_MAX_VIEWPORT_DIMS, most);
    if (width > most[0] || height > most[1])
        throw Error("a picture of " + std::to_string(width) + " × " + std::to_string(height) +
                    " pixels: this graphics driver draws at most " + std::to_string(most[0]) + " × " +
                    std::to_string(most[1]));
}

std::string describe_opengl(DeviceRequest request) {
    try {
        GlContext context;
        Context device(request, 0);
        const SharedMemory sharing(device, "auto");
        return "OpenGL: " + gl_renderer() + ", " + gl_version() + " (" + context.platform() +
               ")\nshared memory: " + sharing.description();
    } catch (const std::exception& error) {
        return std::string("OpenGL: none: ") + error.what();
    }
}

}  // namespace flipscope::app
