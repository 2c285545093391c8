#include "compute/cuda_device.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <optional>
#include <stdexcept>
#include <vector>

#include "compute/launch.h"  // marks this file for nvcc
#include "flipscope/error.h"

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#endif

namespace flipscope {

#if defined(__CUDACC__)

namespace {

struct Nothing {
    FLIPSCOPE_HD void operator()(uint32_t) const {}
};

/// A short message to the host, in words of 4 bytes. Each word is written together with the number of its message, so
/// the words may arrive in any order.
struct Message {
    static constexpr size_t kBytes = 1024, kWords = kBytes / 4;
    uint64_t words[kWords];  // the number in the upper half

    static uint32_t number_of(uint64_t word) { return static_cast<uint32_t>(word >> 32); }
};

/// By one block.
__device__ void fill_bytes(void* to, int byte, uint32_t bytes) {
    const auto address = reinterpret_cast<uintptr_t>(to);
    if (address % 4 == 0 && bytes % 4 == 0) {
        const uint32_t word = 0x01010101u * static_cast<uint8_t>(byte);
        for (uint32_t i = threadIdx.x; i < bytes / 4; i += blockDim.x) static_cast<uint32_t*>(to)[i] = word;
    } else {
        for (uint32_t i = threadIdx.x; i < bytes; i += blockDim.x)
            static_cast<uint8_t*>(to)[i] = static_cast<uint8_t>(byte);
    }
}

/// Runs in one warp: faster than starting a copy engine and waiting for the stream.
__global__ void send_message(Message* message, const void* from, uint32_t bytes, uint32_t number, void* cleared,
                             uint32_t cleared_bytes) {
    detail::wait_for_previous();
    const auto* const all = static_cast<const uint8_t*>(from);
    for (uint32_t i = threadIdx.x; 4 * i < bytes; i += 32) {
        uint32_t word = 0;
        if (4 * i + 4 <= bytes && reinterpret_cast<uintptr_t>(all) % 4 == 0)
            word = reinterpret_cast<const uint32_t*>(all)[i];
        else
            for (uint32_t k = 4 * i; k < bytes && k < 4 * i + 4; ++k) word |= uint32_t(all[k]) << 8 * (k - 4 * i);
        static_cast<volatile uint64_t*>(message->words)[i] = uint64_t(number) << 32 | word;
    }
    if (cleared_bytes) fill_bytes(cleared, 0, cleared_bytes);
}

/// Runs in one block: a fill between two kernels can then launch dependently, as they do.
constexpr size_t kFewBytes = 4096;
__global__ void fill_few(void* to, int byte, uint32_t bytes) {
    detail::wait_for_previous();
    fill_bytes(to, byte, bytes);
}

void require(cudaError_t status, const std::string& what) {
    if (status == cudaSuccess) return;
    const std::string sentence = what + ": " + cudaGetErrorString(status);
    if (!cuda_is_usable()) throw DeviceLost(sentence);
    throw std::runtime_error(sentence);
}

__global__ void trap() { __trap(); }

/// Stream-ordered memory: freed blocks are reused without waiting and without a call to the driver, which takes up to a
/// millisecond per block. Devices without memory pools call the driver each time.
class StreamMemory {
  public:
    /// `stream` must outlive it.
    explicit StreamMemory(cudaStream_t stream) : stream_(stream) {
        int has_pools = 0;
        if (cudaDeviceGetAttribute(&has_pools, cudaDevAttrMemoryPoolsSupported, 0) != cudaSuccess || !has_pools) return;
        cudaMemPoolProps properties{};
        properties.allocType = cudaMemAllocationTypePinned;
        properties.location = {cudaMemLocationTypeDevice, 0};
        size_t free_bytes = 0, all_bytes = 0;
        if (cudaMemPoolCreate(&pool_, &properties) != cudaSuccess ||
            cudaMemGetInfo(&free_bytes, &all_bytes) != cudaSuccess) {
            cudaGetLastError();
            pool_ = nullptr;
            return;
        }
        uint64_t kept = all_bytes / 2;  // of freed memory; OpenGL needs memory, too
        cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &kept);
    }
    ~StreamMemory() {
        if (pool_) cudaMemPoolDestroy(pool_);
    }
    StreamMemory(const StreamMemory&) = delete;
    StreamMemory& operator=(const StreamMemory&) = delete;

