// Loaded in front of the program (LD_PRELOAD): makes calls of one kind fail, counted from the moment the program's own
// code begins to run. Environment:
//   FLIPSCOPE_FAIL=allocations  C++ allocations and aligned ones, which buffers are made of
//                  files        open, read, write, close and rename beneath FLIPSCOPE_FAIL_BENEATH=folder
//                  maps         mmap by the program itself, which large buffers are made of
//                  pieces       none: reads and writes beneath that folder are short, and every other is interrupted
//   FLIPSCOPE_FAIL_AT=n         the n-th fails, from 1
//   FLIPSCOPE_FAIL_FROM=n       the n-th and all after it
//   FLIPSCOPE_LIST_TO=file      at the end, a line for each call is written there: a hash of its call stack within the
//                               program, wherever that was loaded
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

enum class Kind { kAllocation, kFile, kMap, kPiece, kNone };
Kind kind = Kind::kNone;  // until the program begins
std::atomic<long> calls{0};
long fail_at = 0, fail_from = 0;
const char* folder = nullptr;
const void* program = nullptr;  // where it is loaded

long number_in(const char* variable) {
    const char* text = std::getenv(variable);
    return text ? std::atol(text) : 0;
}

uintptr_t program_begin = 0, program_end = 0;
int find_program(dl_phdr_info* info, size_t, void*) {
    program_begin = info->dlpi_addr;
    for (int k = 0; k < info->dlpi_phnum; ++k)
        program_end = std::max(program_end, info->dlpi_addr + info->dlpi_phdr[k].p_vaddr + info->dlpi_phdr[k].p_memsz);
    return 1;  // the program comes first
}

constexpr size_t kMostCalls = 1 << 21;
std::array<uint64_t, kMostCalls> listed;
bool lists_calls = false;

void list_call(long number) {
    std::array<void*, 48> frames;
    const int depth = backtrace(frames.data(), int(frames.size()));
    uint64_t hash = 1469598103934665603;  // FNV-1a
    for (int k = 0; k < depth; ++k) {
        const auto at = reinterpret_cast<uintptr_t>(frames[size_t(k)]);
        if (at >= program_begin && at < program_end) hash = (hash ^ (at - program_begin)) * 1099511628211;
    }
    if (size_t(number) > kMostCalls) std::abort();
    listed[size_t(number) - 1] = hash;
}

bool fails(Kind of) {
    if (of != kind) return false;
    const long number = ++calls;
    if (lists_calls) list_call(number);
    return number == fail_at || (fail_from > 0 && number >= fail_from);
}

bool is_beneath(const char* path) { return folder && std::strncmp(path, folder, std::strlen(folder)) == 0; }
bool is_beneath(int file) {
    char link[40], path[4096];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return false;
    path[length] = '\0';
    return is_beneath(path);
}
/// Of a path or a descriptor.
template <class File>
bool file_fails(File file, int error) {
    if (kind != Kind::kFile || !is_beneath(file) || !fails(Kind::kFile)) return false;
    errno = error;
    return true;
}
/// Cuts a transfer down; false: it is interrupted.
bool piece(int file, size_t& bytes) {
    if (kind != Kind::kPiece || !is_beneath(file)) return true;
    bytes = std::min(bytes, size_t(1) << 9);
    errno = EINTR;
    return ++calls % 2 == 0;
}

template <class Function>
Function real(Function, const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}
#define REAL(name) real(&name, #name)

void* made(std::size_t bytes) { return fails(Kind::kAllocation) ? nullptr : std::malloc(bytes ? bytes : 1); }
void* made(std::size_t bytes, std::size_t alignment) {
    void* place = nullptr;
    if (fails(Kind::kAllocation) ||
        posix_memalign(&place, alignment < sizeof(void*) ? sizeof(void*) : alignment, bytes ? bytes : 1))
        return nullptr;
    return place;
}
void* required(void* place) {
    if (place) return place;
    if (const std::new_handler handler = std::get_new_handler()) handler();
    throw std::bad_alloc();
}

void write_list() {
    kind = Kind::kNone;
    const char* name = std::getenv("FLIPSCOPE_LIST_TO");
    if (!name) return;
    if (std::FILE* file = std::fopen(name, "w")) {
        for (long k = 0; k < calls; ++k) std::fprintf(file, "%lu\n", listed[size_t(k)]);
        std::fclose(file);
    }
}

}  // namespace

// All other forms of the standard library call these two, and their memory goes back to free().
void* operator new(std::size_t bytes) { return required(made(bytes)); }
void* operator new(std::size_t bytes, std::align_val_t a) { return required(made(bytes, std::size_t(a))); }

extern "C" {

void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return made(bytes, alignment); }

int open(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    if (file_fails(path, flags & O_CREAT ? ENOSPC : EMFILE)) return -1;
    return REAL(open)(path, flags, mode);
}
std::FILE* fopen(const char* path, const char* mode) {
    return file_fails(path, EMFILE) ? nullptr : REAL(fopen)(path, mode);
}
ssize_t read(int file, void* bytes, size_t count) {
    if (!piece(file, count) || file_fails(file, EIO)) return -1;
    return REAL(read)(file, bytes, count);
}
ssize_t pread(int file, void* bytes, size_t count, off_t begin) {
    if (!piece(file, count) || file_fails(file, EIO)) return -1;
    return REAL(pread)(file, bytes, count, begin);
}
ssize_t write(int file, const void* bytes, size_t count) {
    if (!piece(file, count) || file_fails(file, ENOSPC)) return -1;
    return REAL(write)(file, bytes, count);
}
int close(int file) {
    const bool failed = file_fails(file, EIO);
    const int status = REAL(close)(file);
    if (failed) errno = EIO;
    return failed ? -1 : status;
}
int rename(const char* from, const char* to) { return file_fails(from, EIO) ? -1 : REAL(rename)(from, to); }

void* mmap(void* at, size_t bytes, int protection, int flags, int file, off_t begin) {
    Dl_info caller{};
    if (kind == Kind::kMap && dladdr(__builtin_return_address(0), &caller) && caller.dli_fbase == program &&
        fails(Kind::kMap)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return REAL(mmap)(at, bytes, protection, flags, file, begin);
}

using Main = int (*)(int, char**, char**);
/// Shared libraries have been initialised by now; what comes are the program's own static objects, and main().
int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(), void (*loader_fini)(),
                      void* stack_end) {
    using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
    const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
    fail_at = number_in("FLIPSCOPE_FAIL_AT");
    fail_from = number_in("FLIPSCOPE_FAIL_FROM");
    folder = std::getenv("FLIPSCOPE_FAIL_BENEATH");
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(main), &info)) program = info.dli_fbase;
    std::atexit(write_list);
    void* first;
    backtrace(&first, 1);  // loads the unwinder
    dl_iterate_phdr(find_program, nullptr);
    lists_calls = std::getenv("FLIPSCOPE_LIST_TO") != nullptr;
    const char* const name = std::getenv("FLIPSCOPE_FAIL");
    const char* const names[] = {"allocations", "files", "maps", "pieces"};
    for (int k = 0; k < 4; ++k)
        if (name && std::strcmp(name, names[k]) == 0) kind = Kind(k);
    return start(main, argc, argv, init, fini, loader_fini, stack_end);
}
}
