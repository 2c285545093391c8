#include "io/input_bytes.h"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>

#include "compute/cancel.h"
#include "io/parse.h"

namespace flipscope::io {
namespace {

constexpr size_t kPart = size_t(4) << 20;  // bytes between two polls of the cancel flag

std::string standard_input() {
    static std::mutex mutex;
    static std::string kept;
    static bool is_read = false;
    const std::lock_guard lock(mutex);
    if (is_read) return kept;
    if (isatty(STDIN_FILENO)) throw Error("-: standard input is a terminal; pipe a file into it");
    std::string bytes;
    for (;;) {
        throw_if_cancelled();
        const size_t before = bytes.size();
        if (before > most_file_bytes())
            throw Error("-: more comes from standard input than can be read; take a part of it");
        bytes.resize(before + kPart);
        const ssize_t count = ::read(STDIN_FILENO, bytes.data() + before, kPart);
        if (count < 0 && errno != EINTR)
            throw Error(std::string("-: standard input cannot be read: ") + std::strerror(errno));
        bytes.resize(before + static_cast<size_t>(std::max<ssize_t>(count, 0)));
        if (count == 0) break;
    }
    kept = std::move(bytes);
    is_read = true;
    return kept;
}

std::string decompressed(const std::filesystem::path& path, std::string_view bytes) {
    const auto fail = [&](const std::string& why) { return Error(path.string() + ": " + why); };
    z_stream stream{};
    if (inflateInit2(&stream, 15 + 16) != Z_OK) throw fail("not enough memory to decompress it");
    const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&stream, &inflateEnd);
    std::string made;
    const size_t step = std::clamp<size_t>(bytes.size() * 4, 4096, kPart);  // bytes decompressed at once
    size_t given = 0;
    for (;;) {
        throw_if_cancelled();
        if (stream.avail_in == 0 && given < bytes.size()) {
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + given));
            stream.avail_in = static_cast<uInt>(std::min(kPart, bytes.size() - given));
            given += stream.avail_in;
        }
        const size_t before = made.size();
        made.resize(before + step);
        stream.next_out = reinterpret_cast<Bytef*>(made.data() + before);
        stream.avail_out = static_cast<uInt>(step);
        const int state = inflate(&stream, Z_NO_FLUSH);
        made.resize(before + step - stream.avail_out);
        if (made.size() > most_file_bytes()) throw fail("is too large when it is decompressed; take a part of it");
        if (state == Z_STREAM_END) {
            // A file may consist of several gzip members.
            if (stream.avail_in == 0 && given == bytes.size()) return made;
            if (inflateReset(&stream) != Z_OK) throw fail("cannot be decompressed");
        } else if (state == Z_BUF_ERROR && stream.avail_in == 0 && given == bytes.size()) {
            throw fail("the compressed data ends early; is the file complete?");
        } else if (state != Z_OK && state != Z_BUF_ERROR) {
            throw fail(std::string("cannot be decompressed: ") + (stream.msg ? stream.msg : "it is not a gzip file"));
        }
    }
}

/// 'l' or 'b' for UTF-16 with the lower or the higher byte first; 0: not UTF-16.
char utf_16_order(std::string_view bytes) {
    if (bytes.starts_with("\xff\xfe")) return 'l';
    if (bytes.starts_with("\xfe\xff")) return 'b';
    const size_t n = std::min<size_t>(bytes.size() & ~size_t(1), 256);
    if (n < 16) return 0;
    const auto is_ascii = [](char c) { return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\r' || c == '\t'; };
    for (const char order : {'l', 'b'}) {
        bool fits = true;
        for (size_t i = 0; i < n && fits; i += 2)
            fits = bytes[i + (order == 'l')] == 0 && is_ascii(bytes[i + (order == 'b')]);
        if (fits) return order;
    }
    return 0;
}

std::string from_utf_16(std::string_view bytes, char order) {
    std::string made;
    made.reserve(bytes.size() / 2);
    const auto unit = [&](size_t i) { return static_cast<uint32_t>(integer_at(bytes, i, 2, order == 'b')); };
    for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
        uint32_t code = unit(i);
        if (code == 0xfeff) continue;
        if (code >= 0xd800 && code < 0xdc00 && i + 3 < bytes.size() && unit(i + 2) >= 0xdc00 && unit(i + 2) < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10) + (unit(i + 2) - 0xdc00);
            i += 2;
        }
        put_utf8(made, code);
    }
    return made;
}

}  // namespace

FileBytes input_bytes(const std::filesystem::path& path) {
    FileBytes bytes = path == "-" ? FileBytes(standard_input()) : FileBytes(path);
    if (bytes.head().starts_with("\x1f\x8b")) bytes = FileBytes(decompressed(path, bytes));
    if (bytes.head().starts_with(std::string_view("\xff\xfe\0\0", 4)))
        throw Error(path.string() + ": is text in UTF-32; save it as UTF-8");
    if (const char order = utf_16_order(bytes.head())) return FileBytes(from_utf_16(bytes, order));
    return bytes;
}

std::filesystem::path format_path(const std::filesystem::path& path) {
    if (lower_extension(path) != ".gz") return path;
    std::filesystem::path named = path;
    return named.replace_extension();
}

}  // namespace flipscope::io
