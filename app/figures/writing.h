// Text on a page of pixels: pages of several pictures, captions of films.
#pragma once

#include <memory>
#include <string>

#include "app/figures/annotation.h"

namespace flipscope::app {

inline constexpr double kPageLetters = 10.7;  // pixels at scale 1

enum class Letters { kPlain, kStrong };
double text_width(const std::string& text, double size, Letters letters);

/// Ink in units of the page's pixels. The text reaches the page when this is destroyed.
class Writing {
    std::unique_ptr<Drawing> painting_;

  public:
    Writing(Pixels& page, const Palette& colors, double size, Letters letters = Letters::kPlain);
    const Ink ink;
};

}  // namespace flipscope::app
