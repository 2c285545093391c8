#include "io/fields.h"

#include <new>
#include <stdexcept>

#include "io/formats.h"
#include "io/frame_readers.h"
#include "io/track_rows.h"

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
        {{".xyz", ".extxyz"},
         "XYZ, plain or extended: x and y of every frame, with Time or Step, ids, columns and a periodic box where it "
         "says them"},
        {{".lammpstrj", ".dump", ".lammps"}, "dumps of LAMMPS as text: the same"}};
    return formats;
}

Tracks read_tracks(const std::filesystem::path& path, std::vector<std::string>* notes) {
    std::vector<std::string> unread;
    std::vector<std::string>& said = notes ? *notes : unread;
    const std::string extension = io::lower_extension(path);
    std::string known;
    for (const FormatInfo& format : track_formats())
        for (const std::string& ending : format.extensions) known += (known.empty() ? "" : ", ") + ending;
    if (extension.empty() || (known + ",").find(extension + ",") == known.npos)
        throw Error(path.string() + ": expected tracks, a file ending in " + known + ", found " +
                    (extension.empty() ? "no extension" : extension));
    return reading(path, [&] {
        const std::string bytes = io::read_file(path);
        const ReadOptions options;
        const io::InputFile file{path, bytes, options, said};
        if (extension == ".npy") return io::read_npy_tracks(path, bytes, said);
        if (io::is_lammps_dump(bytes)) return io::read_lammps(file).tracks;
        if (extension.ends_with("xyz") && io::has_xyz_frames(bytes)) return io::read_xyz(file).tracks;
        return io::read_text_tracks(path, bytes, said);
    });
}

}  // namespace flipscope
