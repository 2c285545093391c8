#include "labs/recording/judged_step.h"

#include <algorithm>
#include <string>
#include <utility>

#include "compute/text.h"
#include "flipscope/predicates.h"

namespace flipscope {

namespace {

/// "2 predicates have wrong signs: in-circle of …"; empty: none.
std::string add_false_signs(std::vector<CheckFailure> found, CheckReport& report) {
    if (found.empty()) return {};
    const std::string sentence = count_text(found.size(), "predicate has a wrong sign", "predicates have wrong signs") +
                                 ": " + found[0].sentence;
    report.sentence += std::string(report.passed ? ", but " : "; ") + sentence;
    report.passed = false;
    for (CheckFailure& failure : found) add_failure(report, std::move(failure));
    return sentence + ".";
}

}  // namespace

std::vector<CheckFailure> false_signs(const RecordedSteps& recording, size_t i) {
    const RecordedSteps::Step& step = recording.steps[i];
    std::vector<CheckFailure> found;
    for (size_t k = 0; k < step.tests.size(); ++k) {
        const RecordedSteps::Test& test = step.tests[k];
        const auto at = [&](size_t corner) { return (*step.points)[test.points[corner]]; };
        const int exact = test.in_circle ? incircle(at(0), at(1), at(2), at(3)) : orient2d(at(0), at(1), at(2));
        if (exact == test.sign) continue;
        CheckFailure failure{
            "false-sign", test.in_circle ? "in-circle of points " : "orientation of points ", {}, {}, {}};
        const size_t count = test.in_circle ? 4 : 3;
        for (size_t corner = 0; corner < count; ++corner) {
            const uint32_t v = test.points[corner];
            failure.sentence += (corner == 0 ? "" : corner + 1 == count ? " and " : ", ") + std::to_string(v);
            failure.elements.push_back({ElementKind::kVertex, v});
            failure.vertices.push_back(v);
            failure.places.push_back({at(corner).x, at(corner).y, 0});
        }
        failure.sentence += " in step " + std::to_string(i + 1) + ": the program found sign " + sign_name(test.sign) +
                            ", exactly it is " + sign_name(exact) + " (test " + std::to_string(k) + " of the step)";
        found.push_back(std::move(failure));
    }
    return found;
}

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
    if (!judged.fits)
        judged.counts.fault = "S" + judged.found.report.sentence.substr(1) + ".";  // "Step 17 is no valid …"
    judged.counts.false_sign = add_false_signs(false_signs(recording, i), judged.found.report);
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
    }
    judged.counts.minimum_angle = judged.survey.minimum_angle;
    return judged;
}

void count_steps(const RecordedSteps& recording, size_t first, std::vector<JudgedStep::Counts>& counts,
                 Context& context) {
    context.run_chunks(static_cast<uint32_t>(counts.size()),
                       [&](uint32_t chunk) { counts[chunk] = judge_step(recording, first + chunk, nullptr).counts; });
}

}  // namespace flipscope
