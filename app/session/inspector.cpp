#include "app/session/inspector.h"

#include <utility>

#include "app/run/element_query.h"
#include "app/run/run.h"
#include "compute/error.h"

namespace flipscope::app {

void Inspector::inspect(const Probe& probe) {
    push([probe, &stage = worker_.publisher().stage()](const Lab& lab) { return stage.pick(lab, probe); }, 0);
}

uint64_t Inspector::request_element(std::function<Element(const Lab&)> find) {
    push(std::move(find), ++requests_);
    return requests_;
}

void Inspector::push(std::function<Element(const Lab&)> find, uint64_t request) {
    const auto start = [this, find = std::move(find), request] {
        worker_.query_or_note(
            [=, shown = worker_.publisher().needs_measuring() ? nullptr : worker_.model().shown,
             &stage = worker_.publisher().stage()](Timeline& timeline) {
                const Lab& lab = timeline.lab();
                Inspection found = inspect_element(lab, find(lab), &stage);
                if (shown)
                    found.report.add("Statistics", "Where it stands among all is marked in the plots.",
                                     shown->of_element(found.element, lab.scene()));
                found.request = request;
                return found;
            },
            [this](Inspection found) { worker_.publisher().set_inspection(std::move(found)); });
    };
    worker_.request_of_run(start, "inspect");
}

void Inspector::trace(const Element& element) {
    worker_.playback().pause();
    worker_.request_of_run([this, element] {
        const auto run = [&link = worker_.link(), element](Timeline& timeline) {
            return trace_element(timeline, element, [&] { return link.report(timeline.position()); });
        };
        const auto after = [this](ElementHistory found) {
            traced_ = std::move(found);
            traced_edits_ = worker_.model().edits;
        };
        worker_.start(
            {.task = Task::kSeek, .title = "Looking back", .changes_scene = true, .target = worker_.model().position},
            run, after);
    });
}

const ElementHistory* Inspector::history_of(const Element& element) const {
    const bool same = traced_ && traced_->element == element && traced_edits_ == worker_.model().edits;
    return same ? &*traced_ : nullptr;
}

void Inspector::open_detection(size_t index) {
    const LabModel& model = worker_.model();
    if (index >= model.detections.size()) return;
    Playback& playback = worker_.playback();
    worker_.publisher().choose_detection(index);
    playback.stop_playback();
    const Detection& detection = model.detections[index];
    const std::optional<uint64_t> target = worker_.publisher().position_of(detection);
    if (!target)
        playback.seek_round(detection.round);
    else if (*target > 0 && *target != model.position)
        playback.seek(*target);
    else
        worker_.request_of_run([this] { start_detail_view(); });
}

void Inspector::start_detail_view() {
    const DetailView& chosen = worker_.model().detail_view;
    if (!chosen.any()) return;
    worker_.query([chosen](Timeline& timeline) { return ModelPublisher::inspect_detail(timeline.lab(), chosen); },
                  [this](DetailView detail_view) { worker_.publisher().set_detail_view(std::move(detail_view)); });
}

bool Inspector::due() const {
    const uint64_t revision = worker_.revision();
    return worker_.model().loaded && (labels_.due(revision) || elements_.due(revision) || hovered_.due(revision));
}

void Inspector::start_due() {
    const auto starts = [&](const auto& look_up) {
        return worker_.is_free() && !worker_.playback().goal() && look_up.due(worker_.revision());
    };
    if (starts(labels_)) start_labels();
    for (LookUp<std::string, FoundElement>* elements : {&elements_, &hovered_})
        if (starts(*elements)) start_element_search(*elements);
}

void Inspector::start_element_search(LookUp<std::string, FoundElement>& elements) {
    const auto find = [wanted = elements.wanted, input = worker_.input(),
                       &stage = worker_.publisher().stage()](Timeline& timeline) {
        const Lab& lab = timeline.lab();
        const Scene scene = lab.scene();
        std::vector<FoundElement> found;
        for (const std::string& query : wanted) {
            try {
                found.push_back(
                    {query, inspect_element(lab, find_element(parse_element(query), lab, scene, input.get()), &stage)});
            } catch (const Error&) {
                continue;  // this state has no such element
            }
        }
        return found;
    };
    worker_.query(find, [this, &elements, wanted = elements.wanted](std::vector<FoundElement> found) {
        elements = {elements.wanted, wanted, std::move(found), worker_.revision()};
    });
}

void Inspector::start_labels() {
    const auto find = [this, shown = labels_.wanted](Timeline& timeline) {
        return worker_.publisher().stage().labels(worker_.context(), timeline.lab().scene(), shown);
    };
    worker_.query(find, [this, shown = labels_.wanted](std::vector<ElementLabel> found) {
        labels_ = {labels_.wanted, shown, std::move(found), worker_.revision()};
    });
}

}  // namespace flipscope::app
