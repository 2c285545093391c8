// The colours of passes in the timeline, by name, so that a claim looks the same in every lab.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lab/lab.h"

namespace flipscope::app {

/// The colours of a lab's passes, as numbers for Palette::pass(). Names are assigned in the order of labs and passes:
/// each gets the first unused colour that differs, in both themes and for colour-blind eyes, from those of the passes
/// in its labs. If none is left, passes without a common lab share a colour. Passes of an unlisted lab get what
/// remains.
std::vector<uint32_t> pass_colours(const LabInfo& info);

/// The same for a given list of labs and the passes `passes`; `colours`: number of colours; `apart`: whether two of
/// them may occur in one lab.
std::vector<uint32_t> pass_colours(const std::vector<std::vector<std::string>>& labs,
                                   const std::vector<std::string>& passes, uint32_t colours,
                                   const std::function<bool(uint32_t, uint32_t)>& apart);

}  // namespace flipscope::app
