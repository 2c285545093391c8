// Of large layers a picture shows a small part, once one is close. The elements around there are copied out, and
// pictures are drawn from the copy until the eye has left its window.
#include "app/renderer_impl.h"

namespace flipscope::app {

namespace {

constexpr uint32_t kLeastForNear = 50'000;  // elements; fewer are looked through in every frame
constexpr double kWider = 2;                // than what is seen, each way
constexpr double kTooWide = 8;              // a window so much wider than what is seen holds too much
constexpr double kMostOfAll = 0.4;          // of the extent, that a window is worth making for
constexpr double kReach = 64;               // pixels, of what is drawn beyond its places

}  // namespace

Renderer::Impl::NearPrograms::NearPrograms()
    : elements({"listing.glsl", "gather_near.comp"}),
      points({"listing.glsl", "gather_near.comp"}, "#define POINTS\n") {}

// Drivers compile a program when it first runs: here it runs over nothing, so that no frame waits for it that is part
// of a movement. For 10^7 points on an H200 the first copy took 45 ms with that.
void Renderer::Impl::prepare_near() {
    if (near_programs) return;
    near_programs = std::make_unique<NearPrograms>();
    for (const Program* program : {&near_programs->elements, &near_programs->points}) {
        reserve_listing(0, 1);
        note_listed(*program, 0, 1, 0, 0);
    }
}

const Renderer::Impl::Near* Renderer::Impl::near_of(const ViewDraw& draw, GLuint places, uint32_t place_count,
                                                    GLuint source, GLuint states, uint32_t count, uint32_t corners) {
    const size_t asked = near_asked++;
    if (revision == 0 || tile || draw.in_space || count < kLeastForNear) return nullptr;
    const SceneView& view = draw.view;
    const glm::dvec2 half =
        (0.5 * glm::dvec2(draw.part.width, draw.part.height) + kReach * draw.line_scale) / draw.camera.scale;
    const glm::dvec2 eye = to_glm(draw.camera.center);
    const glm::dvec2 size = to_glm(view.high) - to_glm(view.low);
    if (!(kWider * half.x * 2 * kWider * half.y * 2 < kMostOfAll * size.x * size.y)) return nullptr;
    if (asked >= near_lists.size()) near_lists.resize(asked + 1);
    if (!near_lists[asked]) near_lists[asked] = std::make_unique<Near>();
    Near& known = *near_lists[asked];
    const bool same = known.is_of(revision, source, count);
    const auto inside = [](const glm::dvec2& off, const glm::dvec2& room) {
        return std::abs(off.x) <= room.x && std::abs(off.y) <= room.y;
    };
    if (same && inside(eye - known.eye, known.half - half) && known.half.x < kTooWide * half.x) return &known;
    known.revision = revision;
    known.source = source;
    known.count = count;
    known.eye = eye;
    known.half = kWider * half;
    prepare_near();
    const bool points = corners == 0;
    const Program& program = points ? near_programs->points : near_programs->elements;
    const size_t bytes = points ? sizeof(Point) : corners * sizeof(uint32_t);
    const glm::dvec2 low = eye - known.half, high = eye + known.half;
    bind(0, places);
    bind(2, source);
    bind(3, states ? states : nothing.id);
    glUseProgram(program.id());
    if (!points) {
        glUniform1ui(program.place("corners"), corners);
        glUniform1ui(program.place("place_count"), place_count);
    }
    glUniform1ui(program.place("has_states"), states ? 1 : 0);
    glUniform2d(program.place("low"), low.x, low.y);
    glUniform2d(program.place("high"), high.x, high.y);
    copy_listed(program, known, count, bytes);
    return &known;
}

}  // namespace flipscope::app
