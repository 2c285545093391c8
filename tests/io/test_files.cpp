// File names from users: files, and things that only look like files.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>

#include "input_files.h"
#include "io/fields.h"
#include "io/files.h"
using namespace flipscope;
using namespace flipscope::input_files;
namespace fs = std::filesystem;

namespace {

/// The result of reading, or the error message.
std::string outcome(const fs::path& path, uint64_t most_bytes = 1 << 20) {
    try {
        return io::read_file(path, most_bytes);
    } catch (const Error& error) {
        return error.what();
    }
}

/// The message with which the reader of all inputs refuses it.
std::string refusal_of(const fs::path& path) {
    return error_of([&] { read_geometry(path); });
}

/// Sets HOME for as long as it lives.
struct Home {
    explicit Home(const char* folder) {
        if (const char* home = std::getenv("HOME")) before = home;
        folder ? setenv("HOME", folder, 1) : unsetenv("HOME");
    }
    ~Home() { setenv("HOME", before.c_str(), 1); }
    std::string before;
};

}  // namespace

TEST_CASE("files: pipes, devices, sockets and folders are refused at once, by name") {
    const Scratch scratch;
    const auto at = [&](const char* name) { return scratch.folder / name; };
    REQUIRE(mkfifo(at("pipe.xy").c_str(), 0600) == 0);
    CHECK(outcome(at("pipe.xy")) ==
          at("pipe.xy").string() + ": is a pipe, not a regular file; save what it carries to a file first");
    CHECK(open(at("pipe.xy").c_str(), O_WRONLY | O_NONBLOCK) == -1);  // no reader was left behind
    CHECK(errno == ENXIO);
    fs::create_symlink("/dev/zero", at("zero.xy"));
    CHECK(outcome(at("zero.xy")) == at("zero.xy").string() + ": is a device, not a regular file");
    fs::create_symlink("loop.xy", at("loop.xy"));
    CHECK(outcome(at("loop.xy")) == at("loop.xy").string() + ": is a link that leads back to itself");
    CHECK(outcome(scratch.folder) == scratch.folder.string() + ": is a folder, not a file");
    CHECK(outcome(at("missing.xy")) == at("missing.xy").string() + ": no such file");
    CHECK(outcome(scratch.file("a", "x") / "b.xy") == at("a").string() + "/b.xy: no such file");
    CHECK(contains(outcome(fs::path(std::string("a\0b", 3))), "contains a zero byte"));
    const int socket_file = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{AF_UNIX, {}};
    at("s.xy").string().copy(address.sun_path, sizeof address.sun_path - 1);
    REQUIRE(bind(socket_file, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    CHECK(outcome(at("s.xy")) == at("s.xy").string() + ": is a socket, not a regular file");
    close(socket_file);
    // Nothing can be read of one's own memory at 0; that is the system's word.
    const std::string memory = outcome("/proc/self/mem");
    CHECK((memory.empty() || memory.starts_with("/proc/self/mem: cannot be ")));
}

TEST_CASE("files: further files of a format are checked in the same way") {
    const Scratch scratch;
    REQUIRE(mkfifo((scratch.folder / "mesh.node").c_str(), 0600) == 0);
    scratch.file("mesh.ele", "1 3 0\n0 0 1 2\n");
    CHECK(contains(refusal_of(scratch.folder / "mesh.ele"), "mesh.node: is a pipe"));
    for (const char* name : {"a.ply", "a.obj", "a.off", "a.stl", "a.ele", "a.node", "a.csv", "a.npy"}) {
        CAPTURE(name);
        fs::create_symlink(name, scratch.folder / name);
        CHECK(refusal_of(scratch.folder / name) ==
              (scratch.folder / name).string() + ": is a link that leads back to itself");
    }
    CHECK_THROWS_AS(read_tracks(scratch.folder / "a.csv"), Error);
    CHECK_THROWS_AS(read_field(scratch.folder / "a.npy"), Error);
}

TEST_CASE("files: a file that is too large is refused before memory is taken for it") {
    const Scratch scratch;
    const fs::path file = scratch.file("a.bin", std::string(100, 'x'));
    CHECK(outcome(file, 100) == std::string(100, 'x'));
    CHECK(contains(outcome(file, 99), "can be read; take a part of it"));
    // A file full of holes takes no room on the disk.
    const fs::path vast = scratch.file("vast.xy", "");
    if (truncate(vast.c_str(), off_t{1} << 42) != 0) {
        MESSAGE("skipped: this file system has no files of 4 TB");
        return;
    }
    CHECK(refusal_of(vast).starts_with(vast.string() + ": has 4398.0 GB, and at most "));
}

TEST_CASE("files: ~ at the start of a name is a home folder") {
    {
        const Home home("/home/ada");
        CHECK(io::user_path("~/x.png") == "/home/ada/x.png");
        CHECK(io::user_path("~") == "/home/ada");
        CHECK(io::user_path("./~/x.png") == "./~/x.png");
        CHECK(io::user_path("a/~/x.png") == "a/~/x.png");
        CHECK(io::user_path("~no-such-user/x.png") == "~no-such-user/x.png");
        CHECK(io::user_path("") == "");
        CHECK(io::user_path("~root/x.png") != "~root/x.png");
    }
    const Home none(nullptr);
    CHECK(io::user_path("~/x.png") != "~/x.png");  // as the system's list of users has it
}
