// What every test may ask of the test program: the devices to go over, how many random cases to make, and to be counted
// as skipped. The options --device and --threads of the test program and the environment choose; a test only loops.
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

/// The test case under way cannot run here, for this reason: it is reported as "skipped: …" and returns at once. A run
/// of the program in which a case was skipped and none failed ends with status 77, which ctest shows as skipped; so
/// cases that need what a machine may lack (a display, OpenGL, CUDA) stand in files of their own.
void skip(const std::string& reason);

/// How many of `standard` random cases to make: times FLIPSCOPE_TEST_SCALE (default 1; sanitizers run with less), times
/// ten when FLIPSCOPE_LONG_TESTS is 1. At least 1.
size_t case_count(size_t standard);

/// Every how manieth case of a list to take: all, but every `sparse`th one where there are to be fewer cases.
size_t case_stride(size_t sparse);

}  // namespace flipscope
