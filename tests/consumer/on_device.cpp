// Points that lie in the device's memory already, many sets of them one after the other. Runs on CUDA where there is a
// GPU, and otherwise on CPU threads with the same results.
#include <flipscope/triangulate.h>

#include <cstdio>

int main() {
    flipscope::Context context;  // kAuto: CUDA, or CPU threads
    std::printf("on %s\n", context.device_name().c_str());
    flipscope::Triangulator triangulator(context, {.hull = false, .hash = false});  // keeps its memory

    std::vector<flipscope::Point> points(1000);
    flipscope::Buffer<flipscope::Point> on_device("points");
    uint32_t triangles = 0;
    for (int frame = 0; frame < 3; ++frame) {
        for (size_t i = 0; i < points.size(); ++i)
            points[i] = {double(i * 7919 % 1009), double((i + frame) * 104729 % 2003)};
        on_device.upload(context, points.data(), points.size());  // here a kernel of yours could write them

        // Of memory that you have allocated: View<const Point>{static_cast<const Point*>(pointer), count}.
        const flipscope::DeviceTriangulation& made = triangulator.triangulate_on_device(on_device.view());
        // made.triangles.view() is a pointer to the device's memory for your kernels; this reads one word of it.
        triangles = made.triangle_count;
        std::printf("frame %d: %u triangles, the first one at point %u\n", frame, triangles, made.triangles.read(0));
    }
    return triangles > 1900 ? 0 : 1;
}
