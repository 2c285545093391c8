// A machine for tests of the timeline: it counts, and can be set to fail, to be slow, or not to repeat itself.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>

#include "compute/error.h"
#include "instruments/timeline.h"

namespace flipscope {

/// Counts to `last`, four passes a round and two an iteration, and remembers how it was treated. An manual edit leaves
/// its mark and gives it eight passes more to do.
class Counting : public Lab, public Inspectable, public Editable {
  public:
    uint64_t last = 40;
    uint64_t at = 0;
    uint64_t mark = 0;  // what the edits so far come to, their order included
    uint64_t edits_made = 0;
    size_t snapshot_bytes = 1000;
    double pass_ms = 0;  // how long a pass takes, by the clock below
    mutable double now_ms = 0;
    uint64_t cancel_at = 0;  // the step that is cancelled; 0: none
    int64_t generation = 0;  // part of every counter: another one is another history
    uint64_t steps_run = 0;
    mutable int saves = 0;
    mutable bool saved_within_round = false;

    const LabInfo& info() const override {
        using Kind = Edit::Kind;
        static const LabInfo info{
            "counting",
            "Counting",
            "",
            "",
            {{"even", ""}, {"odd", ""}},
            {{"steps", ""}},
            {},
            {Kind::kMoveVertex, Kind::kFlipEdge, Kind::kAddVertex, Kind::kRemoveVertex, Kind::kPaint, Kind::kWipe}};
        return info;
    }
    void parameters(ParameterVisitor&) override {}
    void reset(Context&, std::shared_ptr<const Geometry> input) override {
        if (input->points.size() == 13) throw Error("thirteen points are refused");
        if (input->points.size() == 14) throw std::bad_alloc();
        at = mark = 0;
        last = 40;
    }
    void set_records_states(bool) override {}
    StepResult edit(const Edit& edit) override {
        if (at % 2 != 0) throw std::logic_error("an edit amid an iteration");
        if (edit.id == 13) throw Error("vertex 13 stays where it is");
        ++edits_made;
        if (!edit.goes_on) mark = 31 * mark + edit.id;
        for (const Point3& place : edit.path) mark = 31 * mark + static_cast<uint64_t>(place.x);
        last = std::max(last, at + 8);
        StepResult result;
        result.pass = 1;
        result.next = next_pass();
        result.ended = Level::kIteration;
        result.counters = {-static_cast<int64_t>(edit.id)};
        return result;
    }
    bool done() const override { return at >= last; }
    uint32_t next_pass() const override { return done() ? kNone : static_cast<uint32_t>(at % 2); }
    StepResult step() override {
        if (done()) throw std::logic_error("done");
        if (cancel_at > 0 && at + 1 == cancel_at) throw Cancelled();
        now_ms += pass_ms;
        StepResult result;
        result.pass = static_cast<uint32_t>(at % 2);
        ++at;
        ++steps_run;
        result.next = next_pass();
        result.round = static_cast<uint32_t>((at + 3) / 4);
        result.ended = done()        ? Level::kEnd
                       : at % 4 == 0 ? Level::kRound
                       : at % 2 == 0 ? Level::kIteration
                                     : Level::kPass;
        result.counters = {static_cast<int64_t>(at) + 1000 * generation};
        return result;
    }
    void finish(const std::function<void(const StepResult&)>&) override { at = last; }
    Scene scene() const override { return {}; }
    Report inspect(Element) const override { return {}; }
    Element pick(const Probe&) const override { return {ElementKind::kVertex, kNone}; }
    uint64_t state_hash() const override { return at + 1000 * last + 1000000 * mark; }
    Result result() const override { return {}; }
    Snapshot save() const override {
        ++saves;
        if (at % 4 != 0 && !done()) saved_within_round = true;
        Snapshot snapshot{{std::vector<std::byte>(snapshot_bytes)}};
        const uint64_t state[] = {at, last, mark};
        std::memcpy(snapshot.blocks[0].data(), state, sizeof state);
        return snapshot;
    }
    void load(const Snapshot& snapshot) override {
        uint64_t state[3];
        std::memcpy(state, snapshot.blocks[0].data(), sizeof state);
        at = state[0];
        last = state[1];
        mark = state[2];
    }
};

struct Bench {
    Context context{DeviceRequest::kCpu, 1};
    std::unique_ptr<Counting> made = std::make_unique<Counting>();
    Counting& machine = *made;
    Timeline timeline{std::move(made)};

    Bench() {
        timeline.set_clock([this] { return machine.now_ms; });
    }
    void reset(size_t points = 3) {
        auto set = std::make_shared<Geometry>();
        set->points.resize(points);
        timeline.reset(context, set);
    }
};

/// A stroke of the brush through these places, or more of it.
inline Edit stroke(std::vector<double> places, bool goes_on = false, uint32_t id = 1) {
    Edit edit{.kind = Edit::Kind::kPaint, .id = id};
    for (const double x : places) edit.path.push_back({x, 0, 0});
    edit.goes_on = goes_on;
    return edit;
}
inline Edit move(uint32_t vertex) { return {Edit::Kind::kMoveVertex, vertex, 0, {}}; }

/// False from call number `times` on.
inline std::function<bool()> patience(int times) {
    return [left = times]() mutable { return --left > 0; };
}

}  // namespace flipscope
