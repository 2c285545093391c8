#include "io/fields.h"

#include <algorithm>
#include <cctype>
#include <numeric>

#include "geometry/places.h"
#include "io/formats.h"
#include "io/frame_readers.h"
#include "io/input_bytes.h"
#include "io/table.h"
#include "io/track_rows.h"

namespace flipscope {

FieldStack read_field(const std::filesystem::path& path, std::vector<std::string>* notes, const ReadOptions& options) {
    std::vector<std::string> unread;
    if (io::lower_extension(path) != ".npy")
        throw Error(path.string() + ": expected a .npy array of shape (h, w) or (t, h, w)");
    return io::within_memory(path, [&] {
        FieldStack stack = io::read_npy_field(path, io::read_file(path), notes ? *notes : unread);
        if (options.y_down) flip_rows(stack);
        return stack;
    });
}

Tracks read_tracks(const std::filesystem::path& path, std::vector<std::string>* notes, const ReadOptions& options) {
    std::vector<std::string> unread;
    Tracks read = io::within_memory(path, [&] {
        const io::FileBytes bytes = io::input_bytes(path);
        std::vector<std::string>& all_notes = notes ? *notes : unread;
        const io::InputFile file{path, bytes, options, all_notes};
        const io::Format* const format = io::format_of(io::format_path(path), bytes.head());
        if (const char* const advice = format ? nullptr : io::foreign_format(io::format_path(path), bytes.head()))
            throw Error(path.string() + ": " + advice);
        if (!format) throw Error(path.string() + ": expected points over time: a table, an array or frames of atoms");
        io::note_unused_options(*format, file);
        if (format->read == io::read_table) return io::read_table_tracks(file);
        if (format->info.extensions.front() == ".npy") return io::read_npy_tracks(file);
        if (io::is_lammps_data(bytes.head())) return io::read_lammps_data(file).tracks;
        if (io::is_lammps_dump(bytes.head())) return io::read_lammps(file).tracks;
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

std::string why_no_tracks(const std::vector<double>& times, std::vector<int64_t> ids) {
    if (std::all_of(times.begin(), times.end(), [&](double t) { return t == times[0]; }))
        return "all rows are of one time, so these are points, not tracks";
    sort_or_cancel(ids.begin(), ids.end());
    const bool come_again = std::adjacent_find(ids.begin(), ids.end()) != ids.end();
    return come_again ? "" : "each id comes once, so these are points, not tracks";
}

Tracks in_frames(const InputFile& file, RowsOverTime rows, const std::function<std::string(size_t row)>& row_name) {
    const auto& [times, ids, places, attributes] = rows;
    std::vector<size_t> order(places.size());
    std::iota(order.begin(), order.end(), size_t(0));
    stable_sort_or_cancel(order.begin(), order.end(), [&, &time_of = times, &id_of = ids](size_t a, size_t b) {
        return time_of[a] != time_of[b] ? time_of[a] < time_of[b] : id_of[a] < id_of[b];
    });
    // Trackers give the id -1 to untracked points.
    const auto is_untracked = [&, &id_of = ids](size_t i) { return id_of[i] == -1; };
    const auto at_once = std::adjacent_find(order.begin(), order.end(), [&, &time_of = times](size_t a, size_t b) {
        return is_untracked(a) && is_untracked(b) && time_of[a] == time_of[b];
    });
    if (at_once != order.end()) {
        const size_t all = order.size();
        std::erase_if(order, is_untracked);
        if (order.empty()) throw file.fail("all ids are -1, which is no track");
        file.note(std::to_string(all - order.size()) + " rows with the id -1 are in no track, and left out");
    }
    Tracks tracks{file.path.filename().string(), {}, {}, {}, {}};
    for (size_t k = 0; k < order.size(); ++k) {
        const size_t i = order[k];
        if (k == 0 || times[i] != times[order[k - 1]]) {
            tracks.times.push_back(times[i]);
            tracks.starts.push_back(k);
        } else if (ids[i] == ids[order[k - 1]]) {
            const std::string line = row_name(i);
            throw Error(file.path.string() + (line.starts_with("line ") ? ":" + line.substr(5) : ": " + line) +
                        ": id " + std::to_string(ids[i]) + " is at t = " + format_exactly(times[i]) + " already in " +
                        row_name(order[k - 1]));
        }
        tracks.ids.push_back(ids[i]);
        tracks.places.push_back(places[i]);
    }
    tracks.starts.push_back(order.size());
    for (Attribute& attribute : rows.attributes) {
        std::vector<double> sorted(order.size());
        for (size_t k = 0; k < order.size(); ++k) sorted[k] = attribute.values[order[k]];
        attribute.values = std::move(sorted);
    }
    tracks.attributes = std::move(rows.attributes);
    tracks.y_down = file.options.y_down;
    return tracks;
}

void note_missing(const Tracks& tracks, std::vector<std::string>& notes) {
    std::vector<int64_t> ids = tracks.ids;
    sort_or_cancel(ids.begin(), ids.end());
    std::vector<int64_t> missing;  // ids missing in some frames
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
    notes.push_back(tracks.name + ": " + std::to_string(missing.size()) + " of " + std::to_string(known) +
                    (missing.size() == 1 ? " points is" : " points are") + " missing in some of the " +
                    std::to_string(tracks.frame_count()) + " frames, and left out there; id " + std::to_string(id) +
                    ", for one, at t = " + format_exactly(tracks.times[frame]));
}

}  // namespace io

}  // namespace flipscope
