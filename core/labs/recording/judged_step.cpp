#include "labs/recording/judged_step.h"

#include <algorithm>

namespace flipscope {

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
