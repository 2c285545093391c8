#include "io/geometry.h"

#include <algorithm>
#include <cctype>
#include <new>
#include <stdexcept>

#include "io/frame_readers.h"
#include "io/mesh_file.h"
#include "io/npz_points.h"
#include "io/recording.h"

namespace flipscope {
namespace {

struct Reader {
    FormatInfo info;
    io::MeshFile (*read)(const std::filesystem::path&, std::string_view text, std::vector<std::string>& notes);
};

const std::vector<Reader>& mesh_readers() {
    static const std::vector<Reader> all = {
        {{{".ply"},
          "PLY, text or binary: a surface; a planar triangulation when every z is the same; then points alone, too"},
         io::read_ply},
        {{{".obj"}, "Wavefront OBJ: the vertices and faces, the same way"}, io::read_obj},
        {{{".off"}, "OFF as text, the same way"}, io::read_off},
        {{{".stl"}, "STL, text or binary: equal vertices are joined"}, io::read_stl},
        {{{".ele"}, "Triangle's triangles, with the .node of the same name beside it"}, io::read_ele},
    };
    return all;
}

/// Numbers on a lattice or points over time, where the file holds such; else nothing.
std::shared_ptr<const Geometry> read_frames(const std::filesystem::path& path, const std::string& extension,
                                            std::vector<std::string>& notes) {
    const auto tracks_alone = [&](Tracks tracks) {
        auto geometry = std::make_shared<Geometry>();
        geometry->name = path.filename().string();
        geometry->tracks = std::make_shared<Tracks>(std::move(tracks));
        return geometry;
    };
    if (extension == ".xyz") {
        std::vector<std::string> said;
        Tracks tracks = io::read_xyz_tracks(path, io::read_file(path), said);
        if (tracks.frame_count() < 2) return nullptr;
        notes.insert(notes.end(), said.begin(), said.end());
        return tracks_alone(std::move(tracks));
    }
    const bool npy = extension == ".npy";
    if (!npy && extension != ".csv" && extension != ".tsv" && extension != ".txt") return nullptr;
    const std::string bytes = io::read_file(path);
    const io::Holds holds = npy ? io::what_npy_holds(path, bytes) : io::what_text_holds(path, bytes);
    if (holds == io::Holds::kPoints) return nullptr;
    if (holds == io::Holds::kTracks)
        return tracks_alone(npy ? io::read_npy_tracks(path, bytes, notes) : io::read_text_tracks(path, bytes, notes));
    auto geometry = std::make_shared<Geometry>();
    geometry->name = path.filename().string();
    geometry->field = std::make_shared<FieldStack>(io::read_npy_field(path, bytes, notes));
    return geometry;
}

bool has(const FormatInfo& info, const std::string& extension) {
    return std::find(info.extensions.begin(), info.extensions.end(), extension) != info.extensions.end();
}

std::string known_extensions() {
    std::string known;
    for (const auto* formats : {&geometry_formats(), &recording_formats()})
        for (const FormatInfo& info : *formats)
            for (const std::string& extension : info.extensions) known += (known.empty() ? "" : ", ") + extension;
    return known;
}

}  // namespace

const std::vector<FormatInfo>& geometry_formats() {
    static const std::vector<FormatInfo> infos = [] {
        std::vector<FormatInfo> list = point_formats();
        for (FormatInfo& info : list) {
            if (has(info, ".npy")) info.sentence += "; (h, w) or (t, h, w): a field; (t, n, 2): points over time";
            if (has(info, ".xyz")) info.sentence += "; of several frames: points over time";
            if (has(info, ".csv")) info.sentence += "; columns t, id, x, y under such a header: points over time";
        }
        for (const Reader& reader : mesh_readers()) list.push_back(reader.info);
        return list;
    }();
    return infos;
}

Geometry read_geometry(const std::filesystem::path& path, std::vector<std::string>* notes) try {
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::vector<std::string> unread_notes;
    std::vector<std::string>& said = notes ? *notes : unread_notes;
    for (const Reader& reader : mesh_readers()) {
        if (!has(reader.info, extension)) continue;
        return io::to_geometry(path, reader.read(path, io::read_file(path), said), said);
    }
    if (const auto frames = read_frames(path, extension, said)) return *frames;
    if (extension == ".npz")
        if (auto points = io::read_npz_points(path, io::read_file(path), said)) return *std::move(points);
    if (is_recording_file(path)) return read_recording(path, &said);
    for (const FormatInfo& info : point_formats()) {
        if (has(info, extension)) return read_points(path, notes);
    }
    throw Error(path.string() + ": " +
                (extension.empty() ? "no extension to tell the format by" : "unknown format " + extension) +
                " (known: " + known_extensions() + ")");
} catch (const std::bad_alloc&) {
    throw Error(path.string() + ": not enough memory to read it");
} catch (const std::length_error&) {
    throw Error(path.string() + ": not enough memory to read it");
}

}  // namespace flipscope
