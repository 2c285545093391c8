#include "compute/work.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace flipscope {

namespace {

thread_local WorkMeter* told_to = nullptr;
constexpr double kLeastKnown = 0.02;  // of a stage, before its end is estimated

}  // namespace

std::string stage_text(const WorkMeter::Reading& stage) {
    if (stage.what.empty() || stage.fraction < 0) return stage.what;
    char text[48];
    std::snprintf(text, sizeof text, " %.0f %%", std::floor(100 * stage.fraction));
    std::string all = stage.what + text;
    if (stage.fraction < kLeastKnown || stage.fraction >= 1) return all;
    std::snprintf(text, sizeof text, ", %.0f s left", std::ceil(stage.seconds * (1 / stage.fraction - 1)));
    return all + text;
}

WorkScope::WorkScope(WorkMeter& meter) noexcept : outer_(told_to) { told_to = &meter; }
WorkScope::~WorkScope() { told_to = outer_; }

WorkMeter::Reading WorkMeter::read(double least_s) const {
    const auto now = std::chrono::steady_clock::now();
    const std::lock_guard lock(mutex_);
    for (const WorkStage* stage = innermost_; stage; stage = stage->outer_) {
        const double seconds = std::chrono::duration<double>(now - stage->begin_).count();
        if (seconds < least_s) continue;
        const auto done = static_cast<double>(stage->done_.load(std::memory_order_relaxed));
        return {stage->what_, stage->total_ ? std::min(done / static_cast<double>(stage->total_), 1.0) : -1, seconds};
    }
    return {};
}

WorkStage::WorkStage(const char* what, uint64_t total) : meter_(told_to), what_(what), total_(total) {
    if (!meter_) return;
    begin_ = std::chrono::steady_clock::now();
    const std::lock_guard lock(meter_->mutex_);
    outer_ = meter_->innermost_;
    meter_->innermost_ = this;
}

WorkStage::~WorkStage() {
    if (!meter_) return;
    const std::lock_guard lock(meter_->mutex_);
    meter_->innermost_ = outer_;
}

}  // namespace flipscope
