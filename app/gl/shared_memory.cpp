#include "app/gl/shared_memory.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "app/gl/cuda_interop.h"
#include "app/gl/gl_context.h"
#include "flipscope/error.h"

namespace flipscope::app {

/// One block of any kind. Only the OpenGL thread uses its members, except data() under the lease.
class SharedBlock : public Memory {
  public:
    SharedBlock(SharedMemory& owner, std::string name, size_t bytes)
        : Memory(bytes), owner_(owner), name_(std::move(name)) {}
    ~SharedBlock() override {
        try {
            owner_.on_gl_thread([this] { owner_.forget(*this); });
        } catch (const std::exception& error) {
            std::fprintf(stderr, "flipscope: freeing the buffer of %s: %s\n", name_.c_str(), error.what());
        }
    }
    void* data() override {
        if (!owner_.held())
            throw std::logic_error("the memory of " + name_ + " is used while OpenGL holds it: call acquire() first");
        written = true;
        return kernel_side;
    }

    GLuint buffer = 0;
    void* resource = nullptr;         // CUDA's registration of the buffer
    void* kernel_side = nullptr;      // what data() returns
    void* gl_side = nullptr;          // staged: mapping of the OpenGL buffer
    std::unique_ptr<Memory> staging;  // staged: the kernels' memory
    bool written = false;             // since the last release

