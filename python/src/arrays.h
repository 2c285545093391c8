// The core's memory as NumPy arrays without a copy, and the core's exceptions as Python's. For the sources of the
// extension module; independent of triangulations.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "flipscope/point.h"

namespace flipscope::python {

namespace py = pybind11;

using Shape = std::vector<py::ssize_t>;

/// A read-only array over `data`, kept alive by `owner`. Read-only because algorithms use its indices, and a wrong one
/// would lead them out of bounds.
template <class T>
py::array read_only(const Shape& shape, const void* data, py::handle owner) {
    py::array array(py::dtype::of<T>(), shape, {}, data, owner);
    array.attr("flags").attr("writeable") = false;
    return array;
}

/// The same of a vector, which the array then owns.
template <class T, class Element>
py::array owned(const Shape& shape, std::vector<Element>&& values) {
    auto kept = std::make_unique<std::vector<Element>>(std::move(values));
    const void* const data = kept->data();
    const py::capsule owner(kept.release(), [](void* vector) { delete static_cast<std::vector<Element>*>(vector); });
    return py::array(py::dtype::of<T>(), shape, {}, data, owner);
}
/// (n, 3) indices, such as triangles; kNone becomes -1.
inline py::array owned_rows(std::vector<std::array<uint32_t, 3>>&& rows) {
    const Shape shape{static_cast<py::ssize_t>(rows.size()), 3};
    return owned<int32_t>(shape, std::move(rows));
}
inline py::array owned_pairs(std::vector<std::array<uint32_t, 2>>&& rows) {
    const Shape shape{static_cast<py::ssize_t>(rows.size()), 2};
    return owned<int32_t>(shape, std::move(rows));
}
inline py::array owned_points(std::vector<Point>&& points) {
    const Shape shape{static_cast<py::ssize_t>(points.size()), 2};
    return owned<double>(shape, std::move(points));
}
inline py::array owned_indices(std::vector<uint32_t>&& values) {
    const Shape shape{static_cast<py::ssize_t>(values.size())};
    return owned<int32_t>(shape, std::move(values));
}

/// (n, 2) doubles as points; the Python side has checked shape, type, order and alignment.
inline std::span<const Point> points_in(const py::array& array) {
    return {static_cast<const Point*>(array.data()), static_cast<size_t>(array.shape(0))};
}
inline std::span<const std::array<uint32_t, 3>> triangles_in(const py::array& array) {
    return {static_cast<const std::array<uint32_t, 3>*>(array.data()), static_cast<size_t>(array.shape(0))};
}

}  // namespace flipscope::python
