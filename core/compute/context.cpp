#include "compute/context.h"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <vector>

#include "compute/cuda_device.h"
#include "compute/executor.h"
#include "compute/scratch_pool.h"
#include "compute/work.h"
#include "flipscope/error.h"

namespace flipscope {

namespace {

// Label of this thread's current launch; nullptr: none.
thread_local const char* launched = nullptr;

constexpr size_t kHugePage = size_t(2) << 20;

int64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Host memory. Large blocks use huge pages, because page faults and TLB misses would otherwise cost as much as a pass.
/// They are mapped separately: memory reused from the heap already has small pages.
class HostMemory : public Memory {
  public:
    HostMemory(Context& context, size_t bytes) : Memory(bytes), context_(context) {
        data_ = is_large() ? map() : std::aligned_alloc(64, (bytes + 63) / 64 * 64);
        if (!data_) throw std::bad_alloc();
        context_.account(static_cast<ptrdiff_t>(bytes));
    }
    ~HostMemory() override {
        if (is_large())
            munmap(data_, mapped());
        else
            std::free(data_);
        context_.account(-static_cast<ptrdiff_t>(bytes_));
    }
    void* data() override { return data_; }

  private:
    bool is_large() const { return bytes_ >= 2 * kHugePage; }
    size_t mapped() const { return (bytes_ + kHugePage - 1) / kHugePage * kHugePage; }
    /// Whole huge pages. nullptr: out of memory.
    void* map() const {
        const size_t more = mapped() + kHugePage;
        void* const anywhere = mmap(nullptr, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (anywhere == MAP_FAILED) return nullptr;
        char* const begin = static_cast<char*>(anywhere);
        const size_t before = (kHugePage - reinterpret_cast<uintptr_t>(begin) % kHugePage) % kHugePage;
        if (before > 0) munmap(begin, before);
        munmap(begin + before + mapped(), kHugePage - before);
        madvise(begin + before, mapped(), MADV_HUGEPAGE);
        return begin + before;
    }

    Context& context_;
    void* data_ = nullptr;
};

std::string cpu_name(int threads) {
    return "CPU, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

}  // namespace

struct Context::Impl {
    explicit Impl(int threads) : executor(threads) {}
    Executor executor;
    std::unique_ptr<CudaDevice> cuda;
    Timings timings;
    CancelFlag own_cancel_flag;
    std::unique_ptr<Memory> scratch;
};

std::optional<DeviceRequest> parse_device(const std::string& text) {
    if (text == "auto") return DeviceRequest::kAuto;
    if (text == "cpu") return DeviceRequest::kCpu;
    if (text == "cuda") return DeviceRequest::kCuda;
    return std::nullopt;
}

std::vector<DeviceInfo> list_devices() {
    std::vector<DeviceInfo> devices{
        {Device::kCpu, cpu_name(Executor::machine_threads()), true, Executor::kDescription}};
    devices.push_back(describe_cuda());
    return devices;
}

Context::Context(DeviceRequest request, int threads) {
    threads_ = threads > 0 ? threads : Executor::machine_threads();
    impl_ = std::make_unique<Impl>(threads_);
    cancel_flag_ = &impl_->own_cancel_flag;
    name_ = cpu_name(threads_);
    if (request == DeviceRequest::kCpu) return;
    const DeviceInfo cuda = describe_cuda();
    if (cuda.usable) {
        impl_->cuda = make_cuda_device(*this);
        stream_ = impl_->cuda->stream();
        prepares_launches_ = impl_->cuda->prepares_launches();
        device_ = Device::kCuda;
        name_ = cuda.name;
    } else if (request == DeviceRequest::kCuda) {
        throw std::runtime_error("no CUDA device can be used: " + cuda.explanation +
                                 ". Use --device cpu, or --device auto to fall back to CPU threads");
    } else {
        notice_ = "no CUDA device (" + cuda.explanation + "): running on " + name_;
    }
}

Context::~Context() { impl_->scratch.reset(); }

void Context::set_block_size(uint32_t threads_per_block) {
    if (threads_per_block < 32 || threads_per_block > 1024 || threads_per_block % 32)
        throw std::runtime_error("block size " + std::to_string(threads_per_block) +
                                 ": expected a multiple of 32 between 32 and 1024");
    block_size_ = threads_per_block;
}

void Context::cancel() { cancel_flag_->set(); }
void Context::clear_cancel() { cancel_flag_->clear(); }
bool Context::cancelled() const { return cancel_flag_->is_set(); }
void Context::throw_if_cancelled() const { cancel_flag_->throw_if_set(); }

Timings& Context::timings() { return impl_->timings; }

void Context::synchronize() {
    if (impl_->cuda) impl_->cuda->synchronize();
}
void Context::collect_timings() {
    if (impl_->cuda) impl_->cuda->collect(impl_->timings);
}

std::unique_ptr<Memory> Context::allocate(const std::string& name, size_t bytes, Residence residence) {
    if (residence == Residence::kDrawn && shared_) return shared_->make(name, bytes);
    if (residence == Residence::kTemporary && scratch_pool_)
        if (std::unique_ptr<Memory> lent = scratch_pool_->take(bytes)) return lent;
    if (impl_->cuda) return impl_->cuda->allocate(name, bytes, residence == Residence::kHost);
    return std::make_unique<HostMemory>(*this, bytes);
}

void Context::account(ptrdiff_t bytes) {
    live_bytes_ += static_cast<size_t>(bytes);
    if (live_bytes_ > peak_bytes_) peak_bytes_ = live_bytes_;
}

void* Context::scratch(size_t bytes) {
    std::unique_ptr<Memory>& memory = impl_->scratch;
    if (!memory || memory->bytes() < bytes) {
        if (impl_->cuda) synchronize();  // a kernel may still use the old one
        memory.reset();
        memory = allocate("scratch", bytes + bytes / 4, Residence::kPrivate);
    }
    return memory->data();
}

void Context::run_chunks(uint32_t chunks, void (*body)(const void* task, uint32_t chunk), const void* task) {
    const CancelFlag& flag = *cancel_flag_;
    WorkStage stage(launched ? launched : "chunks", chunks);
    const auto run = [&](uint32_t chunk) {
        if (flag.is_set()) return false;
        body(task, chunk);
        stage.advance();
        return true;
    };
    if (chunks <= 1 || threads_ == 1)
        run_in_order(chunks, run);
    else
        impl_->executor.run(chunks, run);
    flag.throw_if_set();
}

void Context::copy(void* to, const void* from, size_t bytes) {
    if (bytes == 0) return;
    require_device();
    if (impl_->cuda) {
        impl_->cuda->copy(to, from, bytes);
        return;
    }
    constexpr size_t kPart = size_t(64) << 20;  // bytes between two polls of the cancel flag
    for (size_t done = 0; done < bytes; done += kPart) {
        if (done > 0) throw_if_cancelled();
        std::memcpy(static_cast<char*>(to) + done, static_cast<const char*>(from) + done,
                    std::min(kPart, bytes - done));
    }
}

const void* Context::read_back(const void* from, size_t bytes) {
    require_device();
    return impl_->cuda && bytes ? impl_->cuda->read_back(from, bytes, nullptr, 0) : from;
}

void Context::read_and_clear(void* to, const void* from, size_t bytes, void* cleared, size_t cleared_bytes) {
    if (impl_->cuda) {
        std::memcpy(to, impl_->cuda->read_back(from, bytes, cleared, cleared_bytes), bytes);
    } else {
        std::memcpy(to, from, bytes);
        fill(cleared, 0, cleared_bytes);
    }
}

void Context::fill(void* to, int byte, size_t bytes) {
    if (bytes == 0) return;
    if (impl_->cuda) {
        impl_->cuda->fill(to, byte, bytes);
        return;
    }
    constexpr size_t kChunk = size_t(1) << 20;  // bytes
    if (bytes <= kChunk) {
        std::memset(to, byte, bytes);
        return;
    }
    // This is usually the first touch of new memory, which takes longer than the filling.
    Stopwatch stopwatch(*this, "fill", bytes);
    run_chunks(static_cast<uint32_t>((bytes + kChunk - 1) / kChunk), [&](uint32_t chunk) {
        const size_t begin = chunk * kChunk;
        std::memset(static_cast<char*>(to) + begin, byte, std::min(kChunk, bytes - begin));
    });
}

Context::Stopwatch::Stopwatch(Context& owner, const char* name, uint64_t count)
    : context(owner), label(name), row(owner.timings().row(name)), elements(count) {
    context.throw_if_cancelled();
    if (context.launches_left_ > 0 && --context.launches_left_ == 0) context.lose(label);
    if (context.lost_) context.require_device();
    launched = label;
    if (context.impl_->cuda)
        events = context.impl_->cuda->start(label, row, elements, context.impl_->timings, context.timed_);
    else
        start_ns = now_ns();
}

void Context::lose(const char* label) {
    if (impl_->cuda) return impl_->cuda->lose();
    lost_ = true;
    throw DeviceLost(std::string("kernel ") + label + ": a test has lost the device");
}

void Context::require_device() const {
    if (lost_) throw DeviceLost("a test has lost the device");
}

Context::Stopwatch::~Stopwatch() {
    launched = nullptr;
    if (context.impl_->cuda)
        context.impl_->cuda->stop(events);
    else
        context.impl_->timings.add(row, static_cast<double>(now_ns() - start_ns) * 1e-6, elements);
}

void Context::Stopwatch::check_launch() {
    if (context.impl_->cuda) context.impl_->cuda->check(label);
}

}  // namespace flipscope
