// Files as a user names them: where a name that starts with "~" leads, and the bytes of what lies there, whatever it
// is. Every reader of the library and of the program takes its bytes from here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace flipscope::io {

/// The file that a user means by `text`: "~/x" lies in the home folder, "~ada/x" in that of the user ada. Everything
/// else, and a "~" whose home is unknown, is taken as it stands. For names that no shell has seen: of an option with
/// "=", of a scenario, of the window.
std::filesystem::path user_path(const std::string& text);

/// ASCII letters in lower case.
std::string lower_case(std::string_view text);

/// The extension of a name with its dot, in lower case: ".npy" of "A.NPY"; empty: it has none.
std::string lower_extension(const std::filesystem::path& path);

/// A larger file is not read: half of this machine's memory, in bytes.
uint64_t most_file_bytes();

/// The bytes of a regular file. Never waits: pipes, devices and sockets are refused, as are folders and files of more
/// than `most_bytes`. Throws Error saying why it cannot be read.
std::string read_file(const std::filesystem::path& path, uint64_t most_bytes = most_file_bytes());

}  // namespace flipscope::io
