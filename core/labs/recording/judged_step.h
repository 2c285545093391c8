// One step of a recording, judged: its edges and angles, its failures, and its changes since the step before. A pure
// function of the recording, computed on demand; the Recording lab caches the counts and the step shown.
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
        std::string fault;         // a sentence if the triangles do not fit together
        std::string false_sign;    // a sentence if the program found wrong signs
    };

    Geometry geometry;  // of the step
    SoupSurvey survey;
    MeshInspection found;  // including wrong signs of predicates
    bool fits = true;      // the triangles fit together, whatever signs the program found
    SoupChanges changes;
    Counts counts;
};

/// Judges step i, from 0, on the threads of `context` or, for nullptr, serially. Takes time in proportion to this step
/// and the one before.
JudgedStep judge_step(const RecordedSteps& recording, size_t i, Context* context);

/// The signs in step i, from 0, that differ from the exact ones, each with the code "false-sign". Their elements are
/// points of the step.
std::vector<CheckFailure> false_signs(const RecordedSteps& recording, size_t i);

/// Counts steps first … first + counts.size() - 1, several at once on the context's threads.
void count_steps(const RecordedSteps& recording, size_t first, std::vector<JudgedStep::Counts>& counts,
                 Context& context);

}  // namespace flipscope
