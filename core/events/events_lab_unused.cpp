// Which parameters were set, and mean nothing to the source there is: said once, so that nobody waits for their effect.
#include <algorithm>
#include <initializer_list>

#include "events/events_lab.h"
#include "steps/parameters.h"

namespace flipscope {

namespace {

bool is_of(const std::string& name, std::initializer_list<const char*> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Of those of the fluid only, and of those that only droplets have.
bool of_fluid(const std::string& name) { return is_of(name, {"vessel", "force", "viscosity", "repulsion", "film"}); }
bool of_droplets(const std::string& name) { return is_of(name, {"packing", "spread"}); }
bool of_posts(const std::string& name) { return is_of(name, {"posts", "post_height", "post_width"}); }
bool of_bubbles(const std::string& name) { return is_of(name, {"drift_x", "drift_y", "lifetime"}); }
bool of_box(const std::string& name) { return is_of(name, {"box_width", "box_height", "box_x", "box_y"}); }
bool of_own_source(const std::string& name) {
    return of_fluid(name) || of_droplets(name) || of_posts(name) || of_bubbles(name) ||
           is_of(name, {"source", "periodic", "bubbles", "seed", "speed", "plug"});
}

bool unused_by_tracks(const std::string& name) {
    return of_own_source(name) ||
           is_of(name, {"frames_periodic", "auto_threshold", "threshold", "polarity", "measure"});
}

bool unused_by_frames(const std::string& name) {
    return of_own_source(name) || of_box(name) || is_of(name, {"width", "height"});
}

bool unused_by_own(const std::string& name, const SourceParameters& p) {
    if (of_box(name) || name == "frames_periodic") return true;
    const bool emulsion = p.kind == SourceParameters::kEmulsion, bubbles = p.kind == SourceParameters::kBubbles;
    const bool posts = emulsion ? p.vessel == SourceParameters::kPosts : p.kind == SourceParameters::kChannel;
    if (of_fluid(name)) return !emulsion;
    if (of_droplets(name)) return bubbles;
    if (of_posts(name)) return !posts;
    if (of_bubbles(name)) return !bubbles;
    if (name == "speed") return bubbles || emulsion;
    if (name == "plug") return p.kind != SourceParameters::kChannel;
    return name == "periodic" && !bubbles && p.kind != SourceParameters::kFourRolls;
}

}  // namespace

std::string EventsLab::set_without_effect() {
    EventsLab usual;
    const std::vector<ParameterDescription> all = list_parameters(*this), untouched = list_parameters(usual);
    const bool tracks = input_ && input_->tracks, frames = !tracks && input_ && input_->field;
    std::vector<std::string> names;
    std::string kind;
    for (size_t i = 0; i < all.size(); ++i) {
        const std::string& name = all[i].name;
        if (name == "source") kind = all[i].value;
        const bool unused = tracks   ? unused_by_tracks(name)
                            : frames ? unused_by_frames(name)
                                     : unused_by_own(name, now_.source);
        if (unused && all[i].value != untouched[i].value) names.push_back(name);
    }
    if (names.empty()) return {};
    std::string sentence = "Set without effect, as " +
                           (tracks   ? std::string("the input has tracks")
                            : frames ? "the input has frames of a field"
                                     : "the source is " + kind) +
                           ": " + join_words(names, " and ") + ".";
    const bool wants_torus = tracks && (now_.source.frames_periodic && !source_->lattice().periodic);
    if (wants_torus) sentence += " Tracks are periodic in a box: set box_width and box_height.";
    return sentence;
}

}  // namespace flipscope
