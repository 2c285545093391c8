#include "io/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <random>
#include <system_error>

#include "compute/cancel.h"

namespace flipscope {
namespace {

namespace fs = std::filesystem;

/// The name of a temporary file, readable by a signal handler: no heap memory, no lock.
struct Note {
    enum State : int { kFree, kTaken, kValid };
    std::atomic<int> state{kFree};
    char name[PATH_MAX] = {};
};
static_assert(std::atomic<int>::is_always_lock_free, "read by a signal handler");

constexpr int kNoNote = -1;
std::array<Note, 16> notes;  // more than are ever written at once; signals do not remove further ones
std::atomic<bool> ending{false};

/// Stores the name before the file exists, so that the handler always finds it.
int note_down(const std::string& name) {
    for (size_t i = 0; i < notes.size(); ++i) {
        int expected = Note::kFree;
        if (name.size() >= sizeof notes[i].name) break;
        if (!notes[i].state.compare_exchange_strong(expected, Note::kTaken)) continue;
        std::memcpy(notes[i].name, name.c_str(), name.size() + 1);
        notes[i].state.store(Note::kValid);
        return static_cast<int>(i);
    }
    return kNoNote;
}

void strike_out(int note) {
    if (note != kNoNote) notes[static_cast<size_t>(note)].state.store(Note::kFree);
}

/// A name that no other program uses.
std::string temporary_name() {
    std::random_device random;
    char text[48];
    std::snprintf(text, sizeof text, ".flipscope-%08x%08x.part", random(), random());
    return text;
}

/// The standard stream of an open file, or -1: a second descriptor would overwrite the output of the first one, and
/// replacing the file would disconnect it from its name.
int standard_stream(const struct stat& status) {
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
        struct stat its {};
        if (fstat(stream, &its) == 0 && its.st_dev == status.st_dev && its.st_ino == status.st_ino) return stream;
    }
    return -1;
}

}  // namespace

OutputFile::OutputFile(const fs::path& path) : shown_(path), target_(path) {
    buffer_.reserve(kBufferSize);  // before there is anything to remove
    struct stat status {};
    const bool exists = stat(path.c_str(), &status) == 0;
    if (!exists && errno != ENOENT) throw fail(io::system_reason());
    if (exists && S_ISDIR(status.st_mode)) throw fail("is a folder");
    if (const int stream = exists ? standard_stream(status) : -1; stream >= 0) {
        file_ = io::Descriptor(fcntl(stream, F_DUPFD_CLOEXEC, 0));
        if (!file_) throw fail(io::system_reason());
    } else if (exists && !S_ISREG(status.st_mode)) {
        open_in_place(status);
    } else {
        std::error_code error;
        constexpr int kMostLinks = 40;  // the limit of the system
        for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(target_, error)); ++i) {
            target_ = target_.parent_path() / fs::read_symlink(target_, error);  // need not exist
            if (error) throw fail(error.message());
        }
        open_beside(exists ? &status : nullptr);
    }
}

OutputFile::~OutputFile() {
    if (temporary_.empty()) return;
    unlink(temporary_.c_str());
    strike_out(note_);
}

void OutputFile::open_in_place(const struct stat& status) {
    if (S_ISSOCK(status.st_mode)) throw fail("is a socket");
    if (S_ISBLK(status.st_mode)) throw fail("is a disk, not a file on it");
    // Opening a pipe that no program reads would wait for one.
    file_ = io::Descriptor(open(shown_.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!file_ && errno == ENXIO) throw fail("is a pipe that no program reads; start the reader first");
    if (!file_) throw fail(io::system_reason());
    const int flags = fcntl(file_.get(), F_GETFL);
    if (flags < 0 || fcntl(file_.get(), F_SETFL, flags & ~O_NONBLOCK) != 0) throw fail(io::system_reason());
}

void OutputFile::open_beside(const struct stat* before) {
    if (before && faccessat(AT_FDCWD, target_.c_str(), W_OK, AT_EACCESS) != 0) throw fail(io::system_reason());
    for (int attempt = 0; !file_; ++attempt) {  // O_EXCL: neither overwrites a file nor follows a link
        const std::string name = target_.parent_path() / temporary_name();
        note_ = note_down(name);
        file_ = io::Descriptor(
            open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, before ? 0600 : 0666));
        if (file_) temporary_ = name;
        if (file_) break;
        const int error = errno;
        strike_out(note_);
        errno = error;
        if (errno != EEXIST || attempt == 100) throw fail(io::system_reason());
    }
    const auto give_up = [&](const std::string& why) {  // no destructor runs for an incomplete object
        unlink(temporary_.c_str());
        strike_out(note_);
        return fail(why);
    };
    if (ending.load()) throw give_up("the program is being ended");
    if (!before) return;
    const mode_t mode = before->st_mode & 07777;
    const bool same_owner = fchown(file_.get(), before->st_uid, before->st_gid) == 0;
    const bool same_group = same_owner || fchown(file_.get(), static_cast<uid_t>(-1), before->st_gid) == 0;
    // Permissions for another group or user must not go to ours.
    const mode_t kept = same_owner ? mode : same_group ? mode & 0777 : mode & 0707;
    if (fchmod(file_.get(), kept) != 0) throw give_up(io::system_reason());
}

void OutputFile::little_endian(double value) { little_endian(std::bit_cast<uint64_t>(value)); }

void OutputFile::finish() {
    flush();
    if (!file_.close()) throw fail(io::system_reason());
}

void OutputFile::commit() {
    if (temporary_.empty()) return;
    std::error_code error;
    fs::rename(temporary_, target_, error);
    if (error) throw fail(error.message());
    temporary_.clear();
    strike_out(note_);
}

void OutputFile::flush() {
    throw_if_cancelled();  // the destructor removes the partial file
    write_out(buffer_);
    buffer_.clear();
}

void OutputFile::write_out(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = write(file_.get(), bytes.data(), bytes.size());
        if (count < 0 && errno != EINTR) throw fail(io::system_reason());
        if (count > 0) bytes.remove_prefix(static_cast<size_t>(count));
    }
}

Error OutputFile::fail(const std::string& why) const { return Error(shown_.string() + ": cannot be written: " + why); }

void write_whole_file(const fs::path& path, std::string_view bytes) {
    OutputFile file(path);
    file << bytes;
    file.finish();
    file.commit();
}

void remove_unfinished_files() noexcept {
    ending.store(true);
    for (Note& note : notes)
        if (note.state.load() == Note::kValid) unlink(note.name);
}

}  // namespace flipscope
