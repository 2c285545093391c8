// How the program ends where nothing can be thrown any more, or where what it says is not read any more: a failed
// allocation inside a destructor or a noexcept function of a library, a closed standard output, a lost display. In each
// case with one sentence on stderr and an exit status (options.h), never with an abort. main.cpp and the window call
// it.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "compute/cancel.h"
#include "compute/error.h"

namespace flipscope::app {

/// Before anything else in main(): closed standard streams are opened on nothing, so that no file of ours takes their
/// place, and a pipe that is read no more is an error of the write instead of a signal.
void prepare_streams();

/// What an exception that ends the program means to the user.
struct Ending {
    int status;  // ExitStatus
    std::string sentence;
};
Ending ending_of(const std::exception_ptr& failure);

/// Writes "flipscope: " and the sentence to stderr and ends the program, without destructors. Allocates nothing; may be
/// called from any thread and from a signal handler.
[[noreturn]] void end_at_once(const char* sentence, int status) noexcept;

/// The same for want of memory. For where a failed allocation may have gone through a graphics driver, which then
/// keeps its locks, and ending it in order would wait for them.
[[noreturn]] void end_out_of_memory() noexcept;

/// What cannot be had on this machine was asked for in vain: the user's to change.
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

/// "flipscope: " and the sentence on stderr, with nothing in it that a terminal would obey, wherever it comes from.
void tell(const std::string& sentence);

/// Flushes stdout. Throws Error when some of it could not be written; ends the program as SIGPIPE does, without a word,
/// when it is a pipe that is no longer read.
void require_printed();
/// Writes a text into a file, or prints it where the target is "-". Throws Error as require_printed() and files do.
void write_or_print(const std::string& target, const std::string& text);

}  // namespace flipscope::app
