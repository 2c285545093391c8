// Triangulates the points of a file with CGAL and writes the triangles: three indices a line, from 0.
//
//     g++ -O2 -std=c++17 cgal_delaunay.cpp -o cgal_delaunay -lgmp -lmpfr
//     ./cgal_delaunay POINTS TRIANGLES [exact | double | float | int]
//
// exact (without a word): Exact_predicates_inexact_constructions_kernel. The other kernels compute in the plain numbers
// of their names, which CGAL's manual advises against: they are here to be broken. A broken precondition of CGAL ends
// with status 1 and CGAL's sentence.
#include <CGAL/Delaunay_triangulation_2.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/Triangulation_vertex_base_with_info_2.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace {

template <class Kernel>
void triangulate(const char* points_file, const char* triangles_file) {
    using Vertex = CGAL::Triangulation_vertex_base_with_info_2<int, Kernel>;
    using Delaunay = CGAL::Delaunay_triangulation_2<Kernel, CGAL::Triangulation_data_structure_2<Vertex>>;
    using Number = typename Kernel::FT;
    std::ifstream in(points_file);
    if (!in) throw std::runtime_error(std::string(points_file) + " cannot be read");
    Delaunay triangulation;
    double x, y;
    for (int i = 0; in >> x >> y; ++i) {
        // One after the other, in the order of the file. Of equal points the first names the vertex.
        const std::size_t before = triangulation.number_of_vertices();
        const auto vertex =
            triangulation.insert(typename Delaunay::Point(static_cast<Number>(x), static_cast<Number>(y)));
        if (triangulation.number_of_vertices() > before) vertex->info() = i;
    }
    std::ofstream out(triangles_file);
    for (auto face = triangulation.finite_faces_begin(); face != triangulation.finite_faces_end(); ++face)
        out << face->vertex(0)->info() << ' ' << face->vertex(1)->info() << ' ' << face->vertex(2)->info() << '\n';
    if (!out.flush()) throw std::runtime_error(std::string(triangles_file) + " cannot be written");
}

}  // namespace

int main(int count, char** words) {
    const std::string kernel = count == 4 ? words[3] : "exact";
    if (count != 3 && count != 4) {
        std::fprintf(stderr, "usage: cgal_delaunay POINTS TRIANGLES [exact | double | float | int]\n");
        return 2;
    }
    CGAL::set_error_behaviour(CGAL::THROW_EXCEPTION);
    CGAL::set_error_handler([](const char*, const char*, const char*, int, const char*) {});
    try {
        if (kernel == "exact")
            triangulate<CGAL::Exact_predicates_inexact_constructions_kernel>(words[1], words[2]);
        else if (kernel == "double")
            triangulate<CGAL::Simple_cartesian<double>>(words[1], words[2]);
        else if (kernel == "float")
            triangulate<CGAL::Simple_cartesian<float>>(words[1], words[2]);
        else if (kernel == "int")
            triangulate<CGAL::Simple_cartesian<int>>(words[1], words[2]);
        else
            throw std::runtime_error("expected exact, double, float or int, found " + kernel);
    } catch (const std::exception& error) {
        std::string sentence = error.what();
        for (char& letter : sentence)
            if (letter == '\n') letter = ' ';
        std::fprintf(stderr, "CGAL: %s\n", sentence.c_str());
        return 1;
    }
}
