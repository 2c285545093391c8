// Edits with their places in a run, the error message for an edit that a lab does not support, and the validation of a
// change of parameters. Used by the timeline, the labs and the command line.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lab/facets.h"
#include "lab/lab.h"

namespace flipscope {

/// An edit and its place in a run.
struct PlacedEdit {
    static constexpr uint64_t kAtEnd = UINT64_MAX;
    uint64_t at = 0;  // steps before it, other edits included; kAtEnd: it follows the last pass
    Edit edit;
    std::string element = {};  // as written, "point:3"; or empty
    /// Determines Edit::id when the edit is made; empty: it is known. Throws Error if there is no such element.
    std::function<uint32_t(const Lab& lab)> find = {};
    Edit made_on(const Lab& lab) const;
};
/// Whether `made` can be this edit: the same but for an element to be found.
bool is_same(const PlacedEdit& planned, const Edit& made);
/// Whether the edits that were made, by their places, are the first of the plan.
bool follows(const std::map<uint64_t, Edit>& made, const std::vector<PlacedEdit>& plan);

/// "The Build lab flips no edges manually; the Flip lab does."
std::string refusal_of(const LabInfo& lab, Edit::Kind kind);

/// The validated change. Throws Error, whose message begins with `place` if given, if the lab has no adjustable
/// parameters or lacks one of these, if a value is invalid, or if a parameter requires a restart.
std::vector<Parameter> checked_adjustment(Lab& lab, const std::vector<Parameter>& values,
                                          const std::string& place = {});

}  // namespace flipscope
