// The second half of Session: what happens when a job is over, and the copy that the panels read.
#include <algorithm>
#include <chrono>

#include "app/window_session.h"
#include "compute/error.h"

namespace flipscope::app {

void Session::conclude() {
    const std::exception_ptr failure = worker_.collect();
    context_->clear_cancel();
    const auto after = std::move(after_);
    after_ = nullptr;
    if (failure) {
        fail(failure);
    } else {
        try {
            copy_model();
            if (after) after();
            if (!is_journey_ && changes_scene_) copy_model();  // a reset has changed what there is to copy
        } catch (...) {
            fail(std::current_exception());
        }
    }
    sharing_->release();
    if (changes_scene_) ++revision_;
    title_.clear();
    cancelled_at_ = 0;
}

void Session::fail(const std::exception_ptr& failure) {
    playing_ = false;
    goal_.reset();
    try {
        std::rethrow_exception(failure);
    } catch (const Cancelled&) {
        say(Message::Kind::kWarning, title_ + " was cancelled in the middle of a pass: back to the start");
        recover_ = input_ != nullptr;
        drop_drafts();
    } catch (const Error& error) {
        say(Message::Kind::kError, error.what());
    } catch (const std::bad_alloc&) {
        say(Message::Kind::kError, "there is not enough memory for this; back to what was there before");
        recover_ = input_ != nullptr && !timeline_->usable();
    } catch (const std::exception& error) {
        say(Message::Kind::kError, error.what());
        // Once: an input that was fine before is taken up again.
        recover_ = input_ != nullptr && !timeline_->usable() && !is_journey_ && title_ != "Starting over";
    }
    model_.loaded = timeline_->usable();
    if (!model_.loaded) {
        model_.scene = {};
        model_.history.clear();
        model_.position = 0;
    }
}

Inspection Session::look(Element element) const {
    Inspection found{element, {}, {}};
    if (!found.any()) return found;
    const Algorithm& algorithm = timeline_->algorithm();
    found.facts = algorithm.inspect(element);
    const TriangleMesh& mesh = *algorithm.scene().mesh;
    std::vector<uint32_t> corners;
    switch (element.kind) {
        case ElementKind::kVertex:
            corners = {element.id};
            break;
        case ElementKind::kEdge:
            for (uint32_t k = 0; k < 2; ++k) corners.push_back(mesh.edges.read(2 * size_t(element.id) + k));
            break;
        case ElementKind::kTriangle:
            for (uint32_t k = 0; k < 3; ++k) corners.push_back(mesh.triangles.read(3 * size_t(element.id) + k));
            break;
    }
    for (uint32_t vertex : corners)
        if (vertex < mesh.infinite()) found.corners.push_back(mesh.positions.read(vertex));
    return found;
}

// Called with the worker idle and the lease held.
void Session::copy_model() {
    if (!timeline_->usable()) return;
    const Algorithm& algorithm = timeline_->algorithm();
    // Only what is new is copied; of what was there, the steps just taken may differ ("first taken" is not repeatable).
    const std::vector<StepResult>& history = timeline_->history();
    const size_t known = model_.history.size();
    size_t from = std::min({static_cast<size_t>(model_.position), known, history.size()});
    if (timeline_->position() < from) from = static_cast<size_t>(timeline_->position());
    for (size_t i = known; i < history.size(); ++i)
        if (!history[i].message.empty()) say(Message::Kind::kNote, history[i].message);
    model_.history.resize(from);
    model_.history.insert(model_.history.end(), history.begin() + static_cast<ptrdiff_t>(from), history.end());
    model_.position = timeline_->position();
    model_.next_pass = algorithm.next_pass();
    model_.done = timeline_->done();
    model_.scene = algorithm.scene();
    model_.scene.low = low_;
    model_.scene.high = high_;
    const TriangleMesh* mesh = model_.scene.mesh;
    model_.vertices = mesh && mesh->vertex_count > 0 ? mesh->vertex_count - 1 : 0;
    model_.triangles = mesh ? mesh->triangle_count : 0;
    model_.edges = mesh ? mesh->edge_count : 0;
    model_.parameters = list_parameters(timeline_->algorithm());
    drafts_.resize(model_.parameters.size());
    context_->collect_timings();
    model_.timings = context_->timings().rows();
    model_.live_bytes = context_->live_bytes();
    if (!changes_scene_) return;
    if (!model_.done) {
        model_.result.reset();
    } else if (!model_.result || is_journey_) {
        model_.result = algorithm.result();
        playing_ = false;
    }
    // What was asked about may look different now, or be gone.
    if (model_.inspection.any()) {
        const Element element = model_.inspection.element;
        const uint32_t count = element.kind == ElementKind::kVertex ? model_.vertices
                               : element.kind == ElementKind::kEdge ? model_.edges
                                                                    : model_.triangles;
        model_.inspection = element.id < count ? look(element) : Inspection{};
    }
}

}  // namespace flipscope::app
