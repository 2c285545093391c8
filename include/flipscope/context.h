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
class LentMemory;
class Memory;
class SharedMemorySource;
class Timings;
enum class Residence;

enum class Device { kCpu, kCuda };
enum class DeviceRequest { kAuto, kCpu, kCuda };

/// "auto", "cpu" or "cuda"; nothing for another text.
std::optional<DeviceRequest> parse_device(const std::string& text);

struct DeviceInfo {
    Device device;
    std::string name;         // "CPU, 2 threads", "NVIDIA H200 (sm_90)"
    bool usable = false;      //
    std::string explanation;  // why not usable, or driver and memory
};

/// All devices of this machine as this binary sees them; the CPU first.
std::vector<DeviceInfo> list_devices();

/// Not thread-safe: one thread at a time uses a context. Two contexts can work at the same time. Buffers made on a
/// context must not outlive it.
class Context {
  public:
    /// `threads` 0: as many as the machine has. Asking for kCuda where there is none throws std::runtime_error with a
    /// sentence; kAuto falls back to the CPU and says so in notice().
    explicit Context(DeviceRequest request = DeviceRequest::kAuto, int threads = 0);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    Device device() const { return device_; }
    bool on_cuda() const { return device_ == Device::kCuda; }
    const std::string& device_name() const { return name_; }
    int threads() const { return threads_; }
    /// One line for the log when the device is not the one hoped for; else empty.
    const std::string& notice() const { return notice_; }

    /// CUDA threads per block: a multiple of 32 in 32…1024. No meaning on the CPU.
    uint32_t block_size() const { return block_size_; }
    void set_block_size(uint32_t threads_per_block);
    /// Whether CUDA launches are timed (default on): the two events of each cost about 3 µs, which a chain of small
    /// kernels feels. Launches on CPU threads always are.
    void set_timed(bool timed) { timed_ = timed; }

    /// Waits for everything launched; throws DeviceLost naming the label of a kernel that failed.
    void synchronize();
    /// Either side on either device; waits. On CPU threads a large one can end with Cancelled half-way.
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
    /// Throws Cancelled when asked to. Launches ask by themselves, but for empty ones.
    void throw_if_cancelled() const;

    // ---- for the library's own sources, whose headers declare these types -------------------------------------------
    /// For tests: the launch of this number, from now on and from 1, loses the device: a kernel that traps on CUDA; CPU
    /// threads act as if they were one. 0: none.
    void lose_after(uint64_t launches) { launches_left_ = launches; }
    Timings& timings();
    /// Reads the CUDA events that have passed. The window calls it once a frame.
    void collect_timings();

    /// Where drawn buffers live; nullptr (headless): with the private ones. Must outlive the buffers made from it.
    void set_shared_memory(SharedMemorySource* source) { shared_ = source; }
    SharedMemorySource* shared_memory() const { return shared_; }
    /// Where buffers of Residence::kPassing are put first; nullptr: with the private ones.
    void set_lent_memory(LentMemory* lent) { lent_ = lent; }
    std::unique_ptr<Memory> allocate(const std::string& name, size_t bytes, Residence residence);
    void account(ptrdiff_t bytes);
    /// At least `bytes` of working memory for one primitive; contents do not survive the next call.
    void* scratch(size_t bytes);

    const CancelFlag& cancel_flag() const { return *cancel_flag_; }
    /// Instead of the context's own: a flag that ends other work as well. It must outlive the context.
    void set_cancel_flag(CancelFlag& flag) { cancel_flag_ = &flag; }
    /// Runs body(task, chunk) for chunk in [0, chunks), on up to threads() threads; returns when all are done. Looks at
    /// the cancel flag before every chunk: when it is set, chunks are left out, and Cancelled is thrown once no thread
    /// is at one. A body whose chunks can take more than some milliseconds looks at it, too, and returns.
    void run_chunks(uint32_t chunks, void (*body)(const void* task, uint32_t chunk), const void* task);
    /// Whether launch_dependent() may prepare a CUDA kernel while another runs.
    bool prepares_launches() const { return prepares_launches_; }
    /// Whether blocks of a CUDA kernel can wait for each other in clusters: since compute capability 9.0, too.
    bool forms_clusters() const { return prepares_launches_; }
    /// What lies at `from` on the device, for the host to read until the next read_back(): on CUDA a copy in pinned
    /// memory, which takes a third of the time of one to anywhere, on CPU threads the thing itself. Waits.
    const void* read_back(const void* from, size_t bytes);
    /// Copies few bytes to the host, and fills others on the device with 0 after that: on CUDA by one kernel. Waits.
    void read_and_clear(void* to, const void* from, size_t bytes, void* cleared, size_t cleared_bytes);
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
    bool timed_ = true;
    SharedMemorySource* shared_ = nullptr;
    LentMemory* lent_ = nullptr;
    size_t live_bytes_ = 0, peak_bytes_ = 0;
    CancelFlag* cancel_flag_ = nullptr;
    void* stream_ = nullptr;
    bool prepares_launches_ = false;
    uint64_t launches_left_ = 0;  // before it is lost; 0: it is not
    bool lost_ = false;           // CPU threads that act as a lost device
};

}  // namespace flipscope
