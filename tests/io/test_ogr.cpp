// Vector formats of geography, by GDAL where it is installed.
#include "io/ogr.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include <doctest/doctest.h>

#include "io/geometry.h"
#include "scratch.h"

using namespace flipscope;
using Notes = std::vector<std::string>;

namespace {

namespace fs = std::filesystem;

struct MapScratch {
    const fs::path folder = make_scratch_folder();
    ~MapScratch() { fs::remove_all(folder); }
    fs::path file(const std::string& name, const std::string& content) const {
        const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen((folder / name).c_str(), "wb"),
                                                                     &std::fclose);
        REQUIRE(std::fwrite(content.data(), 1, content.size(), stream.get()) == content.size());
        return folder / name;
    }
};

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

/// A Shapefile of points with a column of numbers: .shp, .shx and .dbf.
void write_shapefile(const MapScratch& scratch, const std::vector<Point>& points) {
    const auto big = [](uint32_t v) { return std::string{char(v >> 24), char(v >> 16), char(v >> 8), char(v)}; };
    const auto little = [](const auto& v) { return std::string(reinterpret_cast<const char*>(&v), sizeof v); };
    const auto header = [&](size_t bytes) {
        std::string text = big(9994) + std::string(20, '\0') + big(static_cast<uint32_t>(bytes / 2)) +
                           little(uint32_t{1000}) + little(uint32_t{1});
        for (const double edge : {-10.0, -10.0, 10.0, 10.0, 0.0, 0.0, 0.0, 0.0}) text += little(edge);
        return text;
    };
    std::string shp = header(100 + 28 * points.size()), shx = header(100 + 8 * points.size());
    std::string dbf = {3, 100, 1, 1};
    dbf += little(uint32_t(points.size())) + little(uint16_t{65}) + little(uint16_t{5}) + std::string(20, '\0');
    dbf += std::string("mass\0\0\0\0\0\0\0N\0\0\0\0\4\0", 18) + std::string(14, '\0') + "\r";
    for (size_t i = 0; i < points.size(); ++i) {
        shx += big(static_cast<uint32_t>(50 + 14 * i)) + big(10);
        shp += big(static_cast<uint32_t>(i + 1)) + big(10) + little(uint32_t{1}) + little(points[i].x) +
               little(points[i].y);
        dbf += "    " + std::to_string(i + 7);
    }
    scratch.file("sites.shp", shp);
    scratch.file("sites.shx", shx);
    scratch.file("sites.dbf", dbf + "\x1a");
}

}  // namespace

TEST_CASE("geography: formats are recognised by their content") {
    CHECK(io::looks_like_geography(kGpx));
    CHECK(io::looks_like_geography(kKml));
    CHECK(io::looks_like_geography(kDxf));
    CHECK(io::looks_like_geography("999\nmade here\n  0\r\nSECTION\r\n"));
    CHECK(io::looks_like_geography(std::string("\0\0\x27\x0a", 4)));
    for (const char* text : {"", "0 1\n2 3\n", "0\n1\n", "<svg></svg>", "<html>", "x,y\n1,2\n", "999\n999\n"})
        CHECK_FALSE(io::looks_like_geography(text));
}

TEST_CASE("geography: without GDAL a sentence names the package") {
    if (io::has_gdal()) {
        MESSAGE("skipped: GDAL is installed");
        return;
    }
    const MapScratch scratch;
    CHECK_THROWS_WITH_AS(read_geometry(scratch.file("a.gpx", kGpx)), doctest::Contains("gdal-bin"), Error);
}

TEST_CASE("geography: points, lines, polygons and fields of GDAL's formats") {
    if (!io::has_gdal()) {
        MESSAGE("skipped: GDAL (libgdal) is not installed");
        return;
    }
    const MapScratch scratch;
    Notes notes;
    const Geometry gpx = read_geometry(scratch.file("a.gpx", kGpx), &notes);
    CHECK(gpx.points == std::vector<Point>{{13.25, 52.5}, {13.5, 52.5}, {13.75, 52.75}});
    CHECK(gpx.names.at(0) == "Mitte");
    CHECK(gpx.unit == "°");
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].find("x is longitude and y is latitude") != std::string::npos);
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

    write_shapefile(scratch, {{0.1, 2}, {-3, 4.5}});
    const Geometry shapes = read_geometry(scratch.folder / "sites.shp");
    CHECK(shapes.points == std::vector<Point>{{0.1, 2}, {-3, 4.5}});
    REQUIRE(shapes.attributes);
    CHECK(shapes.attributes->at(0).name == "mass");
    CHECK(shapes.attributes->at(0).values == std::vector<double>{7, 8});

    CHECK_THROWS_WITH_AS(read_geometry(scratch.file("cut.kml", kKml.substr(0, 200))), doctest::Contains("cut.kml: "),
                         Error);
    CHECK_THROWS_WITH_AS(read_geometry(scratch.file("empty.gpkg", "")), doctest::Contains("GDAL cannot read it"),
                         Error);
    std::vector<std::string> left;
    for (const auto& entry : fs::directory_iterator(scratch.folder)) left.push_back(entry.path().extension());
    CHECK(std::count(left.begin(), left.end(), ".gfs") == 0);  // nothing is written beside it
}
