#include "labs/recording/judged_step.h"

#include <algorithm>
#include <string>
#include <utility>

#include "compute/text.h"
#include "geometry/predicates.h"
#include "lab/report.h"
#include "mesh/failures.h"

namespace flipscope {

namespace {

/// Compares the signs that the program found with the exact ones.
void verify_tests(const RecordedSteps::Step& step, CheckReport& report) {
    uint64_t wrong = 0;
    std::string first;
    for (size_t i = 0; i < step.tests.size(); ++i) {
        const RecordedSteps::Test& test = step.tests[i];
        const auto at = [&](size_t k) { return (*step.points)[test.points[k]]; };
        const int exact = test.in_circle ? incircle(at(0), at(1), at(2), at(3)) : orient2d(at(0), at(1), at(2));
        if (exact == test.sign) continue;
        CheckFailure failure{
            "false-test", test.in_circle ? "in-circle of points " : "orientation of points ", {}, {}, {}};
        const size_t count = test.in_circle ? 4 : 3;
        for (size_t k = 0; k < count; ++k) {
            const uint32_t v = test.points[k];
            failure.sentence += (k == 0 ? "" : k + 1 == count ? " and " : ", ") + std::to_string(v);
            failure.elements.push_back({ElementKind::kVertex, v});
            failure.vertices.push_back(v);
            failure.places.push_back({at(k).x, at(k).y, 0});
        }
        failure.sentence += std::string(": the program found sign ") + sign_name(test.sign) + ", exactly it is " +
                            sign_name(exact) + " (test " + std::to_string(i) + " of the step)";
        if (wrong++ == 0) first = failure.sentence;
        add_failure(report, std::move(failure));
    }
    if (wrong == 0) return;
    report.sentence += std::string(report.passed ? ", but " : "; ") +
                       count_text(wrong, "predicate has a wrong sign", "predicates have wrong signs") + ": " + first;
    report.passed = false;
}

}  // namespace

JudgedStep judge_step(const RecordedSteps& recording, size_t i, Context* context) {
    static const SoupTriangles kNothing;
    const RecordedSteps::Step& step = recording.steps[i];
    const SoupTriangles& before = i > 0 ? *recording.steps[i - 1].triangles : kNothing;
    JudgedStep judged;
    judged.geometry.name = "step " + std::to_string(i + 1);
    judged.geometry.points = *step.points;
    judged.geometry.triangles = *step.triangles;
    judged.survey = survey_soup(*step.points, *step.triangles, context);
    judged.found = inspect_mesh(judged.geometry, context);
    judged.changes = compare_soups(before, *step.triangles, judged.survey);
    judged.fits = judged.found.report.passed;
    verify_tests(step, judged.found.report);
    const CheckReport& report = judged.found.report;
    auto& counters = judged.counts.counters;
    counters[JudgedStep::kPoints] = static_cast<int64_t>(step.points->size());
    counters[JudgedStep::kTriangles] = static_cast<int64_t>(step.triangles->size());
    counters[JudgedStep::kNew] = static_cast<int64_t>(judged.changes.fresh.size());
    counters[JudgedStep::kRemoved] = static_cast<int64_t>(judged.changes.removed.size());
    counters[JudgedStep::kMarked] = static_cast<int64_t>(step.marks.count());
    counters[JudgedStep::kIllegal] = static_cast<int64_t>(judged.survey.illegal);
    if (!report.passed) {
        const uint64_t defects = report.failure_count - std::min(judged.found.harmless, report.failure_count);
        counters[JudgedStep::kDefects] = static_cast<int64_t>(std::max<uint64_t>(defects, 1));
        judged.counts.fault = "S" + report.sentence.substr(1) + ".";  // "Step 17 is no valid …"
    }
    judged.counts.minimum_angle = judged.survey.minimum_angle;
    return judged;
}

void count_steps(const RecordedSteps& recording, size_t first, std::vector<JudgedStep::Counts>& counts,
                 Context& context) {
    struct Task {
        const RecordedSteps& recording;
        size_t first;
        std::vector<JudgedStep::Counts>& counts;
        static void run(const void* task, uint32_t chunk) {
            const Task& self = *static_cast<const Task*>(task);
            self.counts[chunk] = judge_step(self.recording, self.first + chunk, nullptr).counts;
        }
    };
    const Task task{recording, first, counts};
    context.run_chunks(static_cast<uint32_t>(counts.size()), &Task::run, &task);
}

}  // namespace flipscope
