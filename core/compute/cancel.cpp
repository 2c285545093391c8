#include "compute/cancel.h"

namespace flipscope {

namespace {

thread_local const CancelFlag* looked_at = nullptr;

}  // namespace

CancelScope::CancelScope(const CancelFlag& flag) noexcept : outer_(looked_at) { looked_at = &flag; }
CancelScope::~CancelScope() { looked_at = outer_; }

void throw_if_cancelled() {
    if (looked_at) looked_at->throw_if_set();
}

}  // namespace flipscope
