// A close-up shows a small part of a large layer. The elements in a window around it are copied, and pictures are drawn
// from the copy until the camera leaves the window. A closer view gets a copy of the copy.
#include <cmath>
#include <glm/common.hpp>
#include <glm/vector_relational.hpp>

#include "app/render/renderer_impl.h"
#include "app/view/density.h"

namespace flipscope::app {

namespace {

constexpr uint32_t kLeastForNear = 50'000;                 // elements; fewer are scanned every frame
constexpr double kWider = 2;                               // than the view, in each direction
constexpr double kWidest = 5;                              // the first window of a picture at rest
constexpr double kTooWide = 3;                             // a window this much wider than the view holds too much
constexpr double kMostOfAll = 0.4;                         // of the extent; a larger window is not worth copying
constexpr double kLargeElementPixels = 3, kLargeGaps = 4;  // a large element is longer than both
constexpr double kReach = 64;                              // pixels that drawings reach beyond their positions

}  // namespace

// Drivers compile a program when it first runs. Run it over nothing here, so that no frame of a movement waits for it.
// With that, the first copy of 10^7 points took 45 ms on an H200.
void Renderer::Impl::prepare_near() {
    if (shared->near_programs) return;
    shared->near_programs = std::make_unique<NearPrograms>();
    for (const Program* program : {&shared->near_programs->elements, &shared->near_programs->points}) {
        reserve_listing(0, 1);
        note_listed(*program, 0, 1, 0, 0);
    }
    for (GLuint stage : {0u, 1u}) run_renumber(stage, 0, 0);
}

void Renderer::Impl::make_near(const Elements& from, Copied& to, const glm::dvec2& low, const glm::dvec2& high,
                               double least) {
    prepare_near();
    const Program& program = from.corners == 0 ? shared->near_programs->points : shared->near_programs->elements;
    glUseProgram(program.id());
    if (from.corners != 0) {
        glUniform1ui(program.place("corners"), from.corners);
        glUniform1ui(program.place("place_count"), from.place_count);
    }
    glUniform1ui(program.place("has_states"), from.states ? 1 : 0);
    glUniform1ui(program.place("has_scalars"), from.scalars ? 1 : 0);
    glUniform2d(program.place("low"), low.x, low.y);
    glUniform2d(program.place("high"), high.x, high.y);
    glUniform1d(program.place("least"), least);
    copy_listed(program, from, count_listed(program, from), to);
}

// Drivers provide memory when it is first used. Use it in the first picture, so that the first close-up does not wait
// for it (docs/benchmarks.md, Frames).
void Renderer::Impl::touch(const Elements& elements) {
    if (elements.corners == 0 || elements.count < kLeastForNear || !touched.insert(elements.ids).second) return;
    reserve_listing(elements.count, 1);
    Elements few = elements;
    few.count = 64;
    Copied unused;
    make_near(few, unused, glm::dvec2(1e300), glm::dvec2(-1e300));
}

const Renderer::Impl::Elements& Renderer::Impl::large_of(const ViewDraw& draw, const Elements& all) {
    Large& known = large_lists.next();
    // Powers of two: stable during small zooms and independent of the zoom's history.
    const double in_pixels =
        std::exp2(std::floor(std::log2(kLargeElementPixels * draw.line_scale / draw.camera.scale)));
    const double least = std::max(in_pixels, kLargeGaps * point_spacing(draw.view));
    if (!known.is_of(revision, all) || known.least != least) {
        known.is_now_of(revision, all);
        known.least = least;
        make_near(all, known, glm::dvec2(-1e300), glm::dvec2(1e300), least);
    }
    return known.made;
}

const Renderer::Impl::Elements* Renderer::Impl::near_of(const ViewDraw& draw, const Elements& all) {
    NearLevels& near = near_lists.next();
    if (revision == 0 || tile || draw.in_space || all.count < kLeastForNear) return nullptr;
    const SceneView& view = draw.view;
    const glm::dvec2 half =
        (0.5 * glm::dvec2(draw.part.width, draw.part.height) + kReach * draw.line_scale) / draw.camera.scale;
    const glm::dvec2 eye = to_glm(draw.camera.center);
    const glm::dvec2 size = to_glm(view.high) - to_glm(view.low);
    const auto worth = [&](double wider) {
        return wider * half.x * 2 * wider * half.y * 2 < kMostOfAll * size.x * size.y;
    };
    if (!worth(kWider)) return nullptr;
    if (near.known > 0 && !near.levels[0]->is_of(revision, all)) near.known = 0;
    const auto holds_view = [&](const Near& one) {
        return glm::all(glm::lessThanEqual(one.low, eye - half)) &&
               glm::all(glm::greaterThanEqual(one.high, eye + half));
    };
    const auto next = [&]() -> Near& {
        if (near.known == near.levels.size()) near.levels.push_back(std::make_unique<Near>());
        return *near.levels[near.known++];
    };
    size_t level = near.known;
    while (level > 0 && !holds_view(*near.levels[level - 1])) --level;
    if (level == 0) {
        near.known = 0;
        // A picture at rest may be inspected further: use a wide window to copy others from.
        const double wider = still && worth(kWidest) ? kWidest : kWider;
        Near& first = next();
        first.is_now_of(revision, all);
        first.low = eye - wider * half;
        first.high = eye + wider * half;
        make_near(all, first, first.low, first.high);
        level = 1;
    }
    const Near& found = *near.levels[level - 1];
    const glm::dvec2 wide = (found.high - found.low) / (2.0 * half);
    if (wide.x * wide.y <= kTooWide * kTooWide) return &found.made;
    near.known = level;
    Near& closer = next();
    closer.low = glm::max(found.low, eye - kWider * half);
    closer.high = glm::min(found.high, eye + kWider * half);
    make_near(found.made, closer, closer.low, closer.high);
    return &closer.made;
}

}  // namespace flipscope::app
