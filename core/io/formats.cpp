#include "io/formats.h"

#include <algorithm>

#include "io/files.h"
#include "io/frame_readers.h"
#include "io/mesh_file.h"
#include "io/npz_points.h"
#include "io/ogr.h"
#include "io/recording.h"
#include "io/structured_text.h"

namespace flipscope::io {
namespace {

template <MeshFile (*Read)(const std::filesystem::path&, std::string_view, std::vector<std::string>&)>
Geometry read_mesh(const InputFile& file) {
    return to_geometry(file.path, Read(file.path, file.bytes, file.notes), file.notes);
}

Geometry of_points(const InputFile& file, std::vector<Point> points, PointExtras extras) {
    Geometry set{file.path.string(), std::move(points)};
    set.names = std::move(extras.names);
    if (!extras.attributes.empty())
        set.attributes = std::make_shared<const std::vector<Attribute>>(std::move(extras.attributes));
    if (set.points.empty()) throw Error(file.path.string() + ": no points found");
    return check_points(std::move(set));
}

Geometry of_tracks(Tracks tracks) {
    Geometry geometry;
    geometry.tracks = std::make_shared<const Tracks>(std::move(tracks));
    return geometry;
}

Geometry read_text_table(const InputFile& file) {
    if (what_text_holds(file.path, file.bytes) == Holds::kTracks)
        return of_tracks(read_text_tracks(file.path, file.bytes, file.notes));
    PointExtras extras;
    auto points = read_text(file.path, file.bytes, file.notes, extras);
    return of_points(file, std::move(points), std::move(extras));
}

Geometry read_npy_array(const InputFile& file) {
    const Holds holds = what_npy_holds(file.path, file.bytes);
    if (holds == Holds::kTracks) return of_tracks(read_npy_tracks(file.path, file.bytes, file.notes));
    if (holds == Holds::kField) {
        Geometry geometry;
        geometry.field = std::make_shared<const FieldStack>(read_npy_field(file.path, file.bytes, file.notes));
        return geometry;
    }
    PointExtras extras;
    auto points = read_npy(file.path, file.bytes, file.notes, extras);
    return of_points(file, std::move(points), std::move(extras));
}

Geometry read_xyz_frames(const InputFile& file) {
    std::vector<std::string> said;
    Tracks tracks = read_xyz_tracks(file.path, file.bytes, said);
    if (tracks.frame_count() < 2) return of_points(file, read_xyz(file.path, file.bytes, file.notes), {});
    file.notes.insert(file.notes.end(), said.begin(), said.end());
    return of_tracks(std::move(tracks));
}

Geometry read_npz(const InputFile& file) {
    if (auto points = read_npz_points(file.path, file.bytes, file.notes)) return *std::move(points);
    return read_recording(file.path, &file.notes);
}

std::vector<Format>& all_formats() {
    static std::vector<Format> all{
        {{{".json", ".geojson", ".wkt"},
          "JSON (pairs, objects with x and y, arrays x and y, GeoJSON), well-known text, and lists as Python and NumPy "
          "print them; under any ending"},
         looks_like_structured_text,
         read_structured_text},
        {{{".shp", ".gpkg", ".gpx", ".kml", ".kmz", ".dxf", ".gml", ".fgb"},
          "vector formats of geography, where GDAL is installed: points and vertices of lines, with their fields; "
          "polygons are kept"},
         looks_like_geography,
         read_geography},
        {{{".xy", ".txt", ".csv", ".tsv"},
          "two numbers a line, separated by blanks, a comma or a semicolon; # and // start comments; a column headed "
          "\"name\" names the points, other columns of numbers under a header are attributes of theirs; fields may "
          "be in quotes; columns t, id, x, y under such a header: points over time"},
         nullptr,
         read_text_table},
        {{{".node"}, "Triangle's points: \"n 2 attributes markers\", then \"index x y ...\" a line"},
         nullptr,
         [](const InputFile& file) { return of_points(file, read_node(file.path, file.bytes, file.notes), {}); }},
        {{{".npy"},
          "a NumPy array of shape (n, 2), float64 or float32; or a structured one with fields x and y, whose others "
          "are attributes; (h, w) or (t, h, w): a field; (t, n, 2): points over time"},
         [](std::string_view bytes) { return bytes.starts_with("\x93NUMPY"); },
         read_npy_array},
        {{{".xyz"},
          "XYZ, plain or extended, of one frame: x and y of its points; of several frames: points over time"},
         nullptr,
         read_xyz_frames},
        {{{".ply"},
          "PLY, text or binary: a surface; a planar triangulation when every z is the same; then points alone, too"},
         [](std::string_view bytes) { return bytes.starts_with("ply\n") || bytes.starts_with("ply\r"); },
         read_mesh<read_ply>},
        {{{".obj"}, "Wavefront OBJ: the vertices and faces, the same way"}, nullptr, read_mesh<read_obj>},
        {{{".off"}, "OFF as text, the same way"}, nullptr, read_mesh<read_off>},
        {{{".stl"}, "STL, text or binary: equal vertices are joined"}, nullptr, read_mesh<read_stl>},
        {{{".ele"}, "Triangle's triangles, with the .node of the same name beside it"}, nullptr, read_mesh<read_ele>},
        {{{".npz"}, "NumPy's archives: points of shape (n, 2) with attributes of shape (n), or a recording"},
         [](std::string_view bytes) { return bytes.starts_with("PK\x03\x04"); },
         read_npz},
        {recording_formats().front(), looks_like_step,
         [](const InputFile& file) { return read_recording(file.path, &file.notes); }},
    };
    return all;
}

}  // namespace

const std::vector<Format>& formats() { return all_formats(); }

void add_format(Format format) { all_formats().push_back(std::move(format)); }

const Format* format_of(const std::filesystem::path& path, std::string_view bytes) {
    const std::string ending = lower_extension(path);
    const auto has_ending = [&](const Format& format) {
        const auto& known = format.info.extensions;
        return std::find(known.begin(), known.end(), ending) != known.end();
    };
    const auto recognised = [&](const Format& format) { return format.recognises && format.recognises(bytes); };
    const auto& all = formats();
    for (const Format& format : all)
        if (has_ending(format) && recognised(format)) return &format;
    for (const Format& format : all)
        if (recognised(format)) return &format;
    for (const Format& format : all)
        if (has_ending(format)) return &format;
    return nullptr;
}

}  // namespace flipscope::io
