// Interpolation on a triangulation and barycentric coordinates, for Python.
#include "flipscope/interpolate.h"

#include <optional>

#include "flipscope/predicates.h"
#include "triangulated.h"

namespace flipscope::python {

namespace {

/// Values at the points of a triangulation, which must outlive it.
class Interpolated {
  public:
    /// `values`: (n, k)
    Interpolated(Triangulated& on, const Rows<double, -1>& values, uint32_t method)
        : on_(on), columns_(static_cast<uint32_t>(values.shape(1))) {
        on_.run_on_device([&](Context& context, View<const Point> points, const DeviceTriangulation& triangulation) {
            made_.emplace(context, points, triangulation, View<const double>{values.data(), values.size()}, columns_,
                          static_cast<Interpolation>(method));
        });
    }
    /// (m, k)
    nb::object interpolate(const PointRows& places) {
        const std::span<const Point> at = points_in(places);
        std::vector<double> values(at.size() * columns_);
        on_.run_on_device([&](Context&, View<const Point>, const DeviceTriangulation&) {
            made_->interpolate({at.data(), at.size()}, {values.data(), values.size()});
        });
        return owned<double>({at.size(), columns_}, std::move(values));
    }

  private:
    Triangulated& on_;
    uint32_t columns_;
    std::optional<Interpolator> made_;
};

using Corners = nb::ndarray<const double, nb::shape<-1, 3, 2>, nb::c_contig, nb::device::cpu>;

/// (m, 3) the weights for which each place is the mean of its corners, from areas that are rounded once.
nb::object weights_in(const Corners& corners, const PointRows& places) {
    std::vector<std::array<double, 3>> weights(places.shape(0));
    for (size_t i = 0; i < places.shape(0); ++i) {
        const auto& [a, b, c] = rows_in<std::array<Point, 3>>(corners)[i];
        const Point p = points_in(places)[i];
        const double area = exact::orient2d_rounded(a, b, c);
        weights[i] = {exact::orient2d_rounded(p, b, c) / area, exact::orient2d_rounded(a, p, c) / area,
                      exact::orient2d_rounded(a, b, p) / area};
    }
    return owned<double>({weights.size(), 3}, std::move(weights));
}

}  // namespace

/// Call it after the class Triangulated is bound.
void bind_interpolation(nb::module_& module) {
    nb::class_<Interpolated>(module, "Interpolated")
        .def(nb::init<Triangulated&, const Rows<double, -1>&, uint32_t>(), nb::arg("on"), nb::arg("values").noconvert(),
             nb::arg("method"), nb::keep_alive<1, 2>())
        .def("interpolate", &Interpolated::interpolate, nb::arg("places").noconvert());
    module.def("weights_in", &weights_in, nb::arg("corners"), nb::arg("places"));
    nb::list names;
    for (const char* const name : kInterpolationNames) names.append(name);
    module.attr("interpolation_names") = nb::tuple(names);
}

}  // namespace flipscope::python
