// A minimal lab for tests of the session's parts. It counts as Counting does, has a detection in every second round,
// and runs a test's callback before every pass, which may wait or throw.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/bell.h"
#include "labs/counting.h"

namespace flipscope {

class ScriptedLab : public Counting, public Checkable, public Detector, public Measurable {
  public:
    LabInfo about{"scripted",     "Scripted lab", "", "", {{"even", "An even pass."}, {"odd", "An odd pass."}},
                  {{"steps", ""}}};
    std::function<void(uint64_t)> before_pass;  // gets the number of passes made
    uint64_t breakpoint_at = 0,
             says_at = 0;       // pass (1, 2, …) with a breakpoint hit; pass with a message
    uint64_t must_stop_at = 0;  // pass that must stop playing
    uint64_t passes = 40;
    bool exact = true, fails_check = false;
    int number = 3;            // a parameter
    std::string refuses = {};  // why reset() throws; empty: it does not
    mutable int looked = 0;

    ScriptedLab() { about.edits = {Edit::Kind::kMoveVertex}; }

    const LabInfo& info() const override { return about; }
    void parameters(ParameterVisitor& visitor) override {
        visitor.integer("number", "Number", "A number.", number, 0, 9);
    }
    void reset(Context& context, std::shared_ptr<const Geometry> input) override {
        if (!refuses.empty()) throw Error(refuses);
        Counting::reset(context, std::move(input));
        last = passes;
    }
    StepResult step() override {
        if (before_pass) before_pass(at);
        StepResult result = Counting::step();
        result.breakpoint_hit = at == breakpoint_at;
        result.must_stop = at == must_stop_at;
        if (at == says_at) result.message.add("pass", "pass " + std::to_string(at) + " says this");
        return result;
    }
    bool is_exact() const override { return exact; }
    CheckReport check() const override {
        CheckReport report;
        report.checked = at > 0;
        report.passed = !fails_check;
        report.sentence = !report.checked ? "nothing has run yet" : fails_check ? "it is wrong" : "all is well";
        if (fails_check)
            report.failures = {{"wrong", "edge 1 is wrong", {}, {}, {}}, {"wrong", "edge 2 is", {}, {}, {}}};
        report.failure_count = report.failures.size();
        return report;
    }
    Result result() const override {
        Result result;
        result.points = at;
        result.numbers.add_number("passes", "", static_cast<double>(at));
        return result;
    }

    // One at the end of each of the rounds 2, 4, …
    size_t detection_count() const override { return at / 8; }
    std::vector<Detection> detections(size_t first) const override {
        std::vector<Detection> found;
        for (size_t i = first; i < detection_count(); ++i) {
            Detection one;
            one.round = 2 * (i + 1);
            one.place = {static_cast<double>(i), 0};
            one.kind = "kind " + std::to_string(generation);
            found.push_back(one);
        }
        return found;
    }
    Report report_of_detection(size_t) const override {
        ++looked;
        Report report;
        report.add({Diagram{"before", "", {}, {}, {}}});
        return report;
    }
    Report statistics() const override {
        Report report;
        report.add(Distribution{"passes", "", "", 0, 1, {}, {static_cast<double>(at)}});
        return report;
    }
};

/// A scripted lab on a timeline, reset.
struct Rehearsal {
    Context context{DeviceRequest::kCpu, 1};
    std::unique_ptr<ScriptedLab> made = std::make_unique<ScriptedLab>();
    ScriptedLab& lab = *made;
    Timeline timeline{std::move(made)};

    explicit Rehearsal(uint64_t passes = 40) {
        lab.passes = passes;
        reset();
    }
    void reset() {
        auto points = std::make_shared<Geometry>();
        points->points.resize(3);
        timeline.reset(context, points);
    }
};

}  // namespace flipscope
