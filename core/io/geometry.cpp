#include "io/geometry.h"

#include <utility>

#include "geometry/frames.h"
#include "io/formats.h"
#include "io/input_bytes.h"
#include "io/track_rows.h"

namespace flipscope {
namespace {

/// Negates y of points and of a mesh; triangles stay counter-clockwise.
void turn_over(Geometry& geometry) {
    for (Point& p : geometry.points) p.y = 0 - p.y;
    for (auto& triangle : geometry.triangles) std::swap(triangle[1], triangle[2]);
    for (Point& p : geometry.holes) p.y = 0 - p.y;
    geometry.box_low.y = 0 - geometry.box_low.y - geometry.box_lengths.y;
    if (geometry.tracks) {
        auto tracks = std::make_shared<Tracks>(*geometry.tracks);
        io::turn_over(*tracks);
        geometry.tracks = std::move(tracks);
    }
    geometry.y_down = true;
}

}  // namespace

std::vector<FormatInfo> geometry_formats() {
    std::vector<FormatInfo> list;
    for (const io::Format& format : io::formats()) list.push_back(format.info);
    return list;
}

Geometry read_geometry(const std::filesystem::path& path, std::vector<std::string>* notes, const ReadOptions& options,
                       TableLayout* layout) {
    return io::within_memory(path, [&] {
        std::vector<std::string> unread_notes;
        const io::FileBytes bytes = io::input_bytes(path);
        const io::Format& format = io::require_format(
            path, bytes, "is neither text nor in a known format (known: " + known_extensions(geometry_formats()) + ")");
        const io::InputFile file{path, bytes, options, notes ? *notes : unread_notes, layout};
        io::note_unused_options(format, file);
        Geometry geometry;
        try {
            geometry = format.read(file);
        } catch (const Error& error) {
            if (!io::is_table(format) || !io::has_hex_shapes(bytes)) throw;
            throw Error(
                std::string(error.what()) +
                "; shapes are there as well-known binary: write them as text (PostGIS: ST_AsText(geom); shapely, "
                "GeoPandas: .to_wkt())");
        }
        io::use_radius_column(geometry, file);
        if (options.y_down && !geometry.y_down && !geometry.field && !geometry.recording) turn_over(geometry);
        geometry.name = path == "-" ? "standard input" : path.filename().string();
        if (!options.unit.empty()) geometry.unit = options.unit;
        return geometry;
    });
}

}  // namespace flipscope
