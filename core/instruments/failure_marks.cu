#include "instruments/failure_marks.h"

#include <algorithm>
#include <array>

#include "compute/launch.h"

namespace flipscope {

namespace {

struct SetFailed {
    View<const uint32_t> ids;  // without repetitions
    View<State> states;
    FLIPSCOPE_HD void operator()(uint32_t i) const { states[ids[i]] = State(states[ids[i]] | kStateFailed); }
};

struct ClearFailed {
    View<State> states;
    FLIPSCOPE_HD void operator()(uint32_t i) const { states[i] = State(states[i] & ~kStateFailed); }
};

/// Whether words of such a layer are numbers that use the bit of the marks, which then is not available.
bool has_numbers(const SceneView& view, ElementKind kind) {
    const auto uses_bit = [](const LegendEntry& entry) { return (entry.mask & kStateFailed) != 0; };
    const Buffer<State>* states = view.states_of(kind);
    return states && std::ranges::any_of(view.layers, [&](const Layer& layer) {
               return layer.states() == states && std::ranges::any_of(layer.legend, uses_bit);
           });
}

/// Without a free bit, failures are marked by labels at their places.
void add_labels(SceneView& view, uint32_t part, const CheckReport& report) {
    constexpr size_t kMost = 500;
    LabelsLayer marks;
    for (const CheckFailure& failure : report.failures) {
        if (failure.noted) continue;
        const auto unmarked = std::find_if(failure.elements.begin(), failure.elements.end(), [&](const Element& each) {
            return each.part == part && has_numbers(view, each.kind);
        });
        if (unmarked == failure.elements.end() || marks.labels.size() >= kMost) continue;
        const uint32_t width = std::max(view.lattice().width, 1u);
        if (unmarked->kind == ElementKind::kPixel)
            marks.labels.push_back(
                {{static_cast<double>(unmarked->id % width), static_cast<double>(unmarked->id / width)}, "×"});
        else if (!failure.places.empty())
            marks.labels.push_back({{failure.places[0].x, failure.places[0].y}, "×"});
    }
    if (marks.labels.empty()) return;
    Layer layer{"failures", "Failures", "Elements that fail the check", true, std::move(marks)};
    layer.role = Role::kFailed;
    view.layers.push_back(std::move(layer));
}

struct StateWords {
    View<State> states;
    uint32_t count = 0;  // of elements
};

/// The state words of one view for elements of a kind; empty if none are kept.
StateWords words_for(const Scene& scene, uint32_t part, ElementKind kind) {
    const SceneView& view = scene.view(part);
    const Buffer<State>* states = view.states_of(kind);
    if (!states || states->empty() || has_numbers(view, kind)) return {};
    return {states->view(), static_cast<uint32_t>(std::min<size_t>(view.count_of(kind), states->size()))};
}

constexpr std::array kKinds{ElementKind::kVertex, ElementKind::kEdge, ElementKind::kTriangle, ElementKind::kPixel};

}  // namespace

void mark_failures(Context& context, const Scene& scene, const CheckReport& report) {
    if (report.passed) return;
    for (uint32_t part = 0; part < scene.view_count(); ++part)
        for (const ElementKind kind : kKinds) {
            const StateWords words = words_for(scene, part, kind);
            std::vector<uint32_t> ids;
            for (const CheckFailure& failure : report.failures)
                for (const Element& element : failure.elements)
                    if (!failure.noted && element.kind == kind && element.part == part && element.id < words.count)
                        ids.push_back(element.id);
            sort_distinct_or_cancel(ids);
            if (ids.empty()) continue;
            Buffer<uint32_t> marked("failing ids");
            marked.upload(context, ids.data(), ids.size());
            launch(context, "check.mark", static_cast<uint32_t>(ids.size()), SetFailed{marked.view(), words.states});
            context.synchronize();
        }
}

void unmark_failures(Context& context, const Scene& scene) {
    for (uint32_t part = 0; part < scene.view_count(); ++part)
        for (const ElementKind kind : kKinds)
            if (const StateWords words = words_for(scene, part, kind); words.count > 0)
                launch(context, "check.unmark", words.count, ClearFailed{words.states});
}

Properties faults_of(const CheckReport& report, const Element& element, const std::string& left_out) {
    constexpr size_t kMostTold = 12;
    Properties faults;
    for (const CheckFailure& failure : report.failures) {
        if (failure.code == left_out) continue;
        const bool concerned = std::any_of(failure.elements.begin(), failure.elements.end(), [&](const Element& e) {
            return e.kind == element.kind && e.id == element.id;
        });
        if (!concerned) continue;
        if (faults.size() == kMostTold) break;
        const std::string what = failure.noted ? "Noted" : "At fault";
        faults.add(faults.empty() ? what : what + ", " + std::to_string(faults.size() + 1), failure.code,
                   failure.sentence);
    }
    return faults;
}

std::vector<LegendEntry> failure_legend(const CheckReport& report) {
    std::array<bool, kKinds.size()> failing{};
    if (report.passed) return {};
    for (const CheckFailure& failure : report.failures)
        for (const Element& element : failure.elements)
            if (!failure.noted) failing[static_cast<size_t>(element.kind)] = true;
    using E = LegendEntry::Element;
    constexpr std::array<E, kKinds.size()> kElements{E::kVertex, E::kEdge, E::kTriangle, E::kPixel};
    std::vector<LegendEntry> entries;
    for (size_t kind = 0; kind < kKinds.size(); ++kind)
        if (failing[kind])
            entries.push_back({kElements[kind], kStateFailed, Role::kFailed, "fails the check",
                               "The check found it at fault; the list of failures says why."});
    return entries;
}

void put_failures_into_legend(Scene& scene, const CheckReport& report) {
    if (report.passed) return;
    const std::vector<LegendEntry> entries = failure_legend(report);
    for (uint32_t i = 0; i < scene.view_count(); ++i) {
        add_labels(scene.view(i), i, report);
        scene.view(i).put_legend_first(entries);
    }
}

}  // namespace flipscope
