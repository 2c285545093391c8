// Marks the failures of a check in the picture: sets a bit in the state words of the failing elements, and adds entries
// to the legend. Called by the window and the headless runner after a check. The bit is not part of a lab's state and
// must be removed before the lab continues.
#pragma once

#include <string>
#include <vector>

#include "lab/lab.h"

namespace flipscope {

/// Sets kStateFailed on the failing elements that the scene draws with state words. Words whose legend mask uses that
/// bit stay unchanged: put_failures_into_legend() then adds a layer "failures" at their places. Harmless failures are
/// not marked, nor is anything after a passed check. The caller holds the lease of the shared memory.
void mark_failures(Context& context, const Scene& scene, const CheckReport& report);
/// Removes all marks.
void unmark_failures(Context& context, const Scene& scene);

/// For the inspector: code and sentence of the first dozen failures of an element. `left_out`: a code to omit, or
/// empty.
Properties faults_of(const CheckReport& report, const Element& element, const std::string& left_out = {});

/// Legend entries for the failing kinds of elements, to precede those of the lab; may be empty.
std::vector<LegendEntry> failure_legend(const CheckReport& report);
void put_failures_into_legend(Scene& scene, const CheckReport& report);

}  // namespace flipscope