  private:
    friend class SharedMemory;
    SharedMemory& owner_;
    std::string name_;
};

namespace {

// Vertex shaders read state words in pairs and positions in groups of four words.
size_t rounded(size_t bytes) { return (bytes + 15) / 16 * 16; }

constexpr std::pair<const char*, const char*> kKinds[] = {  // name and sentence, by Sharing
    {"cuda", "kernels write OpenGL's buffers in place"},
    {"mapped", "CPU threads write OpenGL's buffers in place"},
    {"staged", "what kernels wrote is copied to OpenGL once a frame"}};

constexpr GLbitfield kMapping = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;

}  // namespace

const char* name_of(Sharing sharing) { return kKinds[static_cast<int>(sharing)].first; }

SharedMemory::SharedMemory(Context& context, const std::string& request, std::shared_ptr<GlQueue> gl_queue)
    : context_(context), gl_queue_(gl_queue ? std::move(gl_queue) : std::make_shared<GlQueue>()) {
    const std::string refusal = context.on_cuda() ? cuda_gl_refusal() : "kernels run on CPU threads";
    if (request == "cuda" && !refusal.empty())
        throw std::runtime_error("shared memory \"cuda\" is not available: " + refusal + ". Use auto or staged");
    if (request == "mapped" && context.on_cuda())
        throw std::runtime_error(
            "shared memory \"mapped\" is for CPU threads. Use auto, cuda or staged, or --device cpu");
    if (request == "cuda" || (request == "auto" && refusal.empty()))
        sharing_ = Sharing::kCuda;
    else if (request == "mapped" || (request == "auto" && !context.on_cuda()))
        sharing_ = Sharing::kMapped;
    else if (request == "staged" || request == "auto")
        sharing_ = Sharing::kStaged;
    else
        throw std::runtime_error("unknown kind of shared memory \"" + request +
                                 "\": expected auto, cuda, mapped or staged");
    description_ = std::string(name_of(sharing_)) + ": " + kKinds[static_cast<int>(sharing_)].second;
    if (request == "auto" && sharing_ == Sharing::kStaged) description_ += " (" + refusal + ")";
}

SharedMemory::~SharedMemory() {
    if (fence_) glDeleteSync(fence_);
    if (!blocks_.empty())
        std::fprintf(stderr, "flipscope: %zu shared buffers outlive the shared memory\n", blocks_.size());
}

std::unique_ptr<Memory> SharedMemory::make(const std::string& name, size_t bytes) {
    if (lost_) throw DeviceLost("getting memory for " + name + ": its device is lost");
    const auto size = static_cast<GLsizeiptr>(rounded(bytes));
    auto block = std::make_unique<SharedBlock>(*this, name, bytes);
    if (sharing_ == Sharing::kStaged)
        block->staging = context_.allocate(name, rounded(bytes), Residence::kPrivate);
    else
        context_.account(static_cast<ptrdiff_t>(bytes));
    on_gl_thread([&] {
        const DriverGuard guard;
        glCreateBuffers(1, &block->buffer);
        while (glGetError() != GL_NO_ERROR) {
        }
        if (sharing_ == Sharing::kCuda)
            glNamedBufferData(block->buffer, size, nullptr, GL_DYNAMIC_DRAW);
        else
            glNamedBufferStorage(block->buffer, size, nullptr, kMapping | GL_CLIENT_STORAGE_BIT);
        const bool refused = glGetError() != GL_NO_ERROR;
        if (!refused) {
            const GLuint zero = 0;
            if (sharing_ != Sharing::kMapped)
                glClearNamedBufferData(block->buffer, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
            if (sharing_ == Sharing::kStaged) glFinish();  // clear before anything is written to the mapping
            if (sharing_ != Sharing::kCuda) block->gl_side = glMapNamedBufferRange(block->buffer, 0, size, kMapping);
        }
        blocks_.push_back(block.get());
        bytes_ += bytes;
        if (refused || (sharing_ != Sharing::kCuda && !block->gl_side))
            throw std::runtime_error("OpenGL has no " + std::to_string(bytes >> 20) + " MiB for the buffer of " + name);
        if (sharing_ == Sharing::kCuda) {
            block->resource = cuda_register(block->buffer);
            if (held_) {
                std::vector<void*> one{block->resource};
                cuda_map(one, context_.stream());
                block->kernel_side = cuda_mapped_pointer(block->resource);
            }
        } else {
            block->kernel_side = sharing_ == Sharing::kMapped ? block->gl_side : block->staging->data();
        }
    });
    // Outside the block above: the first touch of much new memory is slow, and the OpenGL thread draws the window.
    if (sharing_ == Sharing::kMapped) context_.fill(block->kernel_side, 0, rounded(bytes));
    if (block->staging) context_.fill(block->staging->data(), 0, rounded(bytes));
    return block;
}

void SharedMemory::forget(SharedBlock& block) {
    const auto found = std::find(blocks_.begin(), blocks_.end(), &block);
    if (found == blocks_.end()) return;  // construction failed before it was added
    blocks_.erase(found);
    bytes_ -= block.bytes();
    if (!block.staging) context_.account(-static_cast<ptrdiff_t>(block.bytes()));
    if (block.resource && !lost_) {
        if (block.kernel_side && held_) {
            std::vector<void*> one{block.resource};
            cuda_unmap(one, context_.stream());
        }
        cuda_unregister(block.resource);
    }
    if (block.gl_side) glUnmapNamedBuffer(block.buffer);
    glDeleteBuffers(1, &block.buffer);
}

void SharedMemory::acquire() {
    if (held_) return;
    if (fence_) {
        if (sharing_ != Sharing::kCuda)  // CUDA's mapping synchronises itself
            while (glClientWaitSync(fence_, GL_SYNC_FLUSH_COMMANDS_BIT, 100'000'000) == GL_TIMEOUT_EXPIRED) {
            }
        glDeleteSync(fence_);
        fence_ = nullptr;
    }
    if (sharing_ == Sharing::kCuda && !lost_) map_all();
    held_ = true;
}

void SharedMemory::map_all() {
    std::vector<void*> resources;
    for (const SharedBlock* block : blocks_) resources.push_back(block->resource);
    cuda_map(resources, context_.stream());
    for (SharedBlock* block : blocks_) block->kernel_side = cuda_mapped_pointer(block->resource);
}

void SharedMemory::release() {
    if (!held_) return;
    held_ = false;
    if (lost_) return;
    if (sharing_ == Sharing::kCuda) {
        std::vector<void*> resources;
        for (SharedBlock* block : blocks_) {
            resources.push_back(block->resource);
            block->kernel_side = nullptr;
        }
        cuda_unmap(resources, context_.stream());
        return;
    }
    for (SharedBlock* block : blocks_) {
        if (sharing_ == Sharing::kStaged && block->written)
            context_.copy(block->gl_side, block->staging->data(), block->bytes());
        block->written = false;
    }
    // Coherent mappings need no flush; the barrier orders later shader reads.
    glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
}

void SharedMemory::drawn() {
    if (fence_) glDeleteSync(fence_);
    fence_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

GLuint SharedMemory::buffer_of(const Memory* memory) {
    const auto* block = dynamic_cast<const SharedBlock*>(memory);
    return block ? block->buffer : 0;
}

void GlQueue::run(const std::function<void()>& work) {
    if (std::this_thread::get_id() == gl_thread_) return work();
    Task task{&work, nullptr};
    std::unique_lock lock(mutex_);
    tasks_.push_back(&task);
    asked_.notify_one();
    done_.wait(lock, [&] { return task.done; });
    if (task.failure) std::rethrow_exception(task.failure);
}

void GlQueue::service(double seconds) {
    std::unique_lock lock(mutex_);
    if (seconds > 0)
        asked_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return woken_ || !tasks_.empty(); });
    woken_ = false;
    while (!tasks_.empty()) {
        Task* const task = tasks_.front();
        tasks_.erase(tasks_.begin());
        lock.unlock();
        try {
            (*task->work)();
        } catch (...) {
            task->failure = std::current_exception();
        }
        lock.lock();
        task->done = true;
        done_.notify_all();
    }
}

void GlQueue::wake() {
    {
        std::lock_guard lock(mutex_);
        woken_ = true;
    }
    asked_.notify_one();
}

}  // namespace flipscope::app
