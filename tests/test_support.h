// What every test may ask of the test program: the devices to go over, and how many random cases to make. The options
// --device and --threads of the test program and the environment choose; a test only loops.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compute/context.h"

namespace flipscope {

struct DeviceUnderTest {
    DeviceRequest request;  // kCpu or kCuda
    int threads;            // of the CPU; 1 for CUDA, where it has no meaning
    std::string name;       // for INFO: "cpu, 2 threads"
};

/// CPU threads (1, 2 and 4, more than many a machine has cores) and the CUDA device when it can be used. A device that
/// cannot be used is reported on stdout, once, as "skipped: cuda: …". Never empty unless --device asked for a missing
/// one.
std::vector<DeviceUnderTest> devices_under_test();

/// How many of `standard` random cases to make: times FLIPSCOPE_TEST_SCALE (default 1; sanitizers run with less), times
/// ten when FLIPSCOPE_LONG_TESTS is 1. At least 1.
size_t case_count(size_t standard);

}  // namespace flipscope
