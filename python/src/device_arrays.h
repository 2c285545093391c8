// Arrays in the memory of a CUDA device that pass between libraries without a copy, by __cuda_array_interface__ and
// DLPack. Without CUDA in the core they can be told from others, and are refused with a sentence.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>

namespace flipscope::python {

namespace py = pybind11;

/// (n, columns) int32 words in a device's memory, which `owner` keeps; for others to take.
struct DeviceArray {
    const void* data = nullptr;
    int64_t rows = 0, columns = 0;
    py::object owner;

    py::dict cuda_array_interface() const;
    py::capsule dlpack() const;
};

void bind_device_arrays(py::module_& module);

/// Waits for what is in a stream by the numbers of __cuda_array_interface__: 1 is the legacy default stream, 2 that of
/// the thread, others are handles. Throws Error unless `pointer` lies in the memory of CUDA device 0, which contexts
/// use.
void wait_for_points(uintptr_t pointer, uintptr_t stream);

}  // namespace flipscope::python
