#include "app/base/endings.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <new>

#include "compute/printable.h"
#include "flipscope/error.h"
#include "io/output_file.h"

namespace flipscope::app {

namespace {

constexpr const char* kOutOfMemory = "out of memory; try fewer points";

/// A failed allocation in a library function that is declared noexcept arrives here.
[[noreturn]] void on_terminate() noexcept {
    if (std::current_exception()) {
        try {
            throw;
        } catch (const std::bad_alloc&) {
            end_at_once(kOutOfMemory, kFailed);
        } catch (const std::exception& error) {
            end_at_once(error.what(), kFailed);
        } catch (...) {
        }
    }
    end_at_once("the program ended with an internal error", kFailed);
}

/// Before static objects are constructed, which allocate.
[[gnu::constructor(101)]] void install_terminate_handler() { std::set_terminate(on_terminate); }

void write_all(const char* text) noexcept {
    for (size_t left = std::strlen(text); left > 0;) {
        const ssize_t written = write(STDERR_FILENO, text, left);
        if (written <= 0) return;
        text += written;
        left -= static_cast<size_t>(written);
    }
}

bool is_unread_pipe(int descriptor) {
    pollfd state{descriptor, POLLOUT, 0};
    return poll(&state, 1, 0) == 1 && (state.revents & POLLERR);
}

}  // namespace

void prepare_streams() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(descriptor, F_GETFD) != -1) continue;
        // The lowest free descriptor is this one. Reading it ends at once; writing to it fails, as on the closed one.
        if (open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
    }
    std::signal(SIGPIPE, SIG_IGN);
}

Ending ending_of(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const Error& error) {
        return {kWrongUse, error.what()};
    } catch (const Cancelled&) {
        return {kInterrupted, "ended by Ctrl-C"};
    } catch (const std::bad_alloc&) {
        return {kFailed, kOutOfMemory};
    } catch (const DeviceLost& error) {
        return {kFailed, std::string("the device is lost: ") + error.what() +
                             ". The same run on CPU threads, with --device cpu, has the same result"};
    } catch (const std::exception& error) {
        return {kFailed, error.what()};
    } catch (...) {
        return {kFailed, "the program ended with an internal error"};
    }
}

void end_at_once(const char* sentence, int status) noexcept {
    remove_unfinished_files();
    write_all("flipscope: ");
    write_all(sentence);
    write_all("\n");
    _exit(status);
}

void end_out_of_memory() noexcept { end_at_once(kOutOfMemory, kFailed); }

void tell(const std::string& sentence) { std::fprintf(stderr, "flipscope: %s\n", printable(sentence).c_str()); }

void require_printed() {
    std::cout.flush();
    if (std::fflush(stdout) == 0 && !std::ferror(stdout) && std::cout) return;
    if (is_unread_pipe(STDOUT_FILENO)) {
        std::signal(SIGPIPE, SIG_DFL);
        std::raise(SIGPIPE);
    }
    throw Error("standard output cannot be written: is the disk full?");
}

void write_or_print(const std::string& target, const std::string& text) {
    if (target != "-") return write_whole_file(target, text);
    std::fwrite(text.data(), 1, text.size(), stdout);
    require_printed();
}

}  // namespace flipscope::app