    cudaError_t allocate(void** data, size_t bytes) {
        if (!pool_) return cudaMalloc(data, bytes);
        const cudaError_t status = cudaMallocFromPoolAsync(data, bytes, pool_, stream_);
        if (status == cudaSuccess) return status;
        // The cached memory may be fragmented.
        cudaGetLastError();
        cudaStreamSynchronize(stream_);
        cudaMemPoolTrimTo(pool_, 0);
        return cudaMallocFromPoolAsync(data, bytes, pool_, stream_);
    }
    void release(void* data) {
        if (pool_)
            cudaFreeAsync(data, stream_);
        else
            cudaFree(data);
    }

  private:
    cudaStream_t stream_;
    cudaMemPool_t pool_ = nullptr;
};

class DeviceMemory : public Memory {
  public:
    DeviceMemory(Context& context, StreamMemory& source, const std::string& name, size_t bytes)
        : Memory(bytes), context_(context), source_(source) {
        const cudaError_t status = source_.allocate(&data_, bytes);
        if (status != cudaSuccess) {
            if (!cuda_is_usable()) require(status, "getting memory for " + name);
            // Recoverable: nothing has been lost.
            throw std::runtime_error("not enough memory on the CUDA device for " + name + " (" + std::to_string(bytes) +
                                     " bytes): " + cudaGetErrorString(status));
        }
        context_.account(static_cast<ptrdiff_t>(bytes));
    }
    ~DeviceMemory() override {
        source_.release(data_);
        context_.account(-static_cast<ptrdiff_t>(bytes_));
    }
    void* data() override { return data_; }

  private:
    Context& context_;
    StreamMemory& source_;
    void* data_ = nullptr;
};

class PinnedMemory : public Memory {
  public:
    explicit PinnedMemory(size_t bytes) : Memory(bytes) {
        require(cudaMallocHost(&data_, bytes), "pinning host memory");
    }
    ~PinnedMemory() override { cudaFreeHost(data_); }
    void* data() override { return data_; }

  private:
    void* data_ = nullptr;
};

/// memcpy() to an address that is a multiple of 16, past the caches: a transfer then need not fetch lines that other
/// cores have just written.
void copy_past_caches(char* to, const char* from, size_t bytes) {
    size_t done = 0;
#if defined(__SSE2__)
    for (; done + sizeof(__m128i) <= bytes; done += sizeof(__m128i))
        _mm_stream_si128(reinterpret_cast<__m128i*>(to + done),
                         _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + done)));
    _mm_sfence();
#endif
    std::memcpy(to + done, from + done, bytes - done);
}

/// Copies from pageable host memory through pinned memory, which all threads of the context fill: while one slot is on
/// its way, they fill the next. On an H200 33 GB/s of 16 MB and 47 to 52 of 160 MB and more, where cudaMemcpy reaches 7
/// to 13.
class Staging {
  public:
    static constexpr size_t kLeast = size_t(8) << 20;  // bytes: a plain copy of 1.6 MB is faster, of 16 MB slower

