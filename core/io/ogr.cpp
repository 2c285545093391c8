#include "io/ogr.h"

#include <dlfcn.h>

#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/features.h"
#include "io/files.h"
#include "io/parse.h"

namespace flipscope::io {
namespace {

void* open_library() {
    for (int version = 60; version >= 20; --version)  // 32 is GDAL 3.6, 20 is GDAL 2.2
        if (void* const library = dlopen(("libgdal.so." + std::to_string(version)).c_str(), RTLD_NOW | RTLD_LOCAL))
            return library;
    return dlopen("libgdal.so", RTLD_NOW | RTLD_LOCAL);
}

/// A function of the library, of any type; `complete` becomes false without it.
struct GdalFunction {
    void* library;
    bool& complete;
    const char* name;
    template <class Function>
    operator Function*() const {
        void* const found = dlsym(library, name);
        complete = complete && found;
        return reinterpret_cast<Function*>(found);
    }
};

/// The used part of GDAL's C interface, unchanged since GDAL 2.1 (gdal.h, ogr_api.h, cpl_*.h).
struct Gdal {
    using Handle = void*;
    void* library = open_library();
    bool complete = library != nullptr;
#define FLIPSCOPE_GDAL(result, name, ...) \
    result (*name)(__VA_ARGS__) = GdalFunction { library, complete, #name }
    FLIPSCOPE_GDAL(void, GDALAllRegister);
    FLIPSCOPE_GDAL(Handle, GDALOpenEx, const char* name, unsigned flags, const char* const* drivers,
                   const char* const* options, const char* const* siblings);
    FLIPSCOPE_GDAL(void, GDALClose, Handle dataset);
    FLIPSCOPE_GDAL(int, GDALDatasetGetLayerCount, Handle dataset);
    FLIPSCOPE_GDAL(Handle, GDALDatasetGetLayer, Handle dataset, int index);
    FLIPSCOPE_GDAL(const char*, OGR_L_GetName, Handle layer);
    FLIPSCOPE_GDAL(unsigned, OGR_L_GetGeomType, Handle layer);
    FLIPSCOPE_GDAL(Handle, OGR_L_GetLayerDefn, Handle layer);
    FLIPSCOPE_GDAL(Handle, OGR_L_GetSpatialRef, Handle layer);
    FLIPSCOPE_GDAL(Handle, OGR_L_GetNextFeature, Handle layer);
    FLIPSCOPE_GDAL(int, OGR_FD_GetFieldCount, Handle definition);
    FLIPSCOPE_GDAL(Handle, OGR_FD_GetFieldDefn, Handle definition, int field);
    FLIPSCOPE_GDAL(const char*, OGR_Fld_GetNameRef, Handle field);
    FLIPSCOPE_GDAL(int, OGR_Fld_GetType, Handle field);
    FLIPSCOPE_GDAL(int, OGR_F_IsFieldSetAndNotNull, Handle feature, int field);
    FLIPSCOPE_GDAL(double, OGR_F_GetFieldAsDouble, Handle feature, int field);
    FLIPSCOPE_GDAL(const char*, OGR_F_GetFieldAsString, Handle feature, int field);
    FLIPSCOPE_GDAL(Handle, OGR_F_GetGeometryRef, Handle feature);
    FLIPSCOPE_GDAL(void, OGR_F_Destroy, Handle feature);
    FLIPSCOPE_GDAL(unsigned, OGR_G_GetGeometryType, Handle geometry);
    FLIPSCOPE_GDAL(int, OGR_G_GetGeometryCount, Handle geometry);
    FLIPSCOPE_GDAL(Handle, OGR_G_GetGeometryRef, Handle geometry, int part);
    FLIPSCOPE_GDAL(int, OGR_G_GetPointCount, Handle geometry);
    FLIPSCOPE_GDAL(double, OGR_G_GetX, Handle geometry, int vertex);
    FLIPSCOPE_GDAL(double, OGR_G_GetY, Handle geometry, int vertex);
    FLIPSCOPE_GDAL(double, OGR_G_GetZ, Handle geometry, int vertex);
    FLIPSCOPE_GDAL(double, OGR_G_GetM, Handle geometry, int vertex);
    FLIPSCOPE_GDAL(int, OGR_G_Is3D, Handle geometry);
    FLIPSCOPE_GDAL(int, OGR_G_IsMeasured, Handle geometry);
    FLIPSCOPE_GDAL(int, OGR_G_IsEmpty, Handle geometry);
    FLIPSCOPE_GDAL(int, OGR_G_HasCurveGeometry, Handle geometry, int look_deep);
    FLIPSCOPE_GDAL(Handle, OGR_G_GetLinearGeometry, Handle geometry, double max_angle, const char* const* options);
    FLIPSCOPE_GDAL(void, OGR_G_DestroyGeometry, Handle geometry);
    FLIPSCOPE_GDAL(int, OSRIsGeographic, Handle system);
    FLIPSCOPE_GDAL(int, OSRIsProjected, Handle system);
    FLIPSCOPE_GDAL(double, OSRGetLinearUnits, Handle system, char** name);
    FLIPSCOPE_GDAL(void, CPLSetThreadLocalConfigOption, const char* key, const char* value);
    FLIPSCOPE_GDAL(void, CPLPushErrorHandler, void (*handler)(int kind, int number, const char* message));
    FLIPSCOPE_GDAL(void, CPLPopErrorHandler);
    FLIPSCOPE_GDAL(void, CPLQuietErrorHandler, int kind, int number, const char* message);
    FLIPSCOPE_GDAL(void, CPLErrorReset);
    FLIPSCOPE_GDAL(const char*, CPLGetLastErrorMsg);
    FLIPSCOPE_GDAL(Handle, VSIFileFromMemBuffer, const char* name, unsigned char* bytes, unsigned long long size,
                   int owned);
    FLIPSCOPE_GDAL(int, VSIFCloseL, Handle file);
    FLIPSCOPE_GDAL(Handle, GDALVectorTranslateOptionsNew, char** arguments, void* unused);
    FLIPSCOPE_GDAL(void, GDALVectorTranslateOptionsFree, Handle options);
    FLIPSCOPE_GDAL(Handle, GDALVectorTranslate, const char* name, Handle target, int count, Handle* sources,
                   const Handle options, int* misused);
    FLIPSCOPE_GDAL(int, VSIUnlink, const char* name);
#undef FLIPSCOPE_GDAL
};

/// A handle, and the function of GDAL that frees it.
using Owned = std::unique_ptr<void, void (*)(Gdal::Handle)>;

/// nullptr: not installed, or incomplete. Stays open.
const Gdal* gdal() {
    static const Gdal* const opened = []() -> const Gdal* {
        static const Gdal found;
        if (found.complete) found.GDALAllRegister();
        return found.complete ? &found : nullptr;
    }();
    return opened;
}

/// During its lifetime, GDAL is silent on this thread and does not access the network: files of these formats may
/// contain addresses of schemas, styles and the like.
class QuietGdal {
  public:
    explicit QuietGdal(const Gdal& gdal) : gdal_(gdal) {
        for (const auto& [key, value] : kOptions) gdal_.CPLSetThreadLocalConfigOption(key, value);
        gdal_.CPLPushErrorHandler(gdal_.CPLQuietErrorHandler);
        gdal_.CPLErrorReset();
    }
    ~QuietGdal() {
        gdal_.CPLPopErrorHandler();
        for (const auto& [key, value] : kOptions) gdal_.CPLSetThreadLocalConfigOption(key, nullptr);
    }
    QuietGdal(const QuietGdal&) = delete;
    QuietGdal& operator=(const QuietGdal&) = delete;

