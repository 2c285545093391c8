// Files of saved states: everything written is read back, and a corrupt file is refused as a whole.
#include "io/state_file.h"

#include "input_files.h"
using namespace flipscope;
using namespace flipscope::input_files;
using namespace std::string_literals;

namespace {

Snapshot snapshot_of(const std::vector<std::string>& blocks) {
    Snapshot snapshot;
    for (const std::string& block : blocks) put_values(snapshot, block.data(), block.size());
    return snapshot;
}

/// Why such a file is refused; empty where it is read.
std::string state_refusal(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    return error_of([&] { read_state_file(path); }, "");
}

}  // namespace

TEST_CASE("state files: a header and blocks of any size are read back unchanged") {
    const Scratch folder;
    const std::filesystem::path path = folder.folder / "a.state";
    const std::string large(3'000'001, 'x');
    for (const std::vector<std::string>& blocks : std::vector<std::vector<std::string>>{
             {}, {""}, {"", "", ""}, {"1234567"}, {"12345678", "", "9"}, {"\0\n\r\xFF"s, large, "end"}}) {
        for (const std::string header : {"", "{}", "{\"a\": 1}\n"}) {
            write_state_file(path, header, snapshot_of(blocks));
            const StateFile file = read_state_file(path);
            CHECK(file.header == header);
            CHECK(file.snapshot.blocks == snapshot_of(blocks).blocks);
        }
    }
}

TEST_CASE("state files: a truncated or extended file is refused") {
    const Scratch folder;
    const std::filesystem::path path = folder.folder / "a.state";
    write_state_file(path, "{}", snapshot_of({"abc", "0123456789", ""}));
    const std::string whole = content_of(path);
    CHECK(state_refusal(path, whole).empty());
    CHECK(contains(state_refusal(path, ""), "is empty"));
    for (size_t size = 1; size < whole.size(); ++size) {
        CAPTURE(size);
        CHECK(contains(state_refusal(path, whole.substr(0, size)), "cut"));
    }
    CHECK(contains(state_refusal(path, whole + "x"), "has 1 bytes after its end"));
}

TEST_CASE("state files: a file with any bit changed is refused") {
    const Scratch folder;
    const std::filesystem::path path = folder.folder / "a.state";
    write_state_file(path, "{\"lab\": \"build\"}", snapshot_of({"abc", "0123456789abcdef"}));
    const std::string whole = content_of(path);
    for (size_t i = 0; i < whole.size(); ++i)
        for (int bit = 0; bit < 8; ++bit) {
            std::string damaged = whole;
            damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
            CAPTURE(i);
            const std::string why = state_refusal(path, damaged);
            CHECK_FALSE(why.empty());
            CHECK(contains(why, "a.state: "));
        }
}

TEST_CASE("state files: errors distinguish foreign, newer and damaged files") {
    const Scratch folder;
    const std::filesystem::path path = folder.folder / "a.state";
    write_state_file(path, "{}", snapshot_of({"abc"}));
    std::string newer = content_of(path);
    newer[8] = 2;
    CHECK(contains(state_refusal(path, newer), "was saved by a newer Flipscope, in version 2 of the format"));
    std::string as_text = content_of(path);  // a line's end was made another
    as_text.erase(4, 1);
    CHECK(contains(state_refusal(path, as_text), "is not a saved run"));
    CHECK(contains(state_refusal(path, "ply\nformat ascii 1.0\n"), "is not a saved run; --save FILE.state"));
    CHECK_THROWS_WITH_AS(read_state_file(folder.folder / "none.state"), doctest::Contains("no such file"), Error);
    CHECK_THROWS_WITH_AS(read_state_file(folder.folder), doctest::Contains("is a folder"), Error);
}
