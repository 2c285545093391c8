// Memory that kernels write and OpenGL draws from, of three kinds: buffers registered with CUDA, persistently mapped
// buffers for CPU threads, and a staged copy if CUDA and OpenGL cannot share. The window and the offscreen picture own
// one; the renderer gets the OpenGL buffer of a Memory from it.
//
// A frame: acquire() → kernels run → release() → draw → drawn(). All on the OpenGL thread, except make(), data() and
// the destructors of blocks, which the algorithm's thread may call while the lease is held; their OpenGL work waits
// until the OpenGL thread calls service().
#pragma once

#include <glad/gl.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "compute/context.h"
#include "compute/memory.h"

namespace flipscope::app {

/// Runs other threads' work on the OpenGL thread while they wait. Several SharedMemory objects share one queue, so that
/// waiting for one serves all.
class GlQueue {
  public:
    /// The constructing thread is the OpenGL thread.
    GlQueue() : gl_thread_(std::this_thread::get_id()) {}

    /// Runs the work at once on the OpenGL thread; from another thread, waits until the OpenGL thread calls service().
    /// Rethrows the work's exceptions.
    void run(const std::function<void()>& work);
    /// On the OpenGL thread: runs pending work, waiting up to `seconds` for some.
    void service(double seconds = 0);
    /// Ends service()'s waiting; from any thread.
    void wake();

  private:
    struct Task {
        const std::function<void()>* work;
        std::exception_ptr failure;
        bool done = false;
    };
    std::thread::id gl_thread_;
    std::mutex mutex_;
    std::condition_variable asked_, done_;
    std::vector<Task*> tasks_;
    bool woken_ = false;
};

class SharedBlock;

enum class Sharing { kCuda, kMapped, kStaged };
/// "cuda", "mapped" or "staged".
const char* name_of(Sharing sharing);

class SharedMemory : public SharedMemorySource {
  public:
    /// Chooses a kind for `context` ("auto"), or uses the named one: "cuda", "mapped", "staged". The OpenGL context
    /// must be current; this thread becomes the OpenGL thread. Throws std::runtime_error if the named kind is
    /// unavailable. `gl_queue`: the queue of another SharedMemory on the same thread; nullptr: a new one.
    SharedMemory(Context& context, const std::string& request, std::shared_ptr<GlQueue> gl_queue = nullptr);
    /// All blocks must have been destroyed.
    ~SharedMemory() override;

    Sharing sharing() const { return sharing_; }
    /// One line: "mapped: CPU threads write OpenGL's buffers in place".
    const std::string& description() const { return description_; }

    /// A zeroed block. From another thread, waits until the OpenGL thread calls service(). Throws std::runtime_error if
    /// there is not enough memory.
    std::unique_ptr<Memory> make(const std::string& name, size_t bytes) override;

    /// Acquires the lease: kernels may write until release(). Waits for draws that still read.
    void acquire();
    /// Releases the lease: makes the kernels' writes visible to OpenGL.
    void release();
    bool held() const { return held_; }
    /// Call when the context's device is lost (flipscope/error.h): from then on there are no CUDA calls, leases
    /// have no effect, and nothing can be made. Blocks may be destroyed.
    void abandon() { lost_ = true; }
    /// Call once the draws that read the buffers have been issued.
    void drawn();
    /// While another thread runs the algorithm: executes its OpenGL requests. Waits up to `seconds` for one.
    void service(double seconds = 0) { gl_queue_->service(seconds); }
    /// Ends service()'s waiting; from any thread.
    void wake() { gl_queue_->wake(); }
    const std::shared_ptr<GlQueue>& gl_queue() const { return gl_queue_; }

    /// The OpenGL buffer of a block made here; 0 for nullptr or other memory.
    static GLuint buffer_of(const Memory* memory);
    size_t bytes() const { return bytes_; }
    size_t blocks() const { return blocks_.size(); }

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
};

}  // namespace flipscope::app
