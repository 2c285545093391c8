// Memory that kernels write and OpenGL draws from, in three makes: buffers registered with CUDA, persistently mapped
// buffers for CPU threads, and a staged copy for when CUDA and OpenGL cannot share. The window and the offscreen
// picture own one; the renderer asks it for the OpenGL buffer of a Memory.
//
// A frame: acquire() → kernels run → release() → draw → drawn(). All on the OpenGL thread, but for make(), data() and
// the destructors of blocks, which the thread that runs the algorithm may call while the lease is held; what then needs
// OpenGL waits for the OpenGL thread to call service().
#pragma once

#include <glad/gl.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/gl/gl_queue.h"
#include "compute/context.h"
#include "compute/memory.h"

namespace flipscope::app {

class SharedBlock;

enum class Sharing { kCuda, kMapped, kStaged };
/// "cuda", "mapped" or "staged".
const char* name_of(Sharing sharing);

class SharedMemory : public SharedMemorySource {
  public:
    /// Picks a make for `context` ("auto"), or takes the one named: "cuda", "mapped", "staged". The OpenGL context must
    /// be current; this thread becomes the OpenGL thread. Throws std::runtime_error when the named make cannot be had.
    /// `gl_queue`: of another one that this one shares the OpenGL thread with; nullptr: it has its own.
    SharedMemory(Context& context, const std::string& request, std::shared_ptr<GlQueue> gl_queue = nullptr);
    /// Every block must be gone.
    ~SharedMemory() override;

    Sharing sharing() const { return sharing_; }
    /// One line: "mapped: CPU threads write OpenGL's buffers in place".
    const std::string& description() const { return description_; }

    /// A zeroed block. From another thread it waits until the OpenGL thread calls service(). Throws std::runtime_error
    /// when there is not enough memory.
    std::unique_ptr<Memory> make(const std::string& name, size_t bytes) override;

    /// Takes the lease: kernels may write until release(). Waits for the draws that still read.
    void acquire();
    /// Gives it back: what kernels wrote is on its way to OpenGL.
    void release();
    bool held() const { return held_; }
    /// The device of its context is lost (compute/device_lost.h): from now on CUDA is asked nothing, leases are a
    /// matter of form, and nothing is made. Blocks can go.
    void abandon() { lost_ = true; }
    /// Says that the draws which read the buffers have been issued.
    void drawn();
    /// While another thread runs the algorithm: does what it asked of OpenGL. Waits up to `seconds` for a request.
    void service(double seconds = 0) { gl_queue_->service(seconds); }
    /// Wakes service() early; from any thread.
    void wake() { gl_queue_->wake(); }
    const std::shared_ptr<GlQueue>& gl_queue() const { return gl_queue_; }

    /// The OpenGL buffer of a block made here; 0 for nullptr or foreign memory.
    static GLuint buffer_of(const Memory* memory);
    size_t bytes() const { return bytes_; }
    size_t blocks() const { return blocks_.size(); }
    /// Bytes that the staged make has copied so far: only what kernels may have written is.
    size_t copied_bytes() const { return copied_bytes_; }

  private:
    friend class SharedBlock;
    void on_gl_thread(const std::function<void()>& work) { gl_queue_->run(work); }
    void forget(SharedBlock& block);
    void map_all();

    Context& context_;
    Sharing sharing_ = Sharing::kMapped;
    std::string description_;
    std::shared_ptr<GlQueue> gl_queue_;
    std::atomic<bool> held_{false}, lost_{false};
    std::vector<SharedBlock*> blocks_;
    GLsync fence_ = nullptr;
    std::atomic<size_t> bytes_{0};
    size_t copied_bytes_ = 0;
};

}  // namespace flipscope::app
