#include "device_arrays.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <string>

#include "flipscope/error.h"

#if defined(FLIPSCOPE_WITH_CUDA)
#include <cuda_runtime_api.h>
#endif

namespace flipscope::python {

void bind_device_arrays(nb::module_& module) {
    nb::class_<DeviceArray>(module, "DeviceArray",
                            "Whole numbers in the memory of CUDA device 0, for CuPy, PyTorch, JAX, Numba.")
        .def_prop_ro("__cuda_array_interface__",
                     [](const DeviceArray& self) {
                         nb::dict made;
                         made["shape"] = nb::make_tuple(self.rows, 3);
                         made["typestr"] = "<i4";
                         made["data"] = nb::make_tuple(reinterpret_cast<uintptr_t>(self.data), false);
                         made["strides"] = nb::none();
                         made["stream"] = nb::none();  // all writes have finished
                         made["version"] = 3;
                         return made;
                     })
        .def(
            "__dlpack__",
            [](const DeviceArray& self, const nb::kwargs&) {
                return nb::cast(
                    nb::ndarray<int32_t, nb::device::cuda>(const_cast<void*>(self.data), {self.rows, 3}, self.owner));
            },
            "Row-major int32; whatever stream is asked for, all is written already.")
        .def("__dlpack_device__", [](const DeviceArray&) { return nb::make_tuple(nb::device::cuda::value, 0); })
        .def_prop_ro("shape", [](const DeviceArray& self) { return nb::make_tuple(self.rows, 3); });
    module.def(
        "import_dlpack",
        [](const nb::ndarray<nb::ro>& tensor) {
            nb::list shape, strides;
            for (size_t k = 0; k < tensor.ndim(); ++k) {
                shape.append(tensor.shape(k));
                strides.append(tensor.stride(k) * static_cast<int64_t>(tensor.itemsize()));
            }
            const nb::dlpack::dtype type = tensor.dtype();
            nb::dict made;
            made["shape"] = nb::tuple(shape);
            made["strides"] = nb::tuple(strides);
            made["typestr"] = type == nb::dtype<double>()
                                  ? "<f8"
                                  : "DLPack type (" + std::to_string(type.code) + ", " + std::to_string(type.bits) +
                                        ", " + std::to_string(type.lanes) + ")";
            made["data"] = nb::make_tuple(reinterpret_cast<uintptr_t>(tensor.data()), true);
            made["owner"] = nb::capsule(new nb::ndarray<nb::ro>(tensor),
                                        [](void* kept) noexcept { delete static_cast<nb::ndarray<nb::ro>*>(kept); });
            return made;
        },
        nb::arg("capsule"), "The tensor as ``__cuda_array_interface__`` describes arrays, and its ``owner``.");
}

#if defined(FLIPSCOPE_WITH_CUDA)
void wait_for_points(uintptr_t pointer, uintptr_t stream) {
    const auto require = [](cudaError_t status, const char* what) {
        if (status == cudaSuccess) return;
        cudaGetLastError();
        throw Error(std::string(what) + ": " + cudaGetErrorString(status));
    };
    require(cudaSetDevice(0), "points in a CUDA array: choosing device 0");
    cudaPointerAttributes attributes{};
    require(cudaPointerGetAttributes(&attributes, reinterpret_cast<const void*>(pointer)), "points in a CUDA array");
    if (attributes.type != cudaMemoryTypeDevice && attributes.type != cudaMemoryTypeManaged)
        throw Error("the points say that they lie in a CUDA device's memory, but they do not");
    if (attributes.device != 0)
        throw Error("the points lie in the memory of CUDA device " + std::to_string(attributes.device) +
                    "; device 0 is used, so copy them there first");
    cudaStream_t handle = reinterpret_cast<cudaStream_t>(stream);
    if (stream <= 1) handle = cudaStreamLegacy;
    if (stream == 2) handle = cudaStreamPerThread;
    require(cudaStreamSynchronize(handle), "waiting for the stream of the points");
}
#else
void wait_for_points(uintptr_t, uintptr_t) {
    throw Error(
        "the points lie in a CUDA device's memory, but this flipscope was built without CUDA; install it again "
        "where nvcc 12 or newer is found, or copy the points to the host");
}
#endif

}  // namespace flipscope::python
