// CUDA's view of OpenGL's buffers: registering, mapping, and whether both live on one GPU. The only file that sees CUDA
// and OpenGL together is cuda_interop.cpp; a build without CUDA says so here. All calls on the OpenGL thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace flipscope::app {

/// Empty when the CUDA device in use is the one that draws the current OpenGL context; else why not.
std::string cuda_gl_refusal();

/// Lets CUDA write the OpenGL buffer. Throws std::runtime_error with CUDA's words.
void* cuda_register(unsigned gl_buffer);
/// Before the buffer is deleted. Reports, never throws.
void cuda_unregister(void* resource);

/// Hands buffers to CUDA, all in one call, after what OpenGL was told to do with them. `stream`: a cudaStream_t.
void cuda_map(std::vector<void*>& resources, void* stream);
/// Hands them back: OpenGL waits for what the stream was told to do.
void cuda_unmap(std::vector<void*>& resources, void* stream);
/// Where kernels find a mapped buffer.
void* cuda_mapped_pointer(void* resource);

}  // namespace flipscope::app
