// One step of a recording, judged: its edges and angles, what is wrong with it, and what has changed since the step
// before. A pure function of the recording, made where it is asked for; the Recording lab keeps what it counted and the
// step that is shown.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "compute/context.h"
#include "geometry/recording.h"
#include "mesh/inspect.h"
#include "mesh/soup_survey.h"

namespace flipscope {

struct JudgedStep {
    enum Counter : uint32_t { kPoints, kTriangles, kNew, kRemoved, kMarked, kIllegal, kDefects, kCounters };
    struct Counts {
        std::array<int64_t, kCounters> counters{};
        double minimum_angle = 0;  // degrees; NaN without triangles
        std::string fault;         // a sentence, where the triangles do not fit together
        std::string false_sign;    // a sentence, where the program found wrong signs
    };

    Geometry geometry;  // of the step
    SoupSurvey survey;
    MeshInspection found;  // and wrong signs of tests
    bool fits = true;      // the triangles fit together, whatever signs the program found
    SoupChanges changes;
    Counts counts;
};

/// Step i, from 0. `context`: whose threads to use, or nullptr. Takes time in proportion to the step and the one
/// before.
JudgedStep judge_step(const RecordedSteps& recording, size_t i, Context* context);

/// Of step i, from 0: the signs that the program found and that are not the exact ones, each with the code
/// "false-sign". Their elements are points of the step.
std::vector<CheckFailure> false_signs(const RecordedSteps& recording, size_t i);

/// What steps first … first + counts.size() - 1 count, several at once on the context's threads.
void count_steps(const RecordedSteps& recording, size_t first, std::vector<JudgedStep::Counts>& counts,
                 Context& context);

}  // namespace flipscope
