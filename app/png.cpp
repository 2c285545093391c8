#include "app/png.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "compute/error.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace flipscope::app {

void write_png(const std::filesystem::path& path, const std::vector<unsigned char>& rgba, int width, int height) {
    std::vector<unsigned char> rgb(static_cast<size_t>(width) * static_cast<size_t>(height) * 3);
    for (size_t i = 0; i < rgb.size() / 3; ++i) std::memcpy(&rgb[3 * i], &rgba[4 * i], 3);
    std::ofstream file(path, std::ios::binary);
    const auto append = [](void* to, void* bytes, int count) {
        static_cast<std::ofstream*>(to)->write(static_cast<const char*>(bytes), count);
    };
    if (file) stbi_write_png_to_func(append, &file, width, height, 3, rgb.data(), width * 3);
    file.close();
    if (!file) throw Error(path.string() + ": the picture cannot be written: " + std::strerror(errno));
}

}  // namespace flipscope::app
