// Detects label images, as written by segmentation programs: 0 is the background, and each other integer one cell.
// Called once by readers; labs have a parameter to override it.
#pragma once

#include "geometry/frames.h"

namespace flipscope {

/// Tests the first frame with at least two nonzero values. Labels are integers; neighbouring pixels are mostly equal;
/// nearly all pixels of a value are connected, so that it is one cell and not a shade; and neighbouring values do not
/// differ by single steps as in a smooth picture. Without a background there must be at least four cells, none of them
/// tiny.
bool looks_like_labels(const FieldStack& stack);

}  // namespace flipscope
