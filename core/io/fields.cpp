#include "io/fields.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <new>
#include <numeric>
#include <stdexcept>

#include "io/formats.h"
#include "io/frame_readers.h"
#include "io/input_bytes.h"
#include "io/table.h"
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

FieldStack read_field(const std::filesystem::path& path, std::vector<std::string>* notes, const ReadOptions& options) {
    std::vector<std::string> unread;
    if (io::lower_extension(path) != ".npy")
        throw Error(path.string() + ": expected a .npy array of shape (h, w) or (t, h, w)");
    return reading(path, [&] {
        FieldStack stack = io::read_npy_field(path, io::read_file(path), notes ? *notes : unread);
        if (options.y_down) flip_rows(stack);
        return stack;
    });
}

const std::vector<FormatInfo>& track_formats() {
    static const std::vector<FormatInfo> formats{
        {{".csv", ".tsv", ".txt", ".dat", ".xls"},
         "a table with columns of times, ids, x and y, which a header names; or a pair of columns for each point"},
        {{".npy"}, "a NumPy array of shape (t, n, 2); nan where a point is missing"},
        {{".xyz", ".extxyz"},
         "XYZ, plain or extended: x and y of every frame, with Time or Step, ids, columns and a periodic box where it "
         "says them"},
        {{".lammpstrj", ".dump", ".lammps"}, "dumps of LAMMPS as text: the same"}};
    return formats;
}

Tracks read_tracks(const std::filesystem::path& path, std::vector<std::string>* notes, const ReadOptions& options) {
    std::vector<std::string> unread;
    Tracks read = reading(path, [&] {
        const io::FileBytes bytes = io::input_bytes(path);
        std::vector<std::string>& said = notes ? *notes : unread;
        const io::InputFile file{path, bytes, options, said};
        const io::Format* const format = io::format_of(io::format_path(path), bytes);
        if (!format) throw Error(path.string() + ": expected points over time: a table, an array or frames of atoms");
        if (format->read == io::read_table) return io::read_table_tracks(file);
        if (format->info.extensions.front() == ".npy") return io::read_npy_tracks(file);
        if (io::is_lammps_dump(bytes)) return io::read_lammps(file).tracks;
        if (format->info.extensions.front() == ".xyz")
            return io::has_xyz_frames(bytes) ? io::read_xyz(file).tracks : io::read_table_tracks(file);
        Geometry geometry = format->read(file);
        if (geometry.tracks) return *geometry.tracks;
        if (geometry.points.empty() || geometry.in_space()) throw Error(path.string() + ": has no points over time");
        // One frame.
        Tracks tracks{path.filename().string(), {0}, {0, geometry.points.size()}, {}, std::move(geometry.points)};
        tracks.ids.resize(tracks.places.size());
        std::iota(tracks.ids.begin(), tracks.ids.end(), int64_t(0));
        tracks.box = geometry.box;
        tracks.box_low = geometry.box_low;
        tracks.box_lengths = geometry.box_lengths;
        tracks.unit = geometry.unit;
        tracks.y_down = geometry.y_down;
        if (geometry.attributes) tracks.attributes = *geometry.attributes;
        return tracks;
    });
    if (options.y_down && !read.y_down) {
        for (Point& p : read.places) p.y = 0 - p.y;
        read.box_low.y = 0 - read.box_low.y - read.box_lengths.y;
        read.y_down = true;
    }
    if (!options.unit.empty()) read.unit = options.unit;
    return read;
}

namespace io {

void note_missing(const Tracks& tracks, std::vector<std::string>& notes) {
    std::vector<int64_t> ids = tracks.ids;
    sort_or_cancel(ids.begin(), ids.end());
    std::vector<int64_t> missing;  // in some frames
    size_t known = 0;
    for (size_t begin = 0; begin < ids.size(); ++known) {
        const auto end = static_cast<size_t>(std::upper_bound(ids.begin(), ids.end(), ids[begin]) - ids.begin());
        if (end - begin < tracks.frame_count()) missing.push_back(ids[begin]);
        begin = end;
    }
    if (missing.empty()) return;
    const int64_t id = missing.front();
    size_t frame = 0;
    const auto present = [&](size_t t) {
        const auto begin = tracks.ids.begin() + static_cast<ptrdiff_t>(tracks.starts[t]);
        return std::binary_search(begin, tracks.ids.begin() + static_cast<ptrdiff_t>(tracks.starts[t + 1]), id);
    };
    while (present(frame)) ++frame;
    const auto shown = [](double value) {
        char digits[32];
        return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    };
    notes.push_back(tracks.name + ": " + std::to_string(missing.size()) + " of " + std::to_string(known) +
                    (missing.size() == 1 ? " points is" : " points are") + " missing in some of the " +
                    std::to_string(tracks.frame_count()) + " frames, and left out there; id " + std::to_string(id) +
                    ", for one, at t = " + shown(tracks.times[frame]));
}

}  // namespace io

}  // namespace flipscope