  private:
    static constexpr std::pair<const char*, const char*> kOptions[] = {
        {"CPL_VSIL_CURL_ALLOWED_EXTENSIONS", ".none"},
        {"GDAL_HTTP_PROXY", "http://127.0.0.1:9"},  // an unreachable proxy
        {"GDAL_HTTPS_PROXY", "http://127.0.0.1:9"},
        {"GDAL_HTTP_TIMEOUT", "1"},
        {"GDAL_HTTP_MAX_RETRY", "0"},
        {"GML_DOWNLOAD_WFS_SCHEMA", "NO"},
        {"GML_SKIP_RESOLVE_ELEMS", "ALL"},
        {"LIBKML_RESOLVE_STYLE", "NO"},
        {"SHAPE_RESTORE_SHX", "NO"},
    };
    const Gdal& gdal_;
};

/// Bytes in memory with a file name for GDAL.
class MemoryFile {
  public:
    MemoryFile(const Gdal& gdal, std::string_view bytes, const std::string& ending) : gdal_(gdal) {
        static std::atomic<uint64_t> count{0};
        name_ = "/vsimem/flipscope-" + std::to_string(count++) + ending;
        // GDAL opens it read-only.
        auto* const data = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
        if (Gdal::Handle const file = gdal_.VSIFileFromMemBuffer(name_.c_str(), data, bytes.size(), 0))
            gdal_.VSIFCloseL(file);
    }
    ~MemoryFile() { gdal_.VSIUnlink(name_.c_str()); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    const std::string& name() const { return name_; }

  private:
    const Gdal& gdal_;
    std::string name_;
};

struct OgrKind {
    const char* ending;
    const char* title;
};

/// The kind of these bytes; nullptr: none of these.
const OgrKind* kind_of(std::string_view bytes) {
    static constexpr OgrKind kShapefile{".shp", "a Shapefile"}, kPackage{".gpkg", "a GeoPackage"}, kGpx{".gpx", "GPX"},
        kKml{".kml", "KML"}, kGml{".gml", "GML"}, kFlat{".fgb", "FlatGeobuf"}, kDxf{".dxf", "DXF"},
        kZipped{".kmz", "KMZ"};
    using namespace std::string_view_literals;
    if (bytes.starts_with("\x00\x00\x27\x0a"sv)) return &kShapefile;
    if (bytes.starts_with("fgb\x03"sv)) return &kFlat;
    if (bytes.starts_with("PK\x03\x04"sv) && bytes.size() > 30) {  // by the name of its first file
        return bytes.substr(30, integer_at(bytes, 26, 2)).ends_with(".kml") ? &kZipped : nullptr;
    }
    if (bytes.starts_with("SQLite format 3\0"sv)) {
        const std::string_view application = bytes.substr(0, 72).size() == 72 ? bytes.substr(68, 4) : ""sv;
        return application == "GPKG" || application.starts_with("GP1") ? &kPackage : nullptr;
    }
    const std::string_view head = bytes.substr(0, 4096);
    const size_t first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (first == head.npos) return nullptr;
    if (head[first] == '<') {
        for (const auto& [word, kind] : {std::pair{"<gpx"sv, &kGpx}, {"<kml"sv, &kKml}, {"FeatureCollection"sv, &kGml}})
            if (head.find(word) != head.npos && (kind != &kGml || head.find("/gml") != head.npos)) return kind;
        return nullptr;
    }
    // Pairs of lines, a code and a value; 999 is a comment.
    std::string_view rest = head.substr(first);
    for (;;) {
        const std::string_view code = trimmed(take_until(rest, '\n')), value = trimmed(take_until(rest, '\n'));
        if (code == "0" && value == "SECTION") return &kDxf;
        if (code != "999") return nullptr;
    }
}

class GeographyReader {
  public:
    GeographyReader(const Gdal& gdal, const InputFile& file, bool is_gpx)
        : gdal_(gdal), file_(file), out_(file), is_gpx_(is_gpx) {}

