// Which colour a pass has on the strip of steps: by its name, so that a claim looks the same in every lab.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lab/lab.h"

namespace flipscope::app {

/// The colours of a lab's passes, as numbers for Palette::pass(). Names get them in the order in which labs and their
/// passes are listed, each the first that no other name has and that is told apart, in both themes and by colour-blind
/// eyes, from those of the passes it is in a lab with. Where no such colour is left, one is shared by passes that are
/// in no lab together. Passes of a lab that is not listed get what the listed ones leave.
std::vector<uint32_t> pass_colours(const LabInfo& info);

/// The same over some list of labs, for passes of `info`; of `colours` there are so many, and `apart` says of two of
/// them whether they can be in one lab.
std::vector<uint32_t> pass_colours(const std::vector<std::vector<std::string>>& labs,
                                   const std::vector<std::string>& passes, uint32_t colours,
                                   const std::function<bool(uint32_t, uint32_t)>& apart);

}  // namespace flipscope::app
