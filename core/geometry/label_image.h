// Whether a field is an image of labels, as programs that segment cells write them: 0 is the background, and each other
// whole number one cell. Readers ask it once; labs may be told otherwise.
#pragma once

#include "geometry/frames.h"

namespace flipscope {

/// Of the first frame that holds two numbers or more beside 0. All of this is so of labels: they are whole; a pixel
/// mostly equals the next; nearly all of a number's pixels hang together, so that it names one cell and not a shade of
/// many; and numbers do not rise step by step, as those of a smooth picture do. Without a background there are four
/// cells or more, none of them a crumb.
bool looks_like_labels(const FieldStack& stack);

}  // namespace flipscope
