// The verdict on triangles that were read: `flipscope check`, the shrinker and `flipscope torture` call it.
#pragma once

#include "flipscope/judge.h"
#include "geometry/point.h"

namespace flipscope {

/// As the other judge(). Throws Error for a surface in space, too.
Judgement judge(Context& context, const Geometry& geometry);

}  // namespace flipscope
