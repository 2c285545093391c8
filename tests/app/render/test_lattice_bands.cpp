// Lattices larger than a shader's limit; a separate file, since not every OpenGL has such a limit.
#include <string>

#include "app/lattice_sheet.h"

using namespace flipscope;
using namespace flipscope::app;

TEST_CASE("lattice view: larger than a shader may see at once, a lattice is drawn in bands") {
    Sheet sheet;
    if (!sheet) return;
    GLint64 most = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
    constexpr uint32_t kWidth = 16384;
    const auto height = static_cast<uint32_t>(most / (4 * kWidth)) * 3 / 2;
    if (most > (200 << 20)) {
        skip("here a shader sees " + std::to_string(most >> 20) + " MiB at once: no lattice is larger");
        return;
    }
    std::vector<uint32_t> colours(size_t(kWidth) * height);
    for (uint32_t y = 0; y < height; ++y)
        std::fill_n(colours.begin() + ptrdiff_t(size_t(y) * kWidth), kWidth, y / (height / 10));
    sheet.cells(kWidth, height, colours);
    const Camera camera = fitted(sheet.scene());
    sheet.draw(camera);
    for (uint32_t band = 0; band < 10; ++band) {
        CAPTURE(band);
        const double middle = (band + 0.5) * (height / 10);
        CHECK(distance(sheet.at(camera, {8000, middle}), sheet.tint(band)) < kSame);
    }
    // And from near by, at its far end.
    const Camera near{{16000, height - 10.0}, 20};
    sheet.draw(near);
    CHECK(distance(sheet.at(near, {16000.1, height - 8.1}), sheet.tint((height - 8) / (height / 10))) < kSame);
}
