// A program that uses the core library and nothing else of Flipscope: the triangulation of a thousand points, checked,
// written and read again. It includes what its reader would include, and a kernel of its own.
#include <cstdio>
#include <filesystem>
#include <memory>

#include "compute/buffer.h"
#include "compute/launch.h"
#include "geometry/generators.h"
#include "io/geometry.h"
#include "io/mesh.h"
#include "lab/registry.h"

namespace {

struct Square {
    flipscope::View<uint32_t> numbers;
    FLIPSCOPE_HD void operator()(uint32_t i) const { numbers[i] = i * i; }
};

}  // namespace

int main() {
    flipscope::Context context(flipscope::DeviceRequest::kCpu, 2);

    flipscope::Buffer<uint32_t> squares("squares");
    squares.resize(context, 10000);
    flipscope::launch(context, "consumer.square", 10000, Square{squares.view()});
    if (squares.read(9999) != 9999u * 9999u) return 1;

    const auto points =
        std::make_shared<flipscope::Geometry>(flipscope::generate(flipscope::parse_generator("uniform:1000@seed=7")));
    const auto algorithm = flipscope::make_lab("build");
    algorithm->reset(context, points);
    algorithm->finish({});
    const flipscope::CheckReport check = flipscope::facet<flipscope::Checkable>(*algorithm).check();
    std::printf("%s\n", check.sentence.c_str());

    const auto file = std::filesystem::current_path() / "consumer.ply";
    const flipscope::TriangleSoup soup = algorithm->soup();
    flipscope::write_mesh(file, soup);
    const flipscope::Geometry again = flipscope::read_geometry(file);
    std::filesystem::remove(file);
    return check.passed && again.points == points->points && again.triangles == soup.triangles ? 0 : 1;
}
