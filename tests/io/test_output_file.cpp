// Output files: complete or not written at all, with any obstacle at their place and any failure.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "input_files.h"
#include "io/mesh.h"
#include "io/output_file.h"
using namespace flipscope;
using namespace flipscope::input_files;
namespace fs = std::filesystem;

namespace {

mode_t mode_of(const fs::path& path) {
    struct stat status {};
    REQUIRE(stat(path.c_str(), &status) == 0);
    return status.st_mode & 07777;
}

/// No file may grow beyond this, as on a disk without room.
struct LittleRoom {
    explicit LittleRoom(rlim_t bytes) {
        getrlimit(RLIMIT_FSIZE, &before);
        rlimit limit = before;
        limit.rlim_cur = bytes;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~LittleRoom() {
        setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, handler);
    }
    rlimit before{};
    void (*handler)(int) = std::signal(SIGXFSZ, SIG_IGN);
};

}  // namespace

TEST_CASE("output files: no file appears before commit, or after a discarded write") {
    const Scratch scratch;
    const fs::path path = scratch.file("a.txt", "before");
    {
        OutputFile file(path);
        file << "half";
        file.finish();
        CHECK(content_of(path) == "before");
    }
    CHECK(content_of(path) == "before");
    CHECK(files_in(scratch.folder) == 1);
    write_whole_file(path, std::string(1 << 20, 'y') + "end");
    CHECK(content_of(path) == std::string(1 << 20, 'y') + "end");
    CHECK(files_in(scratch.folder) == 1);
}

TEST_CASE("output files: on a full disk the old file stays, and no other is left") {
    const Scratch scratch;
    const fs::path path = scratch.file("a.txt", "before");
    std::string message;
    {
        const LittleRoom room(1000);
        message = error_of([&] { write_whole_file(path, std::string(5000, 'x')); });
    }
    CHECK(message.starts_with(path.string() + ": cannot be written: "));
    CHECK(content_of(path) == "before");
    CHECK(files_in(scratch.folder) == 1);
}

TEST_CASE("output files: permissions of a replaced file are kept and respected") {
    const Scratch scratch;
    const fs::path path = scratch.file("a.txt", "before");
    for (const mode_t mode : {0600u, 0640u, 0664u, 0777u}) {
        REQUIRE(chmod(path.c_str(), mode) == 0);
        write_whole_file(path, "after");
        CHECK(mode_of(path) == mode);
    }
    const mode_t mask = umask(027);
    write_whole_file(scratch.folder / "new.txt", "x");
    umask(mask);
    CHECK(mode_of(scratch.folder / "new.txt") == 0640);
    REQUIRE(chmod(path.c_str(), 0444) == 0);
    if (access(path.c_str(), W_OK) == 0) {
        MESSAGE("skipped: this user may write to every file, so a locked one cannot be tested");
    } else {
        CHECK(contains(error_of([&] { write_whole_file(path, "x"); }), "cannot be written: "));
        CHECK(content_of(path) == "after");
    }
}

TEST_CASE("output files: a link stays, and its target is written, existing or not") {
    const Scratch scratch;
    fs::create_directory(scratch.folder / "far");
    fs::create_symlink("far/real.txt", scratch.folder / "link.txt");
    for (const char* text : {"new", "again"}) {
        write_whole_file(scratch.folder / "link.txt", text);
        CHECK(fs::is_symlink(scratch.folder / "link.txt"));
        CHECK(content_of(scratch.folder / "far/real.txt") == text);
    }
    fs::create_symlink("loop.txt", scratch.folder / "loop.txt");
    CHECK(contains(error_of([&] { write_whole_file(scratch.folder / "loop.txt", "x"); }), "cannot be written: "));
    CHECK(files_in(scratch.folder) == 3);
}

TEST_CASE("output files: other files in the folder are neither followed nor overwritten") {
    const Scratch scratch;
    const fs::path path = scratch.folder / "a.obj", victim = scratch.file("victim", "precious");
    // The names that a file had on its way: they could be told beforehand.
    for (const std::string& name : {std::string(".part0"), ".part" + std::to_string(getpid())})
        fs::create_symlink("victim", path.string() + name);
    write_whole_file(path, "x");
    const std::vector<Point> points{{0, 0}, {1, 0}, {0, 1}};
    write_mesh(path, TriangleSoup{&points, {{0, 1, 2}}, {}});
    CHECK(content_of(victim) == "precious");
    CHECK(content_of(path).starts_with("# written by Flipscope"));
    CHECK(files_in(scratch.folder) == 4);
    {
        const OutputFile one(path), another(path);  // at the same time, under names of their own
        CHECK(files_in(scratch.folder) == 6);
    }
    CHECK(files_in(scratch.folder) == 4);
}

TEST_CASE("output files: pipes and devices are written directly, without waiting") {
    const Scratch scratch;
    const fs::path pipe = scratch.folder / "pipe.json";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(error_of([&] { write_whole_file(pipe, "x"); }) ==
          pipe.string() + ": cannot be written: is a pipe that no program reads; start the reader first");
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    REQUIRE(reader >= 0);
    write_whole_file(pipe, "through");
    char text[16] = "";
    CHECK(read(reader, text, sizeof text) == 7);
    CHECK(std::string(text) == "through");
    close(reader);
    CHECK(fs::is_fifo(pipe));
    write_whole_file("/dev/null", "x");
    if (fs::exists("/dev/full"))
        CHECK(error_of([&] { write_whole_file("/dev/full", "x"); }) ==
              "/dev/full: cannot be written: No space left on device");
    CHECK(files_in(scratch.folder) == 1);
}

TEST_CASE("output files: a signal handler removes unfinished files, also those of a mesh of two files") {
    const Scratch scratch;
    const fs::path kept = scratch.file("kept.txt", "before");
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::signal(SIGTERM, [](int signal) {
            remove_unfinished_files();
            std::signal(signal, SIG_DFL);
            std::raise(signal);
        });
        OutputFile first(kept), second(scratch.folder / "new.txt");
        first << "half";
        first.finish();
        second << std::string(1 << 20, 'x');
        if (files_in(scratch.folder) == 3) std::raise(SIGTERM);
        _exit(1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGTERM);
    CHECK(files_in(scratch.folder) == 1);
    CHECK(content_of(kept) == "before");
}
