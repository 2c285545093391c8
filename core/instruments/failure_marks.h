// Puts what a check found into the picture: a bit in the state words of the elements at fault, and what the legend says
// of it. Called by the window and the headless runner after a check; labs know nothing of it, and the bit is no part of
// their state: it must be taken out again before a lab goes on.
#pragma once

#include <string>
#include <vector>

#include "lab/lab.h"

namespace flipscope {

/// Sets kStateFailed on every element of the report's failures that the scene draws, where it keeps state words. Words
/// that are numbers up to that bit, as an entry's mask in their legend says, stay as they are:
/// put_failures_into_legend() adds a layer "failures" that marks their places. What is only noted is
/// not marked, and nothing is where a check has passed. The caller holds the lease of the shared memory.
void mark_failures(Context& context, const Scene& scene, const CheckReport& report);
/// Takes all such marks out again.
void unmark_failures(Context& context, const Scene& scene);

/// What the inspector tells of an element at fault: the code and the sentence of each failure that concerns it, the
/// first dozen of them. `left_out`: a code that is not told of; or empty.
Properties faults_of(const CheckReport& report, const Element& element, const std::string& left_out = {});

/// Entries for the kinds of elements among the failures, to stand before those of the lab; none where all is well.
std::vector<LegendEntry> failure_legend(const CheckReport& report);
void put_failures_into_legend(Scene& scene, const CheckReport& report);

}  // namespace flipscope
