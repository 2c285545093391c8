// The device that the library computes on: CPU threads or a CUDA stream, and the memory that belongs to it. A program
// makes one context for each thread that calls the library and passes it to every call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace flipscope {

class CancelFlag;
class ScratchPool;
class Memory;
class SharedMemorySource;
class Timings;
enum class Residence;

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

/// Not thread-safe: one thread at a time uses a context. Two contexts can work at the same time. Buffers made on a
/// context must not outlive it.
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
    /// One line for the log if the device is a fallback; otherwise empty.
    const std::string& notice() const { return notice_; }

    /// CUDA threads per block: a multiple of 32 in 32…1024. No meaning on the CPU.
    uint32_t block_size() const { return block_size_; }
    void set_block_size(uint32_t threads_per_block);
    /// Whether CUDA launches are timed (default on). The two events of a launch cost about 3 µs, which matters in a
    /// chain of small kernels. Launches on CPU threads are always timed.
    void set_timed(bool timed) { timed_ = timed; }

    /// Waits for everything launched; throws DeviceLost naming the label of a kernel that failed.
    void synchronize();
    /// Both pointers may be in host or device memory. Waits. On CPU threads a large copy may throw Cancelled half-way.
    void copy(void* to, const void* from, size_t bytes);
    void fill(void* to, int byte, size_t bytes);
    void* stream() const { return stream_; }  // cudaStream_t; nullptr on CPU threads

    size_t live_bytes() const { return live_bytes_; }
    size_t peak_bytes() const { return peak_bytes_; }
    void reset_peak() { peak_bytes_ = live_bytes_; }

    /// May be called from any thread or a signal handler: the call under way throws Cancelled, or else the next one.
    void cancel();
    void clear_cancel();
    bool cancelled() const;
    /// Throws Cancelled if the flag is set. All launches but empty ones call it.
    void throw_if_cancelled() const;

    // ---- for the library's own sources, whose headers declare these types -------------------------------------------
    /// For tests: the nth launch from now on (from 1) loses the device, on CUDA by a kernel that traps; CPU threads
    /// simulate it. 0: none.
    void lose_after(uint64_t launches) { launches_left_ = launches; }
    Timings& timings();
    /// Reads the completed CUDA events. The window calls it once per frame.
    void collect_timings();

    /// Where drawn buffers live; nullptr (headless): in private memory. Must outlive the buffers allocated from it.
    void set_shared_memory(SharedMemorySource* source) { shared_ = source; }
    SharedMemorySource* shared_memory() const { return shared_; }
    /// Scratch memory for buffers of Residence::kTemporary; nullptr: they are allocated as private ones.
    void set_scratch_pool(ScratchPool* lent) { scratch_pool_ = lent; }
    std::unique_ptr<Memory> allocate(const std::string& name, size_t bytes, Residence residence);
    void account(ptrdiff_t bytes);
    /// At least `bytes` of working memory for one primitive; the next call invalidates the contents.
    void* scratch(size_t bytes);

    const CancelFlag& cancel_flag() const { return *cancel_flag_; }
    /// Replaces the context's own flag by one that also cancels other work. It must outlive the context.
    void set_cancel_flag(CancelFlag& flag) { cancel_flag_ = &flag; }
    /// Runs body(chunk) for chunk in [0, chunks) on up to threads() threads; returns when all are done. Polls the
    /// cancel flag before every chunk: once it is set, the remaining chunks are skipped and Cancelled is thrown when
    /// all threads have stopped. A body whose chunks may take more than some milliseconds must poll the flag itself and
    /// return.
    template <class Body>
    void run_chunks(uint32_t chunks, const Body& body) {
        run_chunks(
            chunks, [](const void* task, uint32_t chunk) { (*static_cast<const Body*>(task))(chunk); }, &body);
    }
    /// Whether launch_dependent() may prepare a CUDA kernel while another runs.
    bool prepares_launches() const { return prepares_launches_; }
    /// Whether blocks of a CUDA kernel can synchronise in clusters: compute capability 9.0 or later.
    bool forms_clusters() const { return prepares_launches_; }
    /// The bytes at `from` on the device, readable by the host until the next read_back(). On CUDA this is a copy in
    /// pinned memory, three times as fast as one to pageable memory; on CPU threads it is `from` itself. Waits.
    const void* read_back(const void* from, size_t bytes);
    /// Copies a few bytes to the host, then zeroes other bytes on the device: on CUDA by one kernel. Waits.
    void read_and_clear(void* to, const void* from, size_t bytes, void* cleared, size_t cleared_bytes);
    struct Stopwatch;  // times one launch

  private:
    friend struct Stopwatch;
    void run_chunks(uint32_t chunks, void (*body)(const void* task, uint32_t chunk), const void* task);
    void lose(const char* label);
    void require_device() const;
    struct Impl;
    std::unique_ptr<Impl> impl_;
    Device device_ = Device::kCpu;
    std::string name_, notice_;
    int threads_ = 1;
    uint32_t block_size_ = 128;
    bool timed_ = true;
    SharedMemorySource* shared_ = nullptr;
    ScratchPool* scratch_pool_ = nullptr;
    size_t live_bytes_ = 0, peak_bytes_ = 0;
    CancelFlag* cancel_flag_ = nullptr;
    void* stream_ = nullptr;
    bool prepares_launches_ = false;
    uint64_t launches_left_ = 0;  // until the device is lost; 0: never
    bool lost_ = false;           // CPU threads that simulate a lost device
};

}  // namespace flipscope
