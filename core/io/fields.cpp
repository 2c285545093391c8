#include "io/fields.h"

#include <algorithm>
#include <cctype>
#include <new>
#include <stdexcept>

#include "io/frame_readers.h"

namespace flipscope {

namespace {

/// Runs a reader; what it could not hold is the file's fault, not the program's.
template <class Read>
auto reading(const std::filesystem::path& path, const Read& read) {
    try {
        return read();
    } catch (const std::bad_alloc&) {
        throw Error(path.string() + ": not enough memory to read it");
    } catch (const std::length_error&) {
        throw Error(path.string() + ": not enough memory to read it");
    }
}

}  // namespace

FieldStack read_field(const std::filesystem::path& path, std::vector<std::string>* notes) {
    std::vector<std::string> unread;
    if (io::lower_extension(path) != ".npy")
        throw Error(path.string() + ": expected a .npy array of shape (h, w) or (t, h, w)");
    return reading(path, [&] { return io::read_npy_field(path, io::read_file(path), notes ? *notes : unread); });
}

const std::vector<FormatInfo>& track_formats() {
    static const std::vector<FormatInfo> formats{
        {{".csv", ".tsv", ".txt"}, "columns t, id, x, y, in any order where a header line names them"},
        {{".npy"}, "a NumPy array of shape (t, n, 2); nan where a point is missing"},
        {{".xyz"},
         "XYZ, plain or extended: x and y of every frame, with Time or Step, ids and a periodic box where it says "
         "them"}};
    return formats;
}

Tracks read_tracks(const std::filesystem::path& path, std::vector<std::string>* notes) {
    std::vector<std::string> unread;
    std::vector<std::string>& said = notes ? *notes : unread;
    const std::string extension = io::lower_extension(path);
    if (extension == ".npy") return reading(path, [&] { return io::read_npy_tracks({path, io::read_file(path), {}, said}); });
    if (extension == ".xyz") return reading(path, [&] { return io::read_xyz_tracks(path, io::read_file(path), said); });
    const auto& text = track_formats().front().extensions;
    if (std::find(text.begin(), text.end(), extension) == text.end())
        throw Error(path.string() + ": expected tracks, a .csv, .tsv, .txt, .npy or .xyz file, found " +
                    (extension.empty() ? "no extension" : extension));
    return reading(path, [&] { return io::read_text_tracks(path, io::read_file(path), said); });
}

}  // namespace flipscope
