// Arrays in CUDA memory, shared between libraries without a copy by __cuda_array_interface__ and DLPack. Without CUDA
// in the core they are recognised and rejected with a sentence.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

namespace flipscope::python {

namespace nb = nanobind;

/// (rows, 3) int32 words in device memory, kept alive by `owner`; for other libraries.
struct DeviceArray {
    const void* data = nullptr;
    size_t rows = 0;
    nb::object owner;
};

void bind_device_arrays(nb::module_& module);

/// Waits for the work in a stream, numbered as in __cuda_array_interface__: 1 is the legacy default stream, 2 the
/// per-thread one, other numbers are handles. Throws Error unless `pointer` is in the memory of CUDA device 0, which
/// contexts use.
void wait_for_points(uintptr_t pointer, uintptr_t stream);

}  // namespace flipscope::python
