#include "app/run/stage.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "app/run/lesson.h"
#include "app/view/display.h"
#include "instruments/failure_marks.h"
#include "lab/unit_names.h"

namespace flipscope::app {

Highlight highlight_of(const Element& element, const std::vector<Point3>& corners, std::string name) {
    const auto kind = corners.size() >= 3   ? Highlight::Kind::kPolygon
                      : corners.size() == 2 ? Highlight::Kind::kLine
                                            : Highlight::Kind::kPoint;
    return {kind, corners, 0, Role::kPlain, std::move(name), element.part};
}

Paraboloid::Choice paraboloid_choice(const DisplayOptions& display) {
    const bool upper_hull = display.shows(Paraboloid::kUpperHull, false);
    return {display.shows(Paraboloid::kName, upper_hull), upper_hull};
}

void Stage::explore(Context& context, const Scene& scene) {
    if (std::exchange(explored_in_, &context) != &context) {
        exploration_ = Exploration();
        intensity_ = IntensityLayer();
        paraboloid_ = Paraboloid();
    }
    exploration_.choose(choice);
    exploration_.set_input(input_);
    exploration_.update(context, scene);
    if (choice.shows_intensity)
        intensity_.update(context, scene, choice.area.get());
    else
        intensity_.clear();
    paraboloid_.update(context, scene, lift);
    motions_.resize(follows_motion ? scene.view_count() : 0);
    for (size_t i = 0; i < motions_.size(); ++i) motions_[i].update(scene.view(i));
}

MeshMotions Stage::motions() const {
    MeshMotions all;
    for (const MeshMotionFinder& finder : motions_)
        if (finder.last()) all.push_back(finder.last());
    return all;
}

void Stage::compose(Scene& scene, const CheckReport* check) const {
    exploration_.apply(scene);
    intensity_.apply(scene);
    paraboloid_.apply(scene);
    name_units(scene, unit(scene));
    if (check) put_failures_into_legend(scene, *check);
}

Element Stage::pick(const Lab& lab, const Probe& probe) const {
    if (paraboloid_.part() == probe.part) return paraboloid_.pick(*explored_in_, lab.scene(), probe);
    const auto* inspectable = find_facet<Inspectable>(lab);
    return inspectable ? inspectable->pick(probe) : Element{};
}

std::vector<Highlight> Stage::lifted(const Scene& scene, const Element& element,
                                     const std::vector<Highlight>& marks) const {
    if (paraboloid_.part() == kNone) return {};
    return paraboloid_.lifted(*explored_in_, scene, element, marks);
}

std::string Stage::unit(const Scene& scene) const { return length_unit(scene, input_.get()); }

std::vector<Highlight> Stage::highlights(const Scene& scene, const Element& element, const Report& found,
                                         const std::string& name) {
    std::vector<Highlight> all = found.highlights;
    if (element.id == kNone) return all;
    all.push_back(highlight_of(element, scene.view(element.part).corners_of(element), name));
    return all;
}

std::vector<Highlight> Stage::marks(const Scene& scene, const Element& element, const Report& found,
                                    const std::string& name) const {
    std::vector<Highlight> all = highlights(scene, element, found, name);
    std::ranges::move(lifted(scene, element, all), std::back_inserter(all));
    return all;
}

std::vector<ElementLabel> Stage::labels(Context& context, const Scene& scene, const std::vector<InView>& shown) const {
    static const std::vector<std::string> kNoNames;
    return labels_in_view(context, scene, input_ ? input_->names : kNoNames, shown);
}

RunStage::RunStage(Context& context, const Run& run) : context_(context), run_(run) {
    set_input(run.input().geometry);
    choice.area = run.area();
}

Scene RunStage::scene() {
    Scene scene = preview_.with_input(context_, run_.lab().scene(), input());
    name_units(scene, unit(scene));
    return scene;
}

void RunStage::explore(Scene& scene) {
    Stage::explore(context_, scene);
    compose(scene);
}

std::string RunStage::offered(const Scene& scene) const {
    return offered_words(scene, input().get(), run_.lab().info().title);
}

void RunStage::mark(Scene& scene, const CheckReport& check) {
    mark_failures(context_, scene, check);
    put_failures_into_legend(scene, check);
}

std::vector<ElementLabel> RunStage::labels(const Scene& scene, const DisplayOptions& display) {
    if (!display.shows(kIdsDisplay, false)) return {};
    std::vector<InView> whole;
    for (uint32_t part = 0; part < scene.view_count(); ++part)
        whole.push_back({part, {-INFINITY, -INFINITY}, {INFINITY, INFINITY}});
    return Stage::labels(context_, scene, whole);
}

void RunStage::show_beside(const BesideRequest& request, const std::optional<uint64_t>& most_passes,
                           const std::optional<uint64_t>& most_rounds, std::string label) {
    beside_.emplace(context_, run_.scenario(), request, most_passes, most_rounds, choice.colour);
    label_ = std::move(label);
}

std::string RunStage::live_caption() const {
    return (label_.empty() ? "" : std::string(kThisStep) + ": ") + run_.caption();
}

std::string RunStage::beside_caption() const { return label_ + ": " + beside_->caption() + "; " + live_caption(); }

RunStage::Picture RunStage::picture(Scene scene, std::vector<Highlight> highlights, std::vector<ElementLabel> labels) {
    Picture made{std::move(scene), std::move(highlights), std::move(labels)};
    made.unit = unit(made.scene);
    if (!beside_) return made;
    made.scene = beside_->with(std::move(made.scene), choice, lift, live_caption(), label_);
    for (Highlight& highlight : made.highlights) highlight.part += beside_->views();
    for (ElementLabel& label : made.labels) label.element.part += beside_->views();
    return made;
}

}  // namespace flipscope::app