    Geometry read(Gdal::Handle dataset) {
        std::vector<Gdal::Handle> layers;
        for (int i = 0; i < gdal_.GDALDatasetGetLayerCount(dataset); ++i) {
            Gdal::Handle const layer = gdal_.GDALDatasetGetLayer(dataset, i);
            constexpr unsigned kNoGeometry = 100;
            if (layer && gdal_.OGR_L_GetGeomType(layer) != kNoGeometry) layers.push_back(layer);
        }
        // GPX has lines, and then their points with all attributes.
        const auto repeats = [&](Gdal::Handle layer) {
            const std::string name = gdal_.OGR_L_GetName(layer);
            return is_gpx_ && (name == "tracks" || name == "routes");
        };
        bool degrees = !layers.empty();
        std::optional<std::string> unit;
        for (Gdal::Handle const layer : layers) {
            if (repeats(layer)) continue;
            if (!read_layer(layer, layers.size() > 1)) continue;
            Gdal::Handle const system = gdal_.OGR_L_GetSpatialRef(layer);
            degrees = degrees && system && gdal_.OSRIsGeographic(system);
            const std::string own = length_unit(system);
            unit = !unit || *unit == own ? own : "";
        }
        out_.set_degrees(degrees);
        if (unit) out_.set_unit(*unit);
        return out_.finish();
    }

