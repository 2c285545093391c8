#include "flipscope/interpolate.h"

#include <optional>

#include "interpolate.h"
#include "triangulated.h"

namespace flipscope::python {

namespace {

using ValueRows = Rows<double, -1>;  // (n, k)

/// Values at the points of a triangulation, which must outlive it: a copy of them, in the device's memory.
class Interpolated {
  public:
    Interpolated(Triangulated& on, const ValueRows& values, uint32_t method)
        : on_(on), columns_(static_cast<uint32_t>(values.shape(1))) {
        on_.run_on_device([&](Context& context, View<const Point> points, const DeviceTriangulation& triangulation) {
            values_.upload(context, values.data(), values.size());
            interpolator_.emplace(context, points, triangulation, values_.view(), columns_,
                                  static_cast<Interpolation>(method));
        });
    }
    /// (m, k)
    nb::object interpolate(const PointRows& places) {
        const std::span<const Point> at = points_in(places);
        std::vector<double> made(at.size() * columns_);
        on_.run_on_device([&](Context& context, View<const Point>, const DeviceTriangulation&) {
            if (!context.on_cuda()) {
                interpolator_->interpolate({at.data(), at.size()}, {made.data(), made.size()});
                return;
            }
            Buffer<Point> uploaded("places");
            Buffer<double> on_device("interpolated values");
            uploaded.upload(context, at.data(), at.size());
            on_device.resize(context, made.size());
            interpolator_->interpolate(uploaded.view(), on_device.view());
            on_device.download(made.data(), made.size());
        });
        return owned<double>({at.size(), columns_}, std::move(made));
    }

  private:
    Triangulated& on_;
    uint32_t columns_;
    Buffer<double> values_{"values"};
    std::optional<Interpolator> interpolator_;
};

}  // namespace

void bind_interpolation(nb::module_& module) {
    nb::class_<Interpolated>(module, "Interpolated")
        .def(nb::init<Triangulated&, const ValueRows&, uint32_t>(), nb::arg("on"), nb::arg("values").noconvert(),
             nb::arg("method"), nb::keep_alive<1, 2>())
        .def("interpolate", &Interpolated::interpolate, nb::arg("places").noconvert());
    nb::list names;
    for (const char* const name : kInterpolationNames) names.append(name);
    module.attr("interpolation_names") = nb::tuple(names);
}

}  // namespace flipscope::python
