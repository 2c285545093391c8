// The colours of passes in the timeline, by name, so that a claim looks the same in every lab.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/view/palette.h"
#include "lab/lab.h"

namespace flipscope::app {

enum class ColourVision { kAll, kNoRed, kNoGreen };

struct Lab2000 {
    double l, a, b;
};

Lab2000 lab_of(const Color& color, ColourVision vision = ColourVision::kAll);
/// The perceived difference of two colours: CIEDE2000 (Sharma, Wu and Dalal, 2005), also for vision without red or
/// green cones (Machado, Oliveira and Fernandes, 2009, severity 1). 1 is just visible side by side; 10 is visible at a
/// glance.
double difference(const Lab2000& p, const Lab2000& q);
double difference(const Color& p, const Color& q, ColourVision vision = ColourVision::kAll);

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
