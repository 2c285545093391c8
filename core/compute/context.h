// The device that kernels run on, with its threads or stream, its timings and its memory accounting. The caller of an
// algorithm creates one and passes it down; one per machine is enough. Not thread-safe: one thread drives a context.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "compute/cancel.h"
#include "compute/memory.h"
#include "compute/timings.h"

namespace flipscope {

enum class Device { kCpu, kCuda };
enum class DeviceRequest { kAuto, kCpu, kCuda };

/// "auto", "cpu" or "cuda"; nullopt for any other text.
std::optional<DeviceRequest> parse_device(const std::string& text);

struct DeviceInfo {
    Device device;
    std::string name;         // "CPU, 2 threads", "NVIDIA H200 (sm_90)"
    bool usable = false;      //
    std::string explanation;  // why not usable, or driver and memory
};

/// All devices of this machine that this binary detects; the CPU first.
std::vector<DeviceInfo> list_devices();

class LentMemory;

class Context {
  public:
    /// `threads` 0: as many as the machine has. kCuda without a CUDA device throws std::runtime_error; kAuto falls back
    /// to the CPU and explains it in notice().
    explicit Context(DeviceRequest request = DeviceRequest::kAuto, int threads = 0);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    Device device() const { return device_; }
    bool on_cuda() const { return device_ == Device::kCuda; }
    const std::string& device_name() const { return name_; }
    int threads() const { return threads_; }
    /// For tests: the nth launch from now on (from 1) loses the device, on CUDA by a kernel that traps; CPU threads
    /// simulate it. 0: none.
    void lose_after(uint64_t launches) { launches_left_ = launches; }
    /// One line for the log if the device is a fallback; otherwise empty.
    const std::string& notice() const { return notice_; }

    /// CUDA threads per block (thesis, figure 16): a multiple of 32 in 32…1024. No meaning on the CPU.
    uint32_t block_size() const { return block_size_; }
    void set_block_size(uint32_t threads_per_block);

    Timings& timings() { return timings_; }
    /// Whether CUDA launches are timed (default on). The two events of a launch cost about 3 µs, which matters in a
    /// chain of small kernels. Launches on CPU threads are always timed.
    void set_timed(bool timed) { timed_ = timed; }
    /// Waits for all launches; throws DeviceLost (device_lost.h), which names the label of the kernel that failed.
    void synchronize();
    /// Reads the completed CUDA events. The window calls it once per frame.
    void collect_timings();

    /// Where drawn buffers live; nullptr (headless): in private memory. Must outlive the buffers allocated from it.
    void set_shared_memory(SharedMemorySource* source) { shared_ = source; }
    SharedMemorySource* shared_memory() const { return shared_; }
    /// Scratch memory for buffers of Residence::kPassing; nullptr: they are allocated as private ones.
    void set_lent_memory(LentMemory* lent) { lent_ = lent; }
    std::unique_ptr<Memory> allocate(const std::string& name, size_t bytes, Residence residence);
    size_t live_bytes() const { return live_bytes_; }
    size_t peak_bytes() const { return peak_bytes_; }
    void reset_peak() { peak_bytes_ = live_bytes_; }
    void account(ptrdiff_t bytes);

    /// At least `bytes` of working memory for one primitive; the next call invalidates the contents.
    void* scratch(size_t bytes);

    /// From any thread or a signal handler: the current launch on CPU threads, or else the next launch, throws
    /// Cancelled.
    void cancel() { cancel_flag_->set(); }
    void clear_cancel() { cancel_flag_->clear(); }
    bool cancelled() const { return cancel_flag_->is_set(); }
    /// Throws Cancelled if the flag is set. All launches but empty ones call it.
    void throw_if_cancelled() const { cancel_flag_->throw_if_set(); }
    const CancelFlag& cancel_flag() const { return *cancel_flag_; }
    /// Replaces the context's own flag by one that also cancels other work. It must outlive the context.
    void set_cancel_flag(CancelFlag& flag) { cancel_flag_ = &flag; }

    // ---- for launch.h and primitives.h ------------------------------------------------------------------------------
    /// Runs body(task, chunk) for chunk in [0, chunks) on up to threads() threads; returns when all are done. Polls the
    /// cancel flag before every chunk: once it is set, the remaining chunks are skipped and Cancelled is thrown when
    /// all threads have stopped. A body whose chunks may take more than some milliseconds must poll the flag itself and
    /// return.
    void run_chunks(uint32_t chunks, void (*body)(const void* task, uint32_t chunk), const void* task);
    void* stream() const { return stream_; }
    /// Whether launch_dependent() may prepare a CUDA kernel while another runs.
    bool prepares_launches() const { return prepares_launches_; }
    /// Whether blocks of a CUDA kernel can synchronise in clusters: compute capability 9.0 or later.
    bool forms_clusters() const { return prepares_launches_; }
    /// Both pointers may be in host or device memory. Waits. On CPU threads a large copy may throw Cancelled half-way.
    void copy(void* to, const void* from, size_t bytes);
    /// The bytes at `from` on the device, readable by the host until the next read_back(). On CUDA this is a copy in
    /// pinned memory, three times as fast as one to pageable memory; on CPU threads it is `from` itself. Waits.
    const void* read_back(const void* from, size_t bytes);
    /// Copies a few bytes to the host, then zeroes other bytes on the device: on CUDA by one kernel. Waits.
    void read_and_clear(void* to, const void* from, size_t bytes, void* cleared, size_t cleared_bytes);
    void fill(void* to, int byte, size_t bytes);
    struct Stopwatch;  // times one launch

  private:
    friend struct Stopwatch;
    void lose(const char* label);
    void require_device() const;
    struct Impl;
    std::unique_ptr<Impl> impl_;
    Device device_ = Device::kCpu;
    std::string name_, notice_;
    int threads_ = 1;
    uint32_t block_size_ = 128;
    Timings timings_;
    bool timed_ = true;
    SharedMemorySource* shared_ = nullptr;
    LentMemory* lent_ = nullptr;
    size_t live_bytes_ = 0, peak_bytes_ = 0;
    std::unique_ptr<Memory> scratch_;
    CancelFlag own_cancel_flag_;
    CancelFlag* cancel_flag_ = &own_cancel_flag_;
    void* stream_ = nullptr;  // cudaStream_t
    bool prepares_launches_ = false;
    uint64_t launches_left_ = 0;  // until the device is lost; 0: never
    bool lost_ = false;           // CPU threads that simulate a lost device
};

/// Encloses one launch: throws Cancelled at construction if the flag is set, then records the time between construction
/// and destruction (CPU) or between two events on the stream (CUDA) under `label`.
struct Context::Stopwatch {
    Stopwatch(Context& context, const char* label, uint64_t elements);
    ~Stopwatch();
    /// CUDA only: throws if the launch was refused or, with FLIPSCOPE_SYNC=1, if the kernel failed.
    void check_launch();

    Context& context;
    const char* label;
    size_t row;
    uint64_t elements;
    int64_t start_ns = 0;
    int events = -1;  // index of the pair in the context's ring
};

}  // namespace flipscope
