#include "io/formats.h"

#include <algorithm>

#include "compute/printable.h"
#include "io/input_bytes.h"
#include "io/mesh_file.h"
#include "io/npz_file.h"
#include "io/npz_points.h"
#include "io/ogr.h"
#include "io/parse.h"
#include "io/recording.h"
#include "io/structured_text.h"
#include "io/table.h"
#include "io/table_roles.h"
#include "io/tlbfind.h"
#include "io/track_rows.h"

namespace flipscope::io {

// Readers of a single format, each in a file of its own.
MeshFile read_ele(const InputFile& file);
MeshFile read_gmsh(const InputFile& file);
Geometry read_node(const InputFile& file);
Geometry read_npy(const InputFile& file);
MeshFile read_obj(const InputFile& file);
MeshFile read_off(const InputFile& file);
MeshFile read_ply(const InputFile& file);
Geometry read_poly(const InputFile& file);
MeshFile read_stl(const InputFile& file);
Geometry read_vtk(const InputFile& file);

namespace {

template <MeshFile (*Read)(const InputFile&)>
Geometry read_mesh(const InputFile& file) {
    return to_geometry(file, Read(file));
}

template <Frames (*Read)(const InputFile&)>
Geometry read_frames(const InputFile& file) {
    return to_geometry(Read(file));
}

template <Frames (*Read)(const InputFile&)>
Tracks read_frame_tracks(const InputFile& file) {
    return Read(file).tracks;
}

Geometry read_npz(const InputFile& file) {
    const NpzFile archive(file.path, file.bytes);
    return has_recorded_steps(archive) ? read_recording(file, archive) : read_npz_points(file, archive);
}

constexpr const char* kOtherMesh =
    "is a mesh of a format that is not read; convert it, as 'meshio convert FILE mesh.ply' does";

std::vector<Format>& all_formats() {
    static std::vector<Format> all{
        {{{".json", ".geojson", ".wkt"},
          "points, points over time where they have times and ids, or polygons: JSON (pairs, objects with x and y, "
          "arrays x and y, GeoJSON), well-known text, and lists as Python and NumPy print them; under any ending"},
         looks_like_structured_text,
         read_structured_text},
        {{{".shp", ".gpkg", ".gpx", ".kml", ".kmz", ".dxf", ".gml", ".fgb"},
          "points, vertices of lines and polygons with their fields: vector formats of geography, where GDAL is "
          "installed"},
         looks_like_geography,
         read_geography},
        {{{".csv", ".tsv", ".txt", ".xy", ".dat", ".pts", ".asc", ".tab", ".xls"},
          "points, points over time or shapes: a table of text, in columns that a header names, or with a pair of "
          "columns for each point over time; see 'flipscope read'"},
         nullptr,
         read_table,
         MeshUse::kNone,
         read_table_tracks},
        {{{".node"}, "points: Triangle's \"n 2 attributes markers\", then \"index x y ...\" a line"},
         nullptr,
         read_node},
        {{{".poly"},
          "points, segments and holes: Triangle's planar straight-line graphs, with their points or with the .node of "
          "the same name beside them"},
         nullptr,
         read_poly},
        {{{".npy"},
          "points, points over time or a field: a NumPy array of numbers of any type, of shape (n, 2), (n, 3) or "
          "(2, n), or a structured one whose fields are columns; (t, n, 2), nan where a point is missing; (h, w) or "
          "(t, h, w)"},
         [](std::string_view bytes) { return bytes.starts_with("\x93NUMPY"); },
         read_npy,
         MeshUse::kNone,
         read_npy_tracks},
        {{{".xyz", ".extxyz"},
          "points of one frame, points over time of several: XYZ, plain or extended, with Time or Step, ids, columns "
          "and a periodic box where it says them; lines of numbers without a count: columns x, y, z"},
         is_extended_xyz,
         read_frames<read_xyz>,
         MeshUse::kNone,
         read_frame_tracks<read_xyz>,
         [](std::string_view bytes) { return !has_xyz_frames(bytes); }},
        {{{".lammpstrj", ".dump", ".lammps"},
          "points of one frame, points over time of several: LAMMPS's dumps as text, the same"},
         is_lammps_dump,
         read_frames<read_lammps>,
         MeshUse::kNone,
         read_frame_tracks<read_lammps>},
        {{{".data", ".lmp"}, "points: LAMMPS's data files, in their box, of the usual atom styles"},
         is_lammps_data,
         read_frames<read_lammps_data>,
         MeshUse::kNone,
         read_frame_tracks<read_lammps_data>,
         [](std::string_view) { return true; }},
        {{{".ply"}, "a surface, a triangulation where every z is the same, or points: PLY, text or binary"},
         [](std::string_view bytes) { return bytes.starts_with("ply\n") || bytes.starts_with("ply\r"); },
         read_mesh<read_ply>,
         MeshUse::kTriangles},
        {{{".obj"}, "the same: vertices and faces of Wavefront OBJ"},
         nullptr,
         read_mesh<read_obj>,
         MeshUse::kTriangles},
        {{{".off"}, "the same: OFF as text"}, nullptr, read_mesh<read_off>, MeshUse::kTriangles},
        {{{".stl"}, "the same: STL, text or binary, whose equal vertices are joined"},
         nullptr,
         read_mesh<read_stl>,
         MeshUse::kInFolder},
        {{{".msh"}, "the same: triangles and quadrangles of Gmsh, versions 2.2 and 4.1, text or binary"},
         [](std::string_view bytes) { return bytes.starts_with("$MeshFormat"); },
         read_mesh<read_gmsh>},
        {{{".vtk"},
          "the same: VTK's legacy files, text or binary, POLYDATA and UNSTRUCTURED_GRID; STRUCTURED_POINTS of one "
          "layer: "
          "a field"},
         [](std::string_view bytes) { return bytes.starts_with("# vtk DataFile"); },
         read_vtk},
        {{{".dat"},
          "a field, droplets with their links, or links over time: TLBfind's densities, temperatures and velocities, "
          "delaunayNowTime… and breakingLinks…"},
         is_tlbfind,
         read_tlbfind},
        {{{".ele"}, "a triangulation: Triangle's triangles, with the .node of the same name in the same folder"},
         nullptr,
         read_mesh<read_ele>},
        {{{".npz"},
          "points, points over time, a triangulation or a recording: NumPy's archives, with points of shape (n, 2) or "
          "(t, n, 2) or arrays x and y, and columns of shape (n)"},
         [](std::string_view bytes) {
             return bytes.starts_with("PK\x03\x04") && bytes.substr(0, 300).find(".npy") != bytes.npos;
         },
         read_npz},
        {recording_formats().front(), looks_like_step, read_recording},
    };
    return all;
}

/// Advice for an unsupported file of a well-known program: "is an Excel workbook; …". nullptr: none.
const char* foreign_format(const std::filesystem::path& path, std::string_view bytes) {
    struct Foreign {
        std::vector<std::string_view> marks;  // beginnings of the contents, or endings of the name
        const char* advice;
    };
    static const std::vector<Foreign> kKnown{
        {{"PK\x03\x04"}, "is an archive or a workbook (.xlsx, .ods, .zip); save its sheet as CSV, or unpack it"},
        {{"\xd0\xcf\x11\xe0"}, "is an Excel workbook; save its sheet as CSV"},
        {{"\x89HDF"}, "is an HDF5 file; save its table with pandas.DataFrame.to_csv(), or an array with numpy.save()"},
        {{"PAR1"}, "is a Parquet file; save its table with pandas.DataFrame.to_csv()"},
        {{"MATLAB 5.0"}, "is a MATLAB file; save its table with writetable() or writematrix()"},
        {{"SQLite format 3"}, "is a SQLite database; save its table as CSV"},
        {{"%PDF"}, "is a PDF document, not a table; copy its numbers into a text file"},
        {{"\x80\x02", "\x80\x03", "\x80\x04\x95", "\x80\x05"},
         "is a Python pickle; save its array with numpy.save(), its table with to_csv()"},
        {{"{\\rtf"}, "is a rich text document; save it as plain text"},
        {{"BZh"}, "is compressed by bzip2; unpack it with bunzip2"},
        {{"\xfd\x37zXZ"}, "is compressed by xz; unpack it with unxz"},
        {{"\x28\xb5\x2f\xfd"}, "is compressed by Zstandard; unpack it with unzstd"},
        {{"7z\xbc\xaf"}, "is an archive of 7-Zip; unpack it"},
        {{"SIMPLE  ="}, "is a FITS file; save its table as CSV, with TOPCAT or astropy"},
        {{"ARROW1"}, "is an Arrow file; save its table with pandas.DataFrame.to_csv()"},
        {{"RDX", "RDA", std::string_view("X\n\0\0\0", 5)}, "is a file of R; save its table with write.csv()"},
        {{"MeshVersionFormatted"}, kOtherMesh},
    };
    static const std::vector<Foreign> kTexts{
        {{"<!doctype html", "<html"}, "is a web page, not a table; save its table as CSV"},
        {{"<svg"}, "is an SVG drawing; copy its coordinates into a text file"},
        {{"<?xml"}, "is XML of an unsupported kind; save its table as CSV"},
        {{"%yaml"}, "is YAML; write its numbers as CSV or JSON"},
        {{"$gp", "$gn"}, "is a log of a GPS receiver (NMEA); convert it to CSV or GPX, with gpsbabel"},
        {{"foamfile"}, "is a file of OpenFOAM; convert its mesh with foamToVTK"},
        {{"ncols"}, "is a grid (ESRI ASCII); convert it to TIFF, with gdal_translate, or to .npy"},
        {{"dsaa"}, "is a grid of Surfer; convert it to TIFF, with gdal_translate, or to .npy"},
        {{"*heading", "*node"}, "is an input file of Abaqus; convert it with meshio"},
    };
    // Texts that would otherwise be read as tables.
    static const std::vector<Foreign> kEndings{
        {{".edge"}, "holds edges as Triangle writes them, and no points; take the .node or the .ele of the same name"},
        {{".neigh"}, "holds neighbours as Triangle writes them, and no points; take the .ele of the same name"},
        {{".dbf", ".prj", ".cpg"}, "is a part of a Shapefile; take the .shp of the same name"},
        {{".gro", ".pdb", ".cif", ".mol2", ".xsf"},
         "holds atoms in a format that is not read; convert it to extended XYZ, as 'ase convert FILE atoms.extxyz' "
         "does"},
        {{".bdf", ".nas", ".su2", ".med", ".tec", ".vol", ".glb"}, kOtherMesh},
        {{".svg"}, "is a drawing; save its coordinates as a table, or the drawing as an image (.png)"},
    };
    const auto advice_of = [](const std::vector<Foreign>& all, const auto& fits) -> const char* {
        for (const Foreign& one : all)
            if (std::ranges::any_of(one.marks, fits)) return one.advice;
        return nullptr;
    };
    if (bytes.substr(0, 512).find("<VTKFile") != bytes.npos)
        return "is one of VTK's files in XML; save it as legacy .vtk (ParaView: Save Data; meshio convert in.vtu "
               "out.vtk)";
    std::string_view text = bytes.substr(0, 256);
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    skip_white(text);
    const std::string begin = lower_case(text.substr(0, 16)), ending = lower_extension(format_path(path));
    if (const char* found = advice_of(kTexts, [&](std::string_view mark) { return begin.starts_with(mark); }))
        return found;
    if (const char* found = advice_of(kKnown, [&](std::string_view mark) { return bytes.starts_with(mark); }))
        return found;
    return advice_of(kEndings, [&](std::string_view mark) { return ending == mark; });
}

}  // namespace

void InputFile::note_once(const std::string& sentence) const {
    if (std::ranges::find(notes, path.string() + ": " + sentence) == notes.end()) note(sentence);
}

void set_attributes(Geometry& geometry, std::vector<Attribute> attributes) {
    if (!attributes.empty())
        geometry.attributes = std::make_shared<const std::vector<Attribute>>(std::move(attributes));
}

void use_radius_column(std::vector<Attribute>& columns, const InputFile& file) {
    for (const ReadOptions::Column& chosen : file.options.columns) {
        if (chosen.role != ColumnRole::kRadius || chosen.name == "-") continue;
        const HeaderName header = header_name(chosen.name);
        const auto found = std::ranges::find_if(columns, [&](const Attribute& one) {
            const std::string own = lower_case(one.name);
            return one.categories.empty() && (own == lower_case(chosen.name) || own == "column " + chosen.name ||
                                              (own == lower_case(header.name) && one.unit == header.unit));
        });
        if (found == columns.end()) {
            std::string known;
            for (const Attribute& one : columns)
                if (one.categories.empty()) append_clause(known, excerpt(one.name), ", ");
            throw file.fail("there is no column of numbers called " + excerpt(chosen.name) + " for radius" +
                            (known.empty() ? "" : "; there are " + known));
        }
        std::rotate(columns.begin(), found, found + 1);
        if (lower_case(columns[0].name) == "radius") continue;
        for (Attribute& other : columns)
            if (lower_case(other.name) == "radius") other.name = "input " + other.name;
        file.note("radius from " + excerpt(columns[0].name));
        columns[0].name = "radius";
    }
}

void use_radius_column(Geometry& geometry, const InputFile& file) {
    if (!is_chosen(file.options, ColumnRole::kRadius)) return;
    if (geometry.tracks) {
        auto tracks = std::make_shared<Tracks>(*geometry.tracks);
        use_radius_column(tracks->attributes, file);
        geometry.tracks = std::move(tracks);
    } else {
        std::vector<Attribute> columns;
        if (geometry.attributes) columns = *geometry.attributes;
        use_radius_column(columns, file);
        set_attributes(geometry, std::move(columns));
    }
}

void append_clause(std::string& to, const std::string& clause, const char* between) {
    if (!clause.empty()) to += (to.empty() ? "" : between) + clause;
}

const std::vector<Format>& formats() { return all_formats(); }

std::vector<std::string> mesh_extensions(MeshUse least) {
    std::vector<std::string> extensions;
    for (const Format& format : formats())
        if (format.mesh_use >= least)
            extensions.insert(extensions.end(), format.info.extensions.begin(), format.info.extensions.end());
    return extensions;
}

void add_format(Format format) { all_formats().push_back(std::move(format)); }

const Format* format_of(const std::filesystem::path& path, const FileBytes& bytes) {
    const std::string_view head = bytes.head();
    const std::string ending = lower_extension(format_path(path));
    const auto has_ending = [&](const Format& format) { return has_extension(format.info, ending); };
    const auto recognised = [&](const Format& format) { return format.recognises && format.recognises(head); };
    const auto& all = formats();
    const Format* const table = &*std::ranges::find_if(all, is_table);
    const bool foreign = foreign_format(path, head) != nullptr;
    for (const Format& format : all)
        if (has_ending(format) && recognised(format)) return &format;
    for (const Format& format : all)
        if (recognised(format)) return &format;
    for (const Format& format : all)
        if (has_ending(format) && !(is_table(format) && foreign))
            return format.is_table && format.is_table(bytes) ? table : &format;
    const bool is_text = !head.empty() && head.substr(0, 4096).find('\0') == head.npos && !foreign;
    return is_text ? table : nullptr;
}

const Format& require_format(const std::filesystem::path& path, const FileBytes& bytes, const std::string& unknown) {
    if (const Format* const format = format_of(path, bytes)) return *format;
    const char* const advice = foreign_format(path, bytes.head());
    throw Error(path.string() + ": " + (advice ? advice : unknown));
}

bool is_table(const Format& format) { return format.read == read_table; }

void note_unused_options(const Format& format, const InputFile& file) {
    if (file.options.texts().empty()) return;
    const std::string& kind = format.info.extensions.front();
    const bool as_table = is_table(format);
    const bool has_columns = as_table || kind == ".json" || kind == ".npy" || kind == ".npz";
    const auto& columns = file.options.columns;  // any format with columns can have radii
    const bool radius_alone = columns.size() == 1 && columns[0].role == ColumnRole::kRadius;
    std::string unused;
    for (const auto& [option, value] : file.options.texts())
        if ((option == "columns" && !has_columns && !radius_alone) ||
            ((option == "decimal" || option == "separator") && !as_table))
            append_clause(unused, option, ", ");
    if (!unused.empty()) file.note("options without effect, since this is not a table: " + unused);
}

bool has_hex_shapes(std::string_view bytes) {
    const std::string_view head = bytes.substr(0, 65536);
    // Byte order and type of shape, with or without a reference system.
    for (const std::string_view begin : {"0101000000", "0101000020", "0103000000", "0103000020", "0106000000",
                                         "0106000020", "0104000000", "0104000020", "0102000000", "0102000020"})
        if (const size_t at = head.find(begin); at != head.npos) {
            const std::string_view digits = head.substr(at, 42);
            if (digits.size() == 42 && digits.find_first_not_of("0123456789ABCDEFabcdef") == digits.npos) return true;
        }
    return false;
}

}  // namespace flipscope::io
