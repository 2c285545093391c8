#include "device_arrays.h"

#include <memory>
#include <string>

#include "flipscope/error.h"

#if defined(FLIPSCOPE_WITH_CUDA)
#include <cuda_runtime_api.h>
#endif

namespace flipscope::python {

namespace {

// The structures of DLPack 0.8 (unversioned), in the memory layout of its specification.
enum : int32_t { kDlCpu = 1, kDlCuda = 2 };
struct DlDevice {
    int32_t type, id;
};
struct DlType {
    uint8_t code, bits;  // code 0: signed integers, 2: floating point
    uint16_t lanes;
};
struct DlTensor {
    void* data;
    DlDevice device;
    int32_t dimensions;
    DlType type;
    int64_t* shape;
    int64_t* strides;  // in elements; nullptr: row-major and compact
    uint64_t byte_offset;
};
struct DlManagedTensor {
    DlTensor tensor;
    void* context;
    void (*deleter)(DlManagedTensor*);
};

/// A tensor received from another library, released when Python drops this.
class ImportedTensor {
  public:
    explicit ImportedTensor(DlManagedTensor* tensor) : tensor_(tensor) {}
    ~ImportedTensor() {
        if (tensor_->deleter) tensor_->deleter(tensor_);
    }
    ImportedTensor(const ImportedTensor&) = delete;
    ImportedTensor& operator=(const ImportedTensor&) = delete;

    uintptr_t pointer() const {
        return reinterpret_cast<uintptr_t>(tensor_->tensor.data) + tensor_->tensor.byte_offset;
    }
    py::tuple shape() const { return tuple_of(tensor_->tensor.shape); }
    py::object strides() const {
        return tensor_->tensor.strides ? py::object(tuple_of(tensor_->tensor.strides)) : py::object(py::none());
    }
    py::tuple device() const { return py::make_tuple(tensor_->tensor.device.type, tensor_->tensor.device.id); }
    py::tuple type() const {
        return py::make_tuple(tensor_->tensor.type.code, tensor_->tensor.type.bits, tensor_->tensor.type.lanes);
    }

  private:
    py::tuple tuple_of(const int64_t* values) const {
        py::tuple made(tensor_->tensor.dimensions);
        for (int32_t k = 0; k < tensor_->tensor.dimensions; ++k) made[size_t(k)] = values[k];
        return made;
    }
    DlManagedTensor* tensor_;
};

std::unique_ptr<ImportedTensor> take_dlpack(const py::object& capsule) {
    auto* const tensor = static_cast<DlManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
    if (!tensor) throw py::error_already_set();
    PyCapsule_SetName(capsule.ptr(), "used_dltensor");
    return std::make_unique<ImportedTensor>(tensor);
}

struct Given {
    DlManagedTensor managed{};
    int64_t shape[2] = {};
    py::object owner;
};

}  // namespace

py::dict DeviceArray::cuda_array_interface() const {
    py::dict made;
    made["shape"] = py::make_tuple(rows, columns);
    made["typestr"] = "<i4";
    made["data"] = py::make_tuple(reinterpret_cast<uintptr_t>(data), false);
    made["strides"] = py::none();
    made["stream"] = py::none();  // all writes have finished
    made["version"] = 3;
    return made;
}

py::capsule DeviceArray::dlpack() const {
    auto given = std::make_unique<Given>();
    given->shape[0] = rows;
    given->shape[1] = columns;
    given->owner = owner;
    given->managed.tensor = {const_cast<void*>(data), {kDlCuda, 0}, 2, {0, 32, 1}, given->shape, nullptr, 0};
    given->managed.context = given.get();
    given->managed.deleter = [](DlManagedTensor* managed) {
        const py::gil_scoped_acquire locked;
        delete static_cast<Given*>(managed->context);
    };
    py::capsule capsule(&given.release()->managed, "dltensor", [](PyObject* object) {
        if (!PyCapsule_IsValid(object, "dltensor")) return;  // consumed
        auto* const managed = static_cast<DlManagedTensor*>(PyCapsule_GetPointer(object, "dltensor"));
        managed->deleter(managed);
    });
    return capsule;
}

void bind_device_arrays(py::module_& module) {
    py::class_<DeviceArray>(module, "DeviceArray",
                            "Whole numbers in the memory of CUDA device 0, for CuPy, PyTorch, JAX, Numba.")
        .def_property_readonly("__cuda_array_interface__", &DeviceArray::cuda_array_interface)
        .def(
            "__dlpack__", [](const DeviceArray& self, const py::kwargs&) { return self.dlpack(); },
            "Row-major int32; whatever stream is asked for, all is written already.")
        .def("__dlpack_device__", [](const DeviceArray&) { return py::make_tuple(int(kDlCuda), 0); })
        .def_property_readonly("shape",
                               [](const DeviceArray& self) { return py::make_tuple(self.rows, self.columns); });
    py::class_<ImportedTensor>(module, "TakenTensor")
        .def_property_readonly("pointer", &ImportedTensor::pointer)
        .def_property_readonly("shape", &ImportedTensor::shape)
        .def_property_readonly("strides", &ImportedTensor::strides)
        .def_property_readonly("device", &ImportedTensor::device)
        .def_property_readonly("type", &ImportedTensor::type);
    module.def("take_dlpack", &take_dlpack, py::arg("capsule"));
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
