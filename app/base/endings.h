// Ends the program where nothing can be thrown any more or its output is no longer read: a failed allocation in a
// destructor or a noexcept library function, a closed standard output, a lost display. Always with one sentence on
// stderr and an exit status, never with an abort. Called by main.cpp and the window.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "compute/cancel.h"
#include "compute/error.h"

namespace flipscope::app {

/// The program's exit statuses.
enum ExitStatus : int {
    kSuccess = 0,
    kCheckFailed = 1,
    kWrongUse = 2,       // also unreadable input, or a requested device or display that is missing
    kFailed = 3,         // resource failure: out of memory, a device that failed
    kUnstable = 4,       // the run became unstable and could not finish
    kInterrupted = 130,  // Ctrl-C
};

/// Call first in main(): opens closed standard streams on /dev/null, so that no file takes their descriptors, and turns
/// SIGPIPE into a write error.
void prepare_streams();

/// What the user gets for an exception that ends the program.
struct Ending {
    int status;  // ExitStatus
    std::string sentence;
};
Ending ending_of(const std::exception_ptr& failure);

/// Writes "flipscope: " and the sentence to stderr and ends the program without destructors. Does not allocate;
/// callable from any thread and from a signal handler.
[[noreturn]] void end_at_once(const char* sentence, int status) noexcept;

/// The same for lack of memory. A failed allocation in a graphics driver leaves its locks held, and an orderly exit
/// would wait for them.
[[noreturn]] void end_out_of_memory() noexcept;

/// Rethrows a missing capability of this machine as a user error.
template <typename Make>
auto as_user_error(const Make& make) {
    try {
        return make();
    } catch (const Error&) {
        throw;
    } catch (const Cancelled&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw Error(error.what());
    }
}

/// Prints "flipscope: " and the sentence on stderr, with control characters replaced.
void tell(const std::string& sentence);

/// Flushes stdout. Throws Error if some of it could not be written; ends the program silently, as SIGPIPE does, if it
/// is a closed pipe.
void require_printed();
/// Writes a text to a file, or prints it if the target is "-". Throws Error like require_printed() and the file
/// functions.
void write_or_print(const std::string& target, const std::string& text);

}  // namespace flipscope::app
