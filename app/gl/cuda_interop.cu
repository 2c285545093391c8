#include "app/gl/cuda_interop.h"

#include <cstdio>
#include <stdexcept>

#if defined(__CUDACC__)
#include <cuda_gl_interop.h>
#include <cuda_runtime.h>
#endif

#include "compute/cuda_device.h"
#include "flipscope/error.h"

namespace flipscope::app {

#if defined(__CUDACC__)

namespace {
void require(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    const std::string sentence = std::string(what) + ": " + cudaGetErrorString(status);
    if (!cuda_is_usable()) throw DeviceLost(sentence);
    throw std::runtime_error(sentence);
}
cudaGraphicsResource_t resource_of(void* handle) { return static_cast<cudaGraphicsResource_t>(handle); }
}  // namespace

std::string cuda_gl_refusal() {
    int current = -1, devices[16];
    unsigned count = 0;
    if (cudaGetDevice(&current) != cudaSuccess) return "no CUDA device is in use";
    const cudaError_t status = cudaGLGetDevices(&count, devices, 16, cudaGLDeviceListAll);
    cudaGetLastError();  // clear the sticky error: a refusal is not an error
    if (status != cudaSuccess)
        return std::string("CUDA does not support this OpenGL driver (") + cudaGetErrorString(status) + ")";
    for (unsigned i = 0; i < count; ++i)
        if (devices[i] == current) return "";
    return "CUDA and OpenGL run on different GPUs";
}

void* cuda_register(unsigned gl_buffer) {
    cudaGraphicsResource_t resource = nullptr;
    require(cudaGraphicsGLRegisterBuffer(&resource, gl_buffer, cudaGraphicsRegisterFlagsNone),
            "registering an OpenGL buffer with CUDA");
    return resource;
}

void cuda_unregister(void* resource) {
    const cudaError_t status = cudaGraphicsUnregisterResource(resource_of(resource));
    if (status != cudaSuccess)
        std::fprintf(stderr, "flipscope: unregistering an OpenGL buffer: %s\n", cudaGetErrorString(status));
}

void cuda_map(std::vector<void*>& resources, void* stream) {
    if (resources.empty()) return;
    require(cudaGraphicsMapResources(static_cast<int>(resources.size()),
                                     reinterpret_cast<cudaGraphicsResource_t*>(resources.data()),
                                     static_cast<cudaStream_t>(stream)),
            "mapping OpenGL's buffers for CUDA");
}

void cuda_unmap(std::vector<void*>& resources, void* stream) {
    if (resources.empty()) return;
    require(cudaGraphicsUnmapResources(static_cast<int>(resources.size()),
                                       reinterpret_cast<cudaGraphicsResource_t*>(resources.data()),
                                       static_cast<cudaStream_t>(stream)),
            "unmapping OpenGL's buffers from CUDA");
}

void* cuda_mapped_pointer(void* resource) {
    void* pointer = nullptr;
    size_t bytes = 0;
    require(cudaGraphicsResourceGetMappedPointer(&pointer, &bytes, resource_of(resource)),
            "finding a mapped OpenGL buffer");
    return pointer;
}

#else

namespace {
[[noreturn]] void none() { throw std::logic_error("this build has no CUDA"); }
}  // namespace

std::string cuda_gl_refusal() { return "this build has no CUDA"; }
void* cuda_register(unsigned) { none(); }
void cuda_unregister(void*) {}
void cuda_map(std::vector<void*>&, void*) { none(); }
void cuda_unmap(std::vector<void*>&, void*) { none(); }
void* cuda_mapped_pointer(void*) { none(); }

#endif

}  // namespace flipscope::app
