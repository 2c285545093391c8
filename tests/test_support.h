// Services of the test program: the devices to test, the number of random cases, and skipping. The test program's
// options --device and --threads and the environment decide; a test only loops.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "compute/context.h"
#include "compute/error.h"

namespace flipscope {

struct DeviceUnderTest {
    DeviceRequest request;  // kCpu or kCuda
    int threads;            // CPU threads; 1 for CUDA, where it has no meaning
    std::string name;       // for INFO: "cpu, 2 threads"
};

/// CPU threads (1, 2 and 4, which may exceed the cores) and the CUDA device if available. Reports an unavailable device
/// on stdout, once, as "skipped: cuda: …". Empty only if --device names a missing one.
std::vector<DeviceUnderTest> devices_under_test();

/// Calls use() with a context of each of these devices, or with what is made for it. A failure names the device.
template <class Made = Context, class Use>
void on_every_device(const Use& use) {
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(device.name);
        Made made(device.request, device.threads);
        use(made);
    }
}

/// The sentence of the Error that act() throws, or `otherwise`.
template <class Act>
std::string error_of(const Act& act, const std::string& otherwise = "accepted") {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return otherwise;
}

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// Reports the current test case as "skipped: …" for this reason; the case must return at once. A run with skipped and
/// without failed cases exits with status 77, which ctest shows as skipped; so put cases that need a display, OpenGL or
/// CUDA into files of their own.
void skip(const std::string& reason);

/// The number of random cases: `standard` times FLIPSCOPE_TEST_SCALE (default 1; lower for sanitizers), and if
/// FLIPSCOPE_LONG_TESTS is 1, times ten and FLIPSCOPE_PROOF_SCALE (default 1). At least 1.
size_t case_count(size_t standard);

/// The stride through a list of cases: 1, or `sparse` if there should be fewer cases.
size_t case_stride(size_t sparse);

}  // namespace flipscope
