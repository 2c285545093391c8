// Triangulations of a periodic box for Python: the arrays of triangulate_torus() without a copy, and point location.
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>

#include "arrays.h"
#include "flipscope/triangulate_torus.h"
#include "triangulated.h"

namespace flipscope::python {

namespace {

class Torus {
  public:
    Torus(const PointRows& points, const std::array<double, 2>& box, const std::string& device, int threads)
        : context_(make_context(device, threads)) {
        run(*context_, points.shape(0) < 4096, [&] {
            made_ = triangulate_torus(*context_, points_in(points), {box[0], box[1]});
        });
    }

    /// Places (q, 2), triangles (q), and their images (q, 2).
    nb::tuple locate(const PointRows& queries) {
        TorusPlaces found;
        run(*context_, queries.shape(0) < 4096, [&] { found = locate_on_torus(*context_, made_, points_in(queries)); });
        const Shape shape{found.images.size(), 2};
        return nb::make_tuple(owned_points(std::move(found.places)), owned_indices(std::move(found.triangles)),
                              owned<int8_t>(shape, std::move(found.images)));
    }

    const TorusTriangles& made() const { return made_; }
    std::string device() const { return context_->device_name(); }

  private:
    std::unique_ptr<Context> context_;
    TorusTriangles made_;
};

template <class T, auto kMember>
nb::object array_of(const nb::object& self, const Shape& row) {
    const auto& values = nb::cast<const Torus&>(self).made().*kMember;
    Shape shape{values.size()};
    shape.insert(shape.end(), row.begin(), row.end());
    return read_only<T>(shape, values.data(), self);
}

}  // namespace

void bind_torus(nb::module_& module) {
    nb::class_<Torus>(module, "Torus")
        .def(nb::init<const PointRows&, const std::array<double, 2>&, const std::string&, int>())
        .def_prop_ro("device", &Torus::device)
        .def_prop_ro("hash", [](const Torus& self) { return self.made().hash; })
        .def_prop_ro("box",
                     [](const Torus& self) {
                         return std::array<double, 2>{self.made().sides.x, self.made().sides.y};
                     })
        .def_prop_ro("points",
                     [](const nb::object& self) { return array_of<double, &TorusTriangles::points>(self, {2}); })
        .def("triangles",
             [](const nb::object& self) { return array_of<int32_t, &TorusTriangles::triangles>(self, {3}); })
        .def("across", [](const nb::object& self) { return array_of<int32_t, &TorusTriangles::across>(self, {3}); })
        .def("images",
             [](const nb::object& self) {
                 return array_of<int8_t, &TorusTriangles::images>(self, {3, 2});
             })
        .def("locate", &Torus::locate, nb::arg("queries"));
}

}  // namespace flipscope::python
