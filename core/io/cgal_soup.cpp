// The one file of the library that sees CGAL: its readers of polygon soups, which keep doubles where others keep
// floats. It is compiled apart, so that nothing of CGAL reaches other sources or the programs that use the library.

#include <CGAL/IO/OBJ.h>
#include <CGAL/IO/STL.h>
#include <CGAL/Simple_cartesian.h>
#include <locale.h>

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <istream>
#include <locale>
#include <streambuf>
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

/// A text to be read as a stream, in parts; ends early when the cancel flag is found set between two of them. (What a
/// stream buffer throws, streams and CGAL would take for the end of the text, too.)
class TextInParts : public std::streambuf {
  public:
    explicit TextInParts(std::string text) : text_(std::move(text)) { show(0); }

  protected:
    int_type underflow() override {
        const size_t next = end_;
        if (next == text_.size()) return traits_type::eof();
        try {
            throw_if_cancelled();
        } catch (const Cancelled&) {
            return traits_type::eof();
        }
        show(next);
        return traits_type::to_int_type(*gptr());
    }
    pos_type seekoff(off_type by, std::ios_base::seekdir from, std::ios_base::openmode) override {
        const auto here = static_cast<off_type>(gptr() - text_.data()), all = static_cast<off_type>(text_.size());
        return seekpos(by + (from == std::ios::beg ? 0 : from == std::ios::cur ? here : all), std::ios::in);
    }
    pos_type seekpos(pos_type to, std::ios_base::openmode) override {
        const off_type place = to;
        if (place < 0 || place > static_cast<off_type>(text_.size())) return off_type(-1);
        show(static_cast<size_t>(place));
        return place;
    }

  private:
    static constexpr size_t kPart = 65536;  // bytes between two looks
    void show(size_t begin) {
        end_ = std::min(text_.size(), begin + kPart);
        char* const first = text_.data();
        setg(first + begin, first + begin, first + end_);
    }
    std::string text_;
    size_t end_ = 0;  // of the part that is shown
};

bool read_soup(MeshFormat format, std::istream& stream, std::vector<Position>& points, std::vector<Face>& faces) {
    const auto quiet = CGAL::parameters::verbose(false);
    switch (format) {
        case MeshFormat::kObj:
            return CGAL::IO::read_OBJ(stream, points, faces, quiet);
        case MeshFormat::kStl:
            return CGAL::IO::read_STL(stream, points, faces, quiet);
    }
    return false;
}

}  // namespace

bool read_with_cgal(MeshFormat format, std::string text, MeshFile& mesh) {
    const PointAsDecimalMark plain;
    TextInParts parts(std::move(text));
    std::istream stream(&parts);
    stream.imbue(std::locale::classic());
    std::vector<Position> points;
    std::vector<Face> faces;
    const bool whole = read_soup(format, stream, points, faces);
    throw_if_cancelled();

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
