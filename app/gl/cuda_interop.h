// CUDA's view of OpenGL buffers: registration, mapping, and whether both use one GPU. Only cuda_interop.cu includes
// both CUDA and OpenGL; builds without CUDA report that here. Call everything on the OpenGL thread.
#pragma once

#include <string>
#include <vector>

namespace flipscope::app {

/// Empty if the current CUDA device draws the current OpenGL context; else the reason why not.
std::string cuda_gl_refusal();

/// Lets CUDA write the OpenGL buffer. Throws std::runtime_error with CUDA's message.
void* cuda_register(unsigned gl_buffer);
/// Call before deleting the buffer. Reports errors, never throws.
void cuda_unregister(void* resource);

/// Maps buffers for CUDA in one call, ordered after the OpenGL commands issued so far. `stream`: a cudaStream_t.
void cuda_map(std::vector<void*>& resources, void* stream);
/// Unmaps them: OpenGL waits for the work in the stream.
void cuda_unmap(std::vector<void*>& resources, void* stream);
/// The device pointer of a mapped buffer.
void* cuda_mapped_pointer(void* resource);

}  // namespace flipscope::app