  private:
    struct Field {
        int index;
        std::string name;
        bool is_number, is_text;
    };

    /// The unit of a map's projection; empty: unknown, or a rare one.
    std::string length_unit(Gdal::Handle system) const {
        if (!system || !gdal_.OSRIsProjected(system)) return {};
        const double metres = gdal_.OSRGetLinearUnits(system, nullptr);
        constexpr std::pair<const char*, double> kUnits[] = {
            {"m", 1}, {"km", 1000}, {"ft", 0.3048}, {"ftUS", 1200.0 / 3937}};
        for (const auto& [name, size] : kUnits)
            if (std::fabs(metres - size) < 1e-9 * size) return name;
        return {};
    }

    /// False: the layer is empty.
    bool read_layer(Gdal::Handle layer, bool named) {
        const std::string layer_name = gdal_.OGR_L_GetName(layer);
        std::vector<Field> fields;
        Gdal::Handle const definition = gdal_.OGR_L_GetLayerDefn(layer);
        for (int i = 0; i < gdal_.OGR_FD_GetFieldCount(definition); ++i) {
            Gdal::Handle const field = gdal_.OGR_FD_GetFieldDefn(definition, i);
            const int type = gdal_.OGR_Fld_GetType(field);  // OGRFieldType
            fields.push_back({i, gdal_.OGR_Fld_GetNameRef(field), type == 0 || type == 2 || type == 12,
                              type == 4 || (type >= 9 && type <= 11)});
        }
        bool any = false;
        for (;;) {
            const Owned feature(gdal_.OGR_L_GetNextFeature(layer), gdal_.OGR_F_Destroy);
            if (!feature) break;
            any = true;
            ++number_;
            out_.begin();
            if (named) out_.set("layer", layer_name);
            for (const Field& field : fields) {
                if (!gdal_.OGR_F_IsFieldSetAndNotNull(feature.get(), field.index)) continue;
                if (field.is_number)
                    out_.set(field.name, gdal_.OGR_F_GetFieldAsDouble(feature.get(), field.index));
                else if (field.is_text)
                    out_.set_text(field.name, gdal_.OGR_F_GetFieldAsString(feature.get(), field.index));
                else
                    out_.leave_out(field.name);
            }
            if (Gdal::Handle const shape = gdal_.OGR_F_GetGeometryRef(feature.get())) read_shape(shape);
        }
        return any;
    }

