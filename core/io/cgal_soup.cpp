// The one file of the library that sees CGAL: its readers of polygon soups, which keep doubles where others keep
// floats. It is compiled apart, so that nothing of CGAL reaches other sources or the programs that use the library.

#include <CGAL/IO/OBJ.h>
#include <CGAL/IO/OFF.h>
#include <CGAL/IO/PLY.h>
#include <CGAL/IO/STL.h>
#include <CGAL/Simple_cartesian.h>
#include <locale.h>

#include <boost/container/small_vector.hpp>
#include <locale>
#include <sstream>
#include <utility>

#include "io/mesh_file.h"

namespace flipscope::io {
namespace {

using Position = CGAL::Simple_cartesian<double>::Point_3;
using Face = boost::container::small_vector<uint32_t, 4>;

/// CGAL reads numbers with sscanf, which heeds the locale: a point is the decimal mark while this lives.
class PointAsDecimalMark {
  public:
    PointAsDecimalMark() : plain_(newlocale(LC_ALL_MASK, "C", locale_t{})), before_(uselocale(plain_)) {}
    ~PointAsDecimalMark() {
        uselocale(before_);
        if (plain_) freelocale(plain_);
    }
    PointAsDecimalMark(const PointAsDecimalMark&) = delete;
    PointAsDecimalMark& operator=(const PointAsDecimalMark&) = delete;

  private:
    locale_t plain_, before_;
};

bool read_soup(MeshFormat format, std::istream& stream, std::vector<Position>& points, std::vector<Face>& faces) {
    const auto quiet = CGAL::parameters::verbose(false);
    switch (format) {
        case MeshFormat::kObj:
            return CGAL::IO::read_OBJ(stream, points, faces, quiet);
        case MeshFormat::kOff:
            return CGAL::IO::read_OFF(stream, points, faces, quiet);
        case MeshFormat::kPly:
            return CGAL::IO::read_PLY(stream, points, faces, quiet);
        case MeshFormat::kStl:
            return CGAL::IO::read_STL(stream, points, faces, quiet);
    }
    return false;
}

}  // namespace

bool read_with_cgal(MeshFormat format, std::string text, MeshFile& mesh) {
    const PointAsDecimalMark plain;
    std::istringstream stream(std::move(text), std::ios::in | std::ios::binary);
    stream.imbue(std::locale::classic());
    std::vector<Position> points;
    std::vector<Face> faces;
    const bool whole = read_soup(format, stream, points, faces);

    mesh.points.reserve(points.size());
    for (const Position& p : points) mesh.points.push_back({p.x(), p.y(), p.z()});
    mesh.face_ends.reserve(faces.size());
    mesh.corners.reserve(3 * faces.size());
    for (const Face& face : faces) {
        mesh.corners.insert(mesh.corners.end(), face.begin(), face.end());
        mesh.face_ends.push_back(mesh.corners.size());
    }
    return whole;
}

}  // namespace flipscope::io
