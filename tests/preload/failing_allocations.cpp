// Loaded in front of the program (LD_PRELOAD): lets an allocation of C++ fail, or an aligned one, which is what buffers
// are made of. Counted from the moment the program's own code begins to run. Environment:
//   FLIPSCOPE_FAIL_AT=n      the n-th fails, from 1
//   FLIPSCOPE_FAIL_FROM=n    the n-th and all after it
//   FLIPSCOPE_COUNT_TO=file  at the end, how many there were is written there
#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> allocations{0};
std::atomic<bool> counting{false};
long fail_at = 0, fail_from = 0;

long number_in(const char* variable) {
    const char* text = std::getenv(variable);
    return text ? std::atol(text) : 0;
}

bool fails() {
    if (!counting.load(std::memory_order_relaxed)) return false;
    const long number = ++allocations;
    return number == fail_at || (fail_from > 0 && number >= fail_from);
}

void* made(std::size_t bytes) { return fails() ? nullptr : std::malloc(bytes ? bytes : 1); }
void* made(std::size_t bytes, std::size_t alignment) {
    void* place = nullptr;
    if (fails() || posix_memalign(&place, alignment < sizeof(void*) ? sizeof(void*) : alignment, bytes ? bytes : 1))
        return nullptr;
    return place;
}
void* required(void* place) {
    if (!place) throw std::bad_alloc();
    return place;
}

void write_count() {
    const char* name = std::getenv("FLIPSCOPE_COUNT_TO");
    if (!name) return;
    if (std::FILE* file = std::fopen(name, "w")) {
        std::fprintf(file, "%ld\n", allocations.load());
        std::fclose(file);
    }
}

}  // namespace

// All other forms of the standard library call these two, and their memory goes back to free().
void* operator new(std::size_t bytes) { return required(made(bytes)); }
void* operator new(std::size_t bytes, std::align_val_t a) { return required(made(bytes, std::size_t(a))); }

extern "C" {

void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return made(bytes, alignment); }

using Main = int (*)(int, char**, char**);
/// Shared libraries have been initialised by now; what comes are the program's own static objects, and main().
int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(), void (*loader_fini)(),
                      void* stack_end) {
    using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
    const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
    fail_at = number_in("FLIPSCOPE_FAIL_AT");
    fail_from = number_in("FLIPSCOPE_FAIL_FROM");
    std::atexit(write_count);
    counting = true;
    return start(main, argc, argv, init, fini, loader_fini, stack_end);
}
}