    Staging(Context& context, cudaStream_t stream) : context_(context), stream_(stream) {}
    ~Staging() {
        for (Slot& slot : slots_) {
            if (slot.emptied) cudaEventDestroy(slot.emptied);
            cudaFreeHost(slot.pinned);
        }
    }
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    /// Waits until all bytes have arrived.
    void upload(void* to, const void* from, size_t bytes) {
        const bool is_short = bytes <= kShort;
        size_t which = 0;
        for (size_t begin = 0; begin < bytes; begin += kSlot, which = (which + 1) % slots_.size()) {
            Slot& slot = slots_[which];
            if (!slot.pinned) require(cudaMallocHost(&slot.pinned, kSlot), "pinning host memory");
            if (!slot.emptied)
                require(cudaEventCreateWithFlags(&slot.emptied, cudaEventDisableTiming), "making a CUDA event");
            require(cudaEventSynchronize(slot.emptied), "copying to the device");
            const char* const source = static_cast<const char*>(from) + begin;
            const size_t size = std::min(kSlot, bytes - begin);
            context_.run_chunks(static_cast<uint32_t>((size + kPiece - 1) / kPiece), [&](uint32_t piece) {
                const size_t at = piece * kPiece;
                char* const filled = static_cast<char*>(slot.pinned) + at;
                const size_t part = std::min(kPiece, size - at);
                if (is_short)
                    copy_past_caches(filled, source + at, part);
                else
                    std::memcpy(filled, source + at, part);
            });
            cudaError_t status =
                cudaMemcpyAsync(static_cast<char*>(to) + begin, slot.pinned, size, cudaMemcpyHostToDevice, stream_);
            if (status == cudaSuccess) status = cudaEventRecord(slot.emptied, stream_);
            require(status, "copying to the device");
        }
        require(cudaStreamSynchronize(stream_), "copying to the device");
    }

  private:
    // Bytes. With slots of 4 MB a copy of 1.6 GB takes 1.3 times as long; pieces are shared out to the threads.
    static constexpr size_t kSlot = size_t(8) << 20, kPiece = size_t(256) << 10;
    // Bytes. Past the caches 16 MB take half of the time, but 160 MB a tenth more; not measured between.
    static constexpr size_t kShort = size_t(32) << 20;
    struct Slot {
        void* pinned = nullptr;
        cudaEvent_t emptied = nullptr;  // its last copy has arrived
    };
    Context& context_;
    cudaStream_t stream_;
    std::array<Slot, 4> slots_;
};

/// Host memory that CUDA does not know, to device memory.
bool is_pageable_upload(const void* to, const void* from) {
    cudaPointerAttributes source{}, target{};
    const bool known =
        cudaPointerGetAttributes(&source, from) == cudaSuccess && cudaPointerGetAttributes(&target, to) == cudaSuccess;
    if (!known) cudaGetLastError();
    return known && source.type == cudaMemoryTypeUnregistered && target.type == cudaMemoryTypeDevice;
}

struct Lap {
    cudaEvent_t begin, end;
    size_t row;
    uint64_t elements;
    bool stopped;
};

