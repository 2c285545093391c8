#include "compute/exclusive_sum.h"

#include <stdexcept>

#include "compute/launch.h"

#if defined(__CUDACC__)
#include <cub/device/device_scan.cuh>
#endif

namespace flipscope {

namespace {

struct AddUp {
    static constexpr uint32_t kIndicesPerPoll = 1;
    View<uint32_t> values;
    FLIPSCOPE_HD void operator()(uint32_t) const {
        uint32_t sum = 0;
        for (size_t i = 0; i < values.count; ++i) {
            const uint32_t value = values[i];
            values[i] = sum;
            sum += value;
        }
    }
};

}  // namespace

void exclusive_sum(Context& context, const char* label, View<uint32_t> values) {
    if (!context.on_cuda()) return launch(context, label, 1, AddUp{values});
    const auto n = static_cast<uint32_t>(values.count);
    void* const work = context.scratch(detail::exclusive_sum_bytes(n));
    Context::Stopwatch stopwatch(context, label, n);
    detail::exclusive_sum(context, values.data, n, work);
    stopwatch.check_launch();
}

namespace detail {

#if defined(__CUDACC__)

size_t exclusive_sum_bytes(uint32_t n) {
    size_t bytes = 0;
    uint32_t* const none = nullptr;
    cub::DeviceScan::ExclusiveSum(nullptr, bytes, none, none, static_cast<int>(n));
    return bytes;
}

void exclusive_sum(Context& context, uint32_t* values, uint32_t n, void* work) {
    size_t bytes = exclusive_sum_bytes(n);
    cub::DeviceScan::ExclusiveSum(work, bytes, values, values, static_cast<int>(n),
                                  static_cast<cudaStream_t>(context.stream()));
}

#else

size_t exclusive_sum_bytes(uint32_t) { return 0; }

void exclusive_sum(Context&, uint32_t*, uint32_t, void*) {
    throw std::logic_error("exclusive_sum: this program was built without CUDA");
}

#endif

}  // namespace detail

}  // namespace flipscope