    void read_shape(Gdal::Handle shape) {
        if (gdal_.OGR_G_IsEmpty(shape)) return;
        if (!gdal_.OGR_G_HasCurveGeometry(shape, 1)) return read_straight(shape, 0);
        const Owned straight(gdal_.OGR_G_GetLinearGeometry(shape, 0, nullptr), gdal_.OGR_G_DestroyGeometry);
        if (straight) read_straight(straight.get(), 0);
    }

    void read_straight(Gdal::Handle shape, int depth) {
        constexpr int kDeepest = 32;
        // OGRwkbGeometryType, with its flags for z and m.
        const unsigned type = (gdal_.OGR_G_GetGeometryType(shape) & 0x7fffffffU) % 1000;
        const int parts = gdal_.OGR_G_GetGeometryCount(shape);
        const auto each_part = [&](const auto& read) {
            for (int i = 0; i < parts; ++i)
                if (Gdal::Handle const part = gdal_.OGR_G_GetGeometryRef(shape, i)) read(part);
        };
        const auto read_vertices = [&](Gdal::Handle line, const auto& add) {
            const bool has_z = gdal_.OGR_G_Is3D(line), has_m = gdal_.OGR_G_IsMeasured(line);
            for (int i = 0; i < gdal_.OGR_G_GetPointCount(line); ++i)
                add(Position{gdal_.OGR_G_GetX(line, i), gdal_.OGR_G_GetY(line, i),
                             has_z ? gdal_.OGR_G_GetZ(line, i) : NAN, has_m ? gdal_.OGR_G_GetM(line, i) : NAN});
        };
        const auto add_point = [&](const Position& place) { out_.add_point(place, where_); };
        const auto read_polygon = [&](Gdal::Handle polygon) {
            for (int i = 0; i < gdal_.OGR_G_GetGeometryCount(polygon); ++i) {
                out_.begin_ring();
                read_vertices(gdal_.OGR_G_GetGeometryRef(polygon, i),
                              [&](const Position& place) { out_.add_ring_vertex(place, where_); });
                out_.end_ring();
            }
        };
        switch (type) {
            case 1:  // point
                return read_vertices(shape, add_point);
            case 2:  // line string
                out_.begin_line();
                return read_vertices(shape, [&](const Position& place) { out_.add_line_vertex(place, where_); });
            case 3:   // polygon
            case 17:  // triangle
                out_.begin_area();
                return read_polygon(shape);
            case 6:   // multipolygon
            case 15:  // polyhedral surface
            case 16:  // TIN
                out_.begin_area();
                return each_part(read_polygon);
            case 4:  // multipoint
            case 5:  // multilinestring
            case 7:  // collection
                if (depth < kDeepest) each_part([&](Gdal::Handle part) { read_straight(part, depth + 1); });
                return;
            default:
                return;
        }
    }