class RealCudaDevice : public CudaDevice {
  public:
    explicit RealCudaDevice(Context& context) : context_(context) {
        require(cudaSetDevice(0), "choosing CUDA device 0");
        require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a CUDA stream");
        memory_.emplace(stream_);
        staging_.emplace(context_, stream_);
        require(cudaMallocHost(&message_, sizeof(Message)), "pinning host memory");
        *message_ = {};
        const char* setting = std::getenv("FLIPSCOPE_SYNC");
        synchronous_ = setting && setting[0] == '1';
    }
    ~RealCudaDevice() override {
        cudaStreamSynchronize(stream_);
        for (const Lap& lap : under_way_) release(lap);
        for (cudaEvent_t event : spare_) cudaEventDestroy(event);
        memory_.reset();
        staging_.reset();
        cudaStreamDestroy(stream_);
        cudaFreeHost(pinned_);
        cudaFreeHost(message_);
    }
    void* stream() override { return stream_; }
    bool prepares_launches() override {
        // Compute capability 9.0 brought it. Code for an older one would not wait, wherever it runs.
        cudaFuncAttributes attributes{};
        const auto function = reinterpret_cast<const void*>(&detail::device_loop<Nothing>);
        int major = 0;
        return cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0) == cudaSuccess && major >= 9 &&
               cudaFuncGetAttributes(&attributes, function) == cudaSuccess && attributes.ptxVersion >= 90;
    }
    void synchronize() override {
        const cudaError_t status = cudaStreamSynchronize(stream_);
        if (status != cudaSuccess) require(status, std::string("waiting for kernels up to ") + last_label_);
    }

    std::unique_ptr<Memory> allocate(const std::string& name, size_t bytes, bool pinned) override {
        if (pinned) return std::make_unique<PinnedMemory>(bytes);
        return std::make_unique<DeviceMemory>(context_, *memory_, name, bytes);
    }
    void copy(void* to, const void* from, size_t bytes) override {
        if (bytes >= Staging::kLeast && is_pageable_upload(to, from)) return staging_->upload(to, from, bytes);
        cudaError_t status = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_);
        if (status == cudaSuccess) status = cudaStreamSynchronize(stream_);
        if (status != cudaSuccess) require(status, after("copying"));
    }
    const void* read_back(const void* from, size_t bytes, void* cleared, size_t cleared_bytes) override {
        if (bytes <= Message::kBytes && cleared_bytes <= kFewBytes)
            return read_message(from, bytes, cleared, cleared_bytes);
        if (bytes > pinned_bytes_) {
            cudaFreeHost(pinned_);
            pinned_ = nullptr;
            pinned_bytes_ = 0;
            require(cudaMallocHost(&pinned_, 2 * bytes + 65536), "pinning host memory");
            pinned_bytes_ = 2 * bytes + 65536;
        }
        copy(pinned_, from, bytes);
        if (cleared_bytes) fill(cleared, 0, cleared_bytes);
        return pinned_;
    }
    void fill(void* to, int byte, size_t bytes) override {
        cudaError_t status = cudaSuccess;
        if (bytes <= kFewBytes) {
            detail::launch_dependent(context_, 1, 128, &fill_few, to, byte, static_cast<uint32_t>(bytes));
            status = cudaPeekAtLastError();
        } else {
            status = cudaMemsetAsync(to, byte, bytes, stream_);
        }
        if (status != cudaSuccess) require(status, after("filling"));
    }

    int start(const char* label, size_t row, uint64_t elements, Timings& timings, bool timed) override {
        last_label_ = label;
        nvtxRangePushA(label);
        if (!timed) return -1;
        if (under_way_.size() >= kMostLaps) collect(timings);
        if (under_way_.size() >= kMostLaps) return -1;  // no free event: this launch is not timed rather than delayed
        Lap lap{event(), event(), row, elements, false};
        cudaEventRecord(lap.begin, stream_);
        under_way_.push_back(lap);
        return 1;
    }
    void stop(int events) override {
        nvtxRangePop();
        if (events < 0) return;
        cudaEventRecord(under_way_.back().end, stream_);
        under_way_.back().stopped = true;
    }
    void check(const char* label) override {
        cudaError_t status = cudaPeekAtLastError();
        if (status == cudaSuccess && synchronous_) status = cudaStreamSynchronize(stream_);
        if (status != cudaSuccess) require(status, std::string("kernel ") + label);
    }
    void collect(Timings& timings) override {
        while (!under_way_.empty() && under_way_.front().stopped) {
            const Lap lap = under_way_.front();
            if (cudaEventQuery(lap.end) != cudaSuccess) break;
            float elapsed_ms = 0;
            cudaEventElapsedTime(&elapsed_ms, lap.begin, lap.end);
            timings.add(lap.row, elapsed_ms, lap.elements);
            spare_.push_back(lap.begin);
            spare_.push_back(lap.end);
            under_way_.pop_front();
        }
        cudaGetLastError();  // cudaErrorNotReady is no error
    }
    void lose() override { trap<<<1, 1, 0, stream_>>>(); }

  private:
    const void* read_message(const void* from, size_t bytes, void* cleared, size_t cleared_bytes) {
        if (++number_ == 0) {  // no message in memory has this number
            *message_ = {};
            number_ = 1;
        }
        detail::launch_dependent(context_, 1, 32, &send_message, message_, from, static_cast<uint32_t>(bytes), number_,
                                 cleared, static_cast<uint32_t>(cleared_bytes));
        if (const cudaError_t status = cudaPeekAtLastError(); status != cudaSuccess) require(status, after("reading"));
        for (size_t i = 0; 4 * i < bytes; ++i) {
            const std::atomic_ref<uint64_t> place(message_->words[i]);
            uint64_t word = place.load(std::memory_order_relaxed);
            for (uint32_t looks = 0; Message::number_of(word) != number_; ++looks) {
                if (looks % kLooksUnasked == 0) {
                    const cudaError_t status = cudaStreamQuery(stream_);  // after a failure no message arrives
                    if (status != cudaSuccess && status != cudaErrorNotReady) require(status, after("reading"));
                }
                word = place.load(std::memory_order_relaxed);
            }
            arrived_[i] = static_cast<uint32_t>(word);
        }
        return arrived_;
    }

    static constexpr uint32_t kLooksUnasked = 1 << 14;
    static constexpr size_t kMostLaps = 4096;
    std::string after(const char* what) const { return std::string(what) + " after " + last_label_; }
    cudaEvent_t event() {
        if (spare_.empty()) {
            cudaEvent_t made;
            require(cudaEventCreate(&made), "making a CUDA event");
            return made;
        }
        const cudaEvent_t reused = spare_.back();
        spare_.pop_back();
        return reused;
    }
    static void release(const Lap& lap) {
        cudaEventDestroy(lap.begin);
        cudaEventDestroy(lap.end);
    }

    Context& context_;
    cudaStream_t stream_ = nullptr;
    std::optional<StreamMemory> memory_;
    std::optional<Staging> staging_;
    bool synchronous_ = false;
    const char* last_label_ = "(none)";
    void* pinned_ = nullptr;
    size_t pinned_bytes_ = 0;
    Message* message_ = nullptr;                         // pinned
    uint32_t number_ = 0;                                // of the last requested message
    alignas(8) uint32_t arrived_[Message::kWords] = {};  // as it was sent
    std::deque<Lap> under_way_;
    std::vector<cudaEvent_t> spare_;
};

}  // namespace

