// Interpolation on a triangulation, for Python.
#include "flipscope/interpolate.h"

#include <optional>

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

}  // namespace

void bind_interpolation(nb::module_& module) {
    nb::class_<Interpolated>(module, "Interpolated")
        .def(nb::init<Triangulated&, const Rows<double, -1>&, uint32_t>(), nb::arg("on"), nb::arg("values").noconvert(),
             nb::arg("method"), nb::keep_alive<1, 2>())
        .def("interpolate", &Interpolated::interpolate, nb::arg("places").noconvert());
    nb::list names;
    for (const char* const name : kInterpolationNames) names.append(name);
    module.attr("interpolation_names") = nb::tuple(names);
}

}  // namespace flipscope::python
