#include "io/fields.h"

#include <numeric>

#include "io/formats.h"
#include "io/input_bytes.h"
#include "io/track_rows.h"

namespace flipscope {

FieldStack read_field(const std::filesystem::path& path, std::vector<std::string>* notes, const ReadOptions& options) {
    std::vector<std::string> unread;
    if (io::lower_extension(path) != ".npy")
        throw Error(path.string() + ": expected a .npy array of shape (h, w) or (t, h, w)");
    return io::within_memory(path, [&] {
        FieldStack stack = io::read_npy_field(path, io::read_file(path), notes ? *notes : unread);
        if (options.y_down) flip_rows(stack);
        stack.unit = options.unit;
        return stack;
    });
}

Tracks read_tracks(const std::filesystem::path& path, std::vector<std::string>* notes, const ReadOptions& options) {
    std::vector<std::string> unread;
    Tracks read = io::within_memory(path, [&] {
        const io::FileBytes bytes = io::input_bytes(path);
        std::vector<std::string>& all_notes = notes ? *notes : unread;
        const io::InputFile file{path, bytes, options, all_notes};
        const io::Format& format =
            io::require_format(path, bytes, "expected points over time: a table, an array or frames of atoms");
        io::note_unused_options(format, file);
        if (format.read_tracks) {
            Tracks tracks = format.read_tracks(file);
            io::use_radius_column(tracks.attributes, file);
            return tracks;
        }
        Geometry geometry = format.read(file);
        io::use_radius_column(geometry, file);
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
    if (options.y_down && !read.y_down) io::turn_over(read);
    if (!options.unit.empty()) read.unit = options.unit;
    return read;
}

}  // namespace flipscope
