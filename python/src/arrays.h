// The core's memory as NumPy arrays without a copy, and NumPy arrays as the core's spans. For the sources of the
// extension module; independent of triangulations.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "flipscope/point.h"

namespace flipscope::python {

namespace nb = nanobind;

using Shape = std::vector<size_t>;

/// Rows of `columns` numbers in host memory, compact and row-major; the Python side has checked shape and type.
template <class T, nb::ssize_t columns>
using Rows = nb::ndarray<const T, nb::shape<-1, columns>, nb::c_contig, nb::device::cpu>;
template <class T>
using Column = nb::ndarray<const T, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using PointRows = Rows<double, 2>;
using TriangleRows = Rows<uint32_t, 3>;

/// A read-only array over `data`, kept alive by `owner`. Read-only because algorithms use its indices, and a wrong one
/// would lead them out of bounds.
template <class T>
nb::object read_only(const Shape& shape, const void* data, nb::handle owner) {
    return nb::cast(nb::ndarray<nb::numpy, const T>(data, shape.size(), shape.data(), owner));
}

/// The same of a vector, which the array then owns.
template <class T, class Element>
nb::object owned(const Shape& shape, std::vector<Element>&& values) {
    auto* const kept = new std::vector<Element>(std::move(values));
    const nb::capsule owner(kept, [](void* vector) noexcept { delete static_cast<std::vector<Element>*>(vector); });
    return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), shape.data(), owner));
}
/// (n, 3) indices, such as triangles; kNone becomes -1.
inline nb::object owned_rows(std::vector<std::array<uint32_t, 3>>&& rows) {
    const Shape shape{rows.size(), 3};
    return owned<int32_t>(shape, std::move(rows));
}
inline nb::object owned_pairs(std::vector<std::array<uint32_t, 2>>&& rows) {
    const Shape shape{rows.size(), 2};
    return owned<int32_t>(shape, std::move(rows));
}
inline nb::object owned_points(std::vector<Point>&& points) {
    const Shape shape{points.size(), 2};
    return owned<double>(shape, std::move(points));
}
inline nb::object owned_indices(std::vector<uint32_t>&& values) {
    const Shape shape{values.size()};
    return owned<int32_t>(shape, std::move(values));
}
template <class T>
nb::object owned_values(std::vector<T>&& values) {
    const Shape shape{values.size()};
    return owned<T>(shape, std::move(values));
}

/// A list of pairs.
template <class Pair>
nb::list pairs_of(const std::vector<Pair>& pairs) {
    nb::list list;
    for (const Pair& pair : pairs) list.append(nb::make_tuple(pair[0], pair[1]));
    return list;
}

template <class Row, class... Kind>
std::span<const Row> rows_in(const nb::ndarray<Kind...>& array) {
    return {reinterpret_cast<const Row*>(array.data()), array.shape(0)};
}
inline std::span<const Point> points_in(const PointRows& array) { return rows_in<Point>(array); }
inline std::span<const std::array<uint32_t, 3>> triangles_in(const TriangleRows& array) {
    return rows_in<std::array<uint32_t, 3>>(array);
}
template <class T>
std::span<const T> values_in(const Column<T>& array) {
    return {array.data(), array.shape(0)};
}

}  // namespace flipscope::python