    const Gdal& gdal_;
    const InputFile& file_;
    Features out_;
    const bool is_gpx_;
    uint64_t number_ = 0;  // of the feature, from 1
    const Features::Where where_ = [this] {
        return file_.path.string() + ": feature " + std::to_string(number_) + ": ";
    };
};

std::mutex one_at_a_time;                     // drivers share state
constexpr unsigned kOpenFlags = 0x04 | 0x40;  // GDAL_OF_VECTOR, GDAL_OF_VERBOSE_ERROR

}  // namespace

bool has_gdal() { return gdal() != nullptr; }

bool looks_like_geography(std::string_view bytes) { return kind_of(bytes) != nullptr; }

void write_geography(const std::filesystem::path& path, std::string_view features) {
    const Gdal* const library = gdal();
    if (!library)
        throw Error(path.string() + ": GDAL (libgdal), which writes it, is not installed: install Debian's package " +
                    "gdal-bin, or write .geojson");
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    const QuietGdal quiet(*library);
    const MemoryFile memory(*library, features, ".geojson");
    const auto fail = [&] {
        throw Error(path.string() + ": GDAL cannot write it: " + printable_within(library->CPLGetLastErrorMsg(), 300));
    };
    static const char* const kDrivers[] = {"GeoJSON", nullptr};
    const Owned source(library->GDALOpenEx(memory.name().c_str(), kOpenFlags, kDrivers, nullptr, nullptr),
                       library->GDALClose);
    if (!source) fail();
    const bool shapes = lower_extension(path) == ".shp";
    const std::string layer = path.stem().string();
    std::vector<const char*> arguments{
        "-f",     shapes ? "ESRI Shapefile" : "GPKG",     "-nln", layer.c_str(), "-nlt", "MULTIPOLYGON",
        "-a_srs", "LOCAL_CS[\"Undefined Cartesian SRS\"]"};
    if (shapes) arguments.insert(arguments.end(), {"-lco", "ENCODING=UTF-8"});
    arguments.push_back(nullptr);
    const Owned options(library->GDALVectorTranslateOptionsNew(const_cast<char**>(arguments.data()), nullptr),
                        library->GDALVectorTranslateOptionsFree);
    if (!options) fail();
    const std::string name = std::filesystem::absolute(path).lexically_normal().string();
    std::error_code ignored;
    std::filesystem::remove(name, ignored);  // GDAL replaces none
    for (const char* const more : {".shx", ".dbf", ".prj", ".cpg"})
        if (shapes) std::filesystem::remove(std::filesystem::path(name).replace_extension(more), ignored);
    Gdal::Handle from = source.get();
    const Owned made(library->GDALVectorTranslate(name.c_str(), nullptr, 1, &from, options.get(), nullptr),
                     library->GDALClose);
    if (!made) fail();
}

Geometry read_geography(const InputFile& file) {
    const std::string path = file.path.string();
    const OgrKind* const kind = kind_of(file.bytes.head());
    const std::string ending = kind ? kind->ending : lower_extension(file.path);
    const std::string what = kind ? kind->title : "of the kind " + ending;
    const Gdal* const library = gdal();
    if (!library)
        throw Error(path + ": is " + what +
                    ", which GDAL reads, and GDAL (libgdal) is not installed: install Debian's package gdal-bin, or "
                    "convert the file to GeoJSON");
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    const QuietGdal quiet(*library);
    // A Shapefile consists of several files; other formats are read from memory, without further files.
    std::unique_ptr<MemoryFile> memory;
    std::string name;
    if (ending == ".shp") {
        name = std::filesystem::absolute(file.path).lexically_normal().string();
        if (name.starts_with("/vsi")) throw Error(path + ": names that begin with /vsi are not opened");
    } else {
        memory = std::make_unique<MemoryFile>(*library, file.bytes, ending);
        name = memory->name();
    }
    static const char* const kDrivers[] = {"ESRI Shapefile", "GPKG", "GPX", "KML", "LIBKML", "DXF", "GML",
                                           "FlatGeobuf",     nullptr};
    static const char* const kOptions[] = {"DOWNLOAD_SCHEMA=NO", "WRITE_GFS=NO", nullptr};
    const Owned dataset(library->GDALOpenEx(name.c_str(), kOpenFlags, kDrivers, kOptions, nullptr), library->GDALClose);
    if (!dataset) {
        std::string why = library->CPLGetLastErrorMsg();
        if (const size_t at = why.find(name); at != why.npos)
            why.replace(at, name.size(), file.path.filename().string());
        if (ending == ".shp" && why.find(".shx") != why.npos)
            throw Error(path +
                        ": its index, the .shx of the same name, is not beside it; a Shapefile is several files "
                        "that belong together: .shp, .shx, .dbf and .prj");
        throw Error(path + ": GDAL cannot read it" + (why.empty() ? "" : ": " + printable_within(why, 300)));
    }
    return GeographyReader(*library, file, ending == ".gpx").read(dataset.get());
}

}  // namespace flipscope::io