DeviceInfo describe_cuda() {
    DeviceInfo info{Device::kCuda, "CUDA", false, ""};
    int driver = 0, devices = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
        info.explanation = "no NVIDIA driver is installed";
        return info;
    }
    if (const cudaError_t status = cudaGetDeviceCount(&devices); status != cudaSuccess || devices == 0) {
        info.explanation = status == cudaSuccess ? "no NVIDIA GPU was found" : cudaGetErrorString(status);
        cudaGetLastError();
        return info;
    }
    cudaDeviceProp properties{};
    cudaGetDeviceProperties(&properties, 0);
    const std::string architecture = "sm_" + std::to_string(properties.major) + std::to_string(properties.minor);
    info.name = std::string(properties.name) + " (" + architecture + ")";
    cudaFuncAttributes attributes{};
    if (cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&detail::device_loop<Nothing>)) !=
        cudaSuccess) {
        info.explanation = "this program was not built for " + architecture;
        cudaGetLastError();
        return info;
    }
    info.usable = true;
    info.explanation = std::to_string(properties.totalGlobalMem >> 20) + " MiB, driver for CUDA " +
                       std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10);
    return info;
}

std::unique_ptr<CudaDevice> make_cuda_device(Context& context) { return std::make_unique<RealCudaDevice>(context); }

bool cuda_is_usable() {
    cudaGetLastError();  // clears a transient error; a failed kernel reports again
    return cudaDeviceSynchronize() == cudaSuccess;
}

#else

DeviceInfo describe_cuda() { return {Device::kCuda, "CUDA", false, "this program was built without CUDA"}; }

std::unique_ptr<CudaDevice> make_cuda_device(Context&) {
    throw std::runtime_error("this program was built without CUDA");
}

bool cuda_is_usable() { return true; }

#endif

}  // namespace flipscope
