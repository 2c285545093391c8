// What the tests of fields and tracks share: .npy files of any type put together by hand, and what readers say of them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "io/fields.h"
#include "mesh_files.h"

namespace flipscope::frame_files {

using mesh_files::Scratch;

template <class Number>
std::string npy(const std::string& type, const std::string& shape, const std::vector<Number>& numbers,
                const std::string& column_major = "False") {
    const std::string header =
        "{'descr': '" + type + "', 'fortran_order': " + column_major + ", 'shape': " + shape + ", }\n";
    std::string bytes = "\x93NUMPY";
    bytes += '\1';
    bytes += '\0';
    bytes += static_cast<char>(header.size() & 0xff);
    bytes += static_cast<char>(header.size() >> 8);
    bytes += header;
    const bool turned = type[0] == '>';
    for (const Number& number : numbers) {
        char raw[sizeof(Number)];
        std::memcpy(raw, &number, sizeof raw);
        for (size_t i = 0; i < sizeof raw; ++i) bytes += raw[turned ? sizeof raw - 1 - i : i];
    }
    return bytes;
}

/// The message that `read` refuses a file of this content with, without the folder in front; "accepted" if there is
/// none.
template <class Read>
std::string refused(const Read& read, const std::string& name, const std::string& content) {
    const Scratch scratch;
    const std::filesystem::path path = scratch.file(name, content);
    try {
        read(path);
    } catch (const Error& error) {
        const std::string message = error.what(), folder = scratch.folder.string() + "/";
        return message.starts_with(folder) ? message.substr(folder.size()) : "without its file: " + message;
    }
    return "accepted";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace flipscope::frame_files
