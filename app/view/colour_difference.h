// The perceived difference of two colours: CIEDE2000 (Sharma, Wu and Dalal, 2005), also for vision without red or green
// cones (Machado, Oliveira and Fernandes, 2009, severity 1). 1 is just visible side by side; 10 is visible at a glance.
#pragma once

#include "app/view/palette.h"

namespace flipscope::app {

enum class ColourVision { kAll, kNoRed, kNoGreen };

struct Lab2000 {
    double l, a, b;
};

Lab2000 lab_of(const Color& color, ColourVision vision = ColourVision::kAll);
double difference(const Lab2000& p, const Lab2000& q);
double difference(const Color& p, const Color& q, ColourVision vision = ColourVision::kAll);

}  // namespace flipscope::app
