// Vector formats of geography, by GDAL where it is installed.
#include "io/ogr.h"

#include <dlfcn.h>
#include <algorithm>
#include <filesystem>

#include "input_files.h"
#include "io/geometry.h"

using namespace flipscope;
using namespace flipscope::input_files;

namespace {

namespace fs = std::filesystem;

const std::string kGpx =
    R"(<?xml version="1.0"?><gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1">
<wpt lat="52.5" lon="13.25"><ele>34</ele><name>Mitte</name></wpt>
<trk><trkseg><trkpt lat="52.5" lon="13.5"/><trkpt lat="52.75" lon="13.75"/></trkseg></trk></gpx>)";

const std::string kKml =
    R"(<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>
<Placemark><name>A</name><Point><coordinates>13.25,52.5,0</coordinates></Point></Placemark>
<Placemark><name>P</name><Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 4,0 4,4 0,0</coordinates>
</LinearRing></outerBoundaryIs></Polygon></Placemark></Document></kml>)";

const std::string kDxf =
    "0\nSECTION\n2\nENTITIES\n0\nPOINT\n8\nsites\n10\n1.5\n20\n2.5\n0\nLINE\n8\nwalls\n10\n0\n20\n0\n11\n1\n21\n3\n"
    "0\nENDSEC\n0\nEOF\n";

/// Has GDAL write a file in another format; "" or why it cannot.
std::string translate(const fs::path& from, const fs::path& to, const char* format) {
    using Handle = void*;
    void* library = nullptr;
    for (int version = 60; version >= 20 && !library; --version)
        library = dlopen(("libgdal.so." + std::to_string(version)).c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto find = [&](auto& function, const char* name) {
        function =
            library ? reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name)) : nullptr;
        return function != nullptr;
    };
    void (*register_all)() = nullptr;
    Handle (*driver_of)(const char*) = nullptr;
    Handle (*open)(const char*, unsigned, const char* const*, const char* const*, const char* const*) = nullptr;
    Handle (*options_of)(char**, void*) = nullptr;
    Handle (*write)(const char*, Handle, int, Handle*, Handle, int*) = nullptr;
    void (*free_options)(Handle) = nullptr;
    void (*close)(Handle) = nullptr;
    if (!find(register_all, "GDALAllRegister") || !find(driver_of, "GDALGetDriverByName") ||
        !find(open, "GDALOpenEx") || !find(options_of, "GDALVectorTranslateOptionsNew") ||
        !find(write, "GDALVectorTranslate") || !find(free_options, "GDALVectorTranslateOptionsFree") ||
        !find(close, "GDALClose"))
        return "GDAL (libgdal) is not installed, or too old";
    register_all();
    if (!driver_of(format)) return std::string("GDAL has no driver for ") + format;
    constexpr unsigned kVector = 4;
    Handle source = open(from.c_str(), kVector, nullptr, nullptr, nullptr);
    REQUIRE(source);
    std::string flag = "-f", name = format;
    char* arguments[] = {flag.data(), name.data(), nullptr};
    const Handle options = options_of(arguments, nullptr);
    int failed = 0;
    const Handle made = write(to.c_str(), nullptr, 1, &source, options, &failed);
    if (made) close(made);
    free_options(options);
    close(source);
    return made ? "" : std::string("GDAL cannot write ") + format;
}

}  // namespace

