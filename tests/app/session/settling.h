// For calls of the session's parts that begin work on another thread.
#pragma once

namespace flipscope {

/// Calls a function of `part` and, at the end of the statement, settles `stage`.
template <class Part, class Stage>
struct Settling {
    Part& part;
    Stage& stage;
    Part* operator->() const { return &part; }
    ~Settling() noexcept(false) { stage.settle(); }
};

}  // namespace flipscope
