// The laboratory in a page: one run of a lab, driven by requests in JSON from playground.js or Node. Compiled to
// WebAssembly by scripts/web, with the core and the page's form of scenes and reports.
#include <emscripten.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "app/run/page.h"
#include "app/view/display.h"
#include "compute/error.h"
#include "geometry/generators.h"
#include "instruments/exploration.h"
#include "instruments/input_scene.h"
#include "instruments/timeline.h"
#include "lab/facets.h"
#include "lab/parameters.h"
#include "lab/registry.h"
#include "labs/labs.h"

using namespace flipscope;
using namespace flipscope::app;

/// The labs of the playground, in the place of core/labs/registry.cpp.
const std::vector<RegistryEntry>& flipscope::registry() {
    static const std::vector<RegistryEntry> entries{
        {"", &make_build_lab}, {"", &make_flip_lab}, {"", &make_serial_lab}, {"", &make_strips_lab}};
    return entries;
}

std::unique_ptr<Lab> flipscope::make_lab(const std::string& id) {
    for (const RegistryEntry& entry : registry())
        if (entry.id == id) return entry.make();
    throw Error("there is no lab \"" + id + "\" in the playground");
}

namespace {

// A page waits so long for a run; longer ones go on to their end without states to return to, or stop on the way back.
constexpr double kMostMs = 1000;
constexpr size_t kMostKeyframeBytes = size_t(256) << 20;

double now_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class Playground {
  public:
    Json answer(const Json& request) {
        const std::string what = request.at("do");
        if (what == "open") return open(request);
        if (!timeline_) throw Error("no lab is open");
        if (what == "seek") return seek(request.at("to"));
        if (what == "finish") return finish();
        if (what == "edit") return edit(request);
        if (what == "scene") return scene(request);
        if (what == "explain") return explain(request);
        if (what == "points") return points();
        throw Error("unknown request: " + what);
    }

  private:
    Json open(const Json& request) {
        auto input = std::make_shared<Geometry>();
        if (const Json& points = request.at("points"); points.is_string())
            *input = generate(parse_generator(points));
        else
            for (const Json& place : points) input->points.push_back({place.at(0), place.at(1)});
        auto timeline = std::make_unique<Timeline>(make_lab(request.at("lab")));
        if (request.contains("parameters"))
            for (const auto& [name, value] : request.at("parameters").items())
                set_parameter(timeline->lab(), name, value);
        timeline->lab().set_records_states(true);
        timeline->set_keyframe_budget(kMostKeyframeBytes);
        timeline->reset(context_, input);
        timeline_ = std::move(timeline);
        input_ = std::move(input);
        is_at_once_ = false;
        Json made = state();
        made["page"] = Page(timeline_->lab().info().title).json();
        return made;
    }

    /// Where the run stands.
    Json state() const {
        Json words = words_of_pass(*timeline_);
        words["known"] = timeline_->known();
        if (is_at_once_ && timeline_->position() == 0) words["pass"] = "All passes at once";
        words["points"] = input_->points.size();
        return words;
    }

    Json seek(uint64_t to) {
        timeline_->seek(to, [end = now_ms() + kMostMs] { return now_ms() < end; });
        return state();
    }

    Json finish() {
        double begin = now_ms();
        seek(UINT64_MAX);
        if (!timeline_->done()) {
            timeline_->seek(0);
            begin = now_ms();
            timeline_->lab().finish({});
            timeline_->begin_here();
            is_at_once_ = true;
        }
        const double took = now_ms() - begin;
        Json made = state();
        made["ms"] = took;
        return made;
    }

    Json edit(const Json& request) {
        static const std::map<std::string, Edit::Kind> kKinds{{"add", Edit::Kind::kAddVertex},
                                                              {"remove", Edit::Kind::kRemoveVertex},
                                                              {"move", Edit::Kind::kMoveVertex},
                                                              {"flip", Edit::Kind::kFlipEdge}};
        Edit made;
        made.kind = kKinds.at(request.at("kind"));
        if (!supports_edit(timeline_->lab(), made.kind))
            throw Error("the " + timeline_->lab().info().title + " cannot do that; the Build lab can");
        made.id = request.value("id", kNone);
        made.goes_on = request.value("goes_on", false);
        made.place = {request.value("x", 0.0), request.value("y", 0.0), 0};
        if (made.goes_on) made.path = {made.place};
        timeline_->edit(made);
        return state();
    }

    PageStep step(const Scene& scene) const { return {.scene = scene, .words = state()}; }
    /// The input with the points that were added, moved and removed.
    std::shared_ptr<const Geometry> present_input() const {
        const auto* const editable = find_facet<Editable>(timeline_->lab());
        const std::shared_ptr<const Geometry> edited = editable ? editable->edited_input() : nullptr;
        return edited ? edited : input_;
    }
    Scene shown() { return preview_.with_input(context_, timeline_->lab().scene(), present_input()); }

    /// The present state, with the structures that are shown. A page of its own: arrays of earlier ones are forgotten.
    Json scene(const Json& request) {
        DisplayOptions display{.layers = request.value("display", std::map<std::string, bool>()),
                               .beta = request.value("beta", 1.5),
                               .alpha = request.value("alpha", 0.0)};
        Scene scene = shown();
        exploration_.choose({.structures = structures_of(display)});
        exploration_.update(context_, scene);
        exploration_.apply(scene);
        PageStep made = step(scene);
        for (const StructureInfo& info : structure_infos())
            made.words["structures"].push_back(
                {info.id, info.title, info.sentence, exploration_.structures().absence(info.kind)});
        made.words["spacing"] = mean_spacing(scene.view(0));
        page_.emplace(timeline_->lab().info().title);
        page_->add(made);
        return page_->added(true);
    }

    Json explain(const Json& request) {
        const auto* const inspectable = find_facet<Inspectable>(timeline_->lab());
        if (!inspectable) throw Error("the " + timeline_->lab().info().title + " explains no elements");
        const Scene scene = shown();
        PageStep asked = step(scene);
        asked.inspectable = inspectable;
        if (!page_) throw Error("nothing is shown yet");
        const Json report = page_->explain(asked, {static_cast<ElementKind>(request.at("kind").get<int>()),
                                                   request.at("id"), request.value("part", 0u)});
        Json made = page_->added(true);
        made["report"] = report;
        return made;
    }

    Json points() const {
        Json list = Json::array();
        for (const Point& place : present_input()->points) list.push_back({place.x, place.y});
        return list;
    }

    Context context_{DeviceRequest::kCpu, 1};
    std::shared_ptr<const Geometry> input_;
    std::unique_ptr<Timeline> timeline_;
    InputScene preview_;
    bool is_at_once_ = false;  // the run begins with its end
    Exploration exploration_;
    std::optional<Page> page_;  // of the last scene()
};

}  // namespace

/// Answers a request; the text is valid until the next one. {"error": "…"} if it is impossible.
extern "C" EMSCRIPTEN_KEEPALIVE const char* flipscope_answer(const char* request) {
    static Playground playground;
    static std::string text;
    try {
        text = playground.answer(Json::parse(request)).dump(-1, ' ', false, Json::error_handler_t::replace);
    } catch (const std::exception& error) {
        text = Json{{"error", error.what()}}.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    return text.c_str();
}