TEST_CASE("geography: FlatGeobuf, GML, GeoPackage and Shapefile written by GDAL read back as the original") {
    const Scratch scratch;
    const auto collection = [&](const std::string& features) {
        return "{\"type\": \"FeatureCollection\", \"features\": [" + features + "]}";
    };
    const auto feature = [](const std::string& geometry, const std::string& name, const std::string& mass) {
        return "{\"type\": \"Feature\", \"geometry\": " + geometry + ", \"properties\": {\"name\": \"" + name +
               "\", \"mass\": " + mass + "}}";
    };
    const fs::path points =
        scratch.file("points.geojson",
                     collection(feature("{\"type\": \"Point\", \"coordinates\": [13.25, 52.5]}", "Mitte", "1.5") + "," +
                                feature("{\"type\": \"Point\", \"coordinates\": [-3.125, 4.5]}", "Übersee", "2.5") +
                                "," + feature("{\"type\": \"Point\", \"coordinates\": [120.5, -33]}", "Perth", "-7")));
    const fs::path areas = scratch.file(
        "areas.geojson",
        collection(feature("{\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [4, 0], [4, 5], [0, 0]], [[2, 1], [3, "
                           "2], [3, 1], [2, 1]]]}",
                           "P", "3")));
    const Geometry expected = read_geometry(points), expected_areas = read_geometry(areas);
    const auto by_x = [](std::vector<Point> all) {  // FlatGeobuf has an order of its own
        std::sort(all.begin(), all.end(), [](Point a, Point b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
        return all;
    };
    for (const auto& [format, ending] : {std::pair("FlatGeobuf", ".fgb"), std::pair("GML", ".gml"),
                                         std::pair("GPKG", ".gpkg"), std::pair("ESRI Shapefile", ".shp")}) {
        CAPTURE(format);
        const fs::path file = scratch.folder / (std::string("made-points") + ending);
        if (const std::string why = translate(points, file, format); !why.empty()) {
            MESSAGE("skipped: " << why);
            continue;
        }
        const Geometry read = read_geometry(file);
        CHECK(by_x(read.points) == by_x(expected.points));
        CHECK(read.unit == "°");
        REQUIRE(read.names.size() == 3);
        REQUIRE(read.attributes);
        const auto mass = std::find_if(read.attributes->begin(), read.attributes->end(),
                                       [](const Attribute& one) { return one.name == "mass"; });
        REQUIRE(mass != read.attributes->end());
        for (size_t i = 0; i < 3; ++i) {
            const size_t k = static_cast<size_t>(
                std::find(expected.points.begin(), expected.points.end(), read.points[i]) - expected.points.begin());
            REQUIRE(k < 3);
            CHECK(read.names[i] == expected.names[k]);
            CHECK(mass->values[i] == expected.attributes->at(0).values[k]);
        }
        const fs::path shapes = scratch.folder / (std::string("made-areas") + ending);
        REQUIRE(translate(areas, shapes, format) == "");
        const Geometry polygon = read_geometry(shapes);
        REQUIRE(polygon.areas);
        REQUIRE(polygon.areas->size() == 1);
        CHECK(polygon.areas->at(0).name == "P");
        REQUIRE(polygon.areas->at(0).rings.size() == 2);
        for (size_t ring = 0; ring < 2; ++ring)  // which may begin elsewhere and go the other way
            CHECK(by_x(polygon.areas->at(0).rings[ring]) == by_x(expected_areas.areas->at(0).rings[ring]));
    }
}

TEST_CASE("geography: formats are recognised by their content") {
    CHECK(io::looks_like_geography(kGpx));
    CHECK(io::looks_like_geography(kKml));
    CHECK(io::looks_like_geography(kDxf));
    CHECK(io::looks_like_geography("999\nmade here\n  0\r\nSECTION\r\n"));
    CHECK(io::looks_like_geography(std::string("\0\0\x27\x0a", 4)));
    for (const char* text : {"", "0 1\n2 3\n", "0\n1\n", "<svg></svg>", "<html>", "x,y\n1,2\n", "999\n999\n"})
        CHECK_FALSE(io::looks_like_geography(text));
}

TEST_CASE("geography: without GDAL the error names its package") {
    if (io::has_gdal()) {
        MESSAGE("skipped: GDAL is installed");
        return;
    }
    const Scratch scratch;
    CHECK_THROWS_WITH_AS(read_geometry(scratch.file("a.gpx", kGpx)), doctest::Contains("gdal-bin"), Error);
}

TEST_CASE("geography: points, lines, polygons and fields of GDAL's formats") {
    if (!io::has_gdal()) {
        MESSAGE("skipped: GDAL (libgdal) is not installed");
        return;
    }
    const Scratch scratch;
    Notes notes;
    const Geometry gpx = read_geometry(scratch.file("a.gpx", kGpx), &notes);
    CHECK(gpx.points == std::vector<Point>{{13.25, 52.5}, {13.5, 52.5}, {13.75, 52.75}});
    CHECK(gpx.names.at(0) == "Mitte");
    CHECK(gpx.unit == "°");
    REQUIRE(notes.size() == 1);
    CHECK(contains(notes[0], "x is longitude and y is latitude"));
    CHECK(read_geometry(scratch.file("gpx.txt", kGpx)).points == gpx.points);

    const Geometry kml = read_geometry(scratch.file("a.kml", kKml));
    CHECK(kml.points == std::vector<Point>{{13.25, 52.5}});
    CHECK(kml.names == std::vector<std::string>{"A"});
    REQUIRE(kml.areas);
    CHECK(kml.areas->at(0).name == "P");
    CHECK(kml.areas->at(0).rings == std::vector<std::vector<Point>>{{{0, 0}, {4, 0}, {4, 4}}});

    const Geometry dxf = read_geometry(scratch.file("a.dxf", kDxf));
    CHECK(dxf.points == std::vector<Point>{{1.5, 2.5}, {0, 0}, {1, 3}});
    CHECK(dxf.rows == std::vector<uint64_t>{0, 1, 1});
    CHECK(dxf.unit.empty());

    const fs::path sites = scratch.file("sites.geojson", R"({"type": "FeatureCollection", "features": [
{"type": "Feature", "geometry": {"type": "Point", "coordinates": [0.1, 2]}, "properties": {"mass": 7}},
{"type": "Feature", "geometry": {"type": "Point", "coordinates": [-3, 4.5]}, "properties": {"mass": 8}}]})");
    REQUIRE(translate(sites, scratch.folder / "sites.shp", "ESRI Shapefile") == "");
    fs::remove(scratch.folder / "sites.prj");
    const Geometry shapes = read_geometry(scratch.folder / "sites.shp");
    CHECK(shapes.points == std::vector<Point>{{0.1, 2}, {-3, 4.5}});
    REQUIRE(shapes.attributes);
    CHECK(shapes.attributes->at(0).name == "mass");
    CHECK(shapes.attributes->at(0).values == std::vector<double>{7, 8});

    CHECK(shapes.unit.empty());
    // The unit is that of the map's projection.
    const auto projected = [](const std::string& unit) {
        return "PROJCS[\"p\",GEOGCS[\"g\",DATUM[\"d\",SPHEROID[\"s\",6378137.0,298.257222101]],PRIMEM[\"Greenwich\",0."
               "0],"
               "UNIT[\"Degree\",0.0174532925199433]],PROJECTION[\"Transverse_Mercator\"],"
               "PARAMETER[\"False_Easting\",500000.0],PARAMETER[\"False_Northing\",0.0],"
               "PARAMETER[\"Central_Meridian\",9.0],PARAMETER[\"Scale_Factor\",0.9996],"
               "PARAMETER[\"Latitude_Of_Origin\",0.0],UNIT[" +
               unit + "]]";
    };
    for (const auto& [written, unit] :
         {std::pair("\"Meter\",1.0", "m"), std::pair("\"Foot\",0.3048", "ft"),
          std::pair("\"Foot_US\",0.3048006096012192", "ftUS"), std::pair("\"rod\",5.0292", "")}) {
        CAPTURE(written);
        scratch.file("sites.prj", projected(written));
        CHECK(read_geometry(scratch.folder / "sites.shp").unit == unit);
    }
    fs::remove(scratch.folder / "sites.shx");
    CHECK_THROWS_WITH_AS(read_geometry(scratch.folder / "sites.shp"),
                         doctest::Contains("its index, the .shx of the same name, is not beside it"), Error);

    CHECK_THROWS_WITH_AS(read_geometry(scratch.file("cut.kml", kKml.substr(0, 200))), doctest::Contains("cut.kml: "),
                         Error);
    CHECK_THROWS_WITH_AS(read_geometry(scratch.file("empty.gpkg", "")), doctest::Contains("GDAL cannot read it"),
                         Error);
    std::vector<std::string> left;
    for (const auto& entry : fs::directory_iterator(scratch.folder)) left.push_back(entry.path().extension());
    CHECK(std::count(left.begin(), left.end(), ".gfs") == 0);  // nothing is written beside it
}
