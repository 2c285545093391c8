// Which edits by hand a lab makes, and when: what is said to others, and who need not wait for the end of an iteration.
// The timeline and the labs themselves ask.
#pragma once

#include <string>

#include "labs/algorithm.h"

namespace flipscope {

/// "The Build lab moves no vertices by hand; the Flip lab and the Voronoi lab do."
std::string refusal_of(const AlgorithmInfo& lab, Edit::Kind kind);

/// A lab that can make some edits amid an iteration; for all others the passes up to its end run before.
class TakesAtOnce {
  public:
    virtual ~TakesAtOnce() = default;
    /// Whether an edit of this kind can be made as things stand.
    virtual bool takes_at_once(Edit::Kind kind) const = 0;
};

}  // namespace flipscope
