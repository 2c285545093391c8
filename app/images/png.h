// Pixels as a PNG file. Numbers of a lattice from one: images.h.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace flipscope::app {

/// `rgba`: width × height × 4 bytes, rows from the top; alpha is dropped. The file appears complete or not at all
/// (io/output_file.h). Throws flipscope::Error if it cannot be written.
void write_png(const std::filesystem::path& path, const std::vector<unsigned char>& rgba, int width, int height);

/// The pixels of such a file. Throws flipscope::Error if it cannot be read.
std::vector<unsigned char> read_png(const std::filesystem::path& path, int& width, int& height);

/// The bytes of such a file. `alpha`: keep it. Throws flipscope::Error if libpng fails.
std::string png_of(const std::vector<unsigned char>& rgba, int width, int height, bool alpha = false);

/// A PNG written row by row, so that the picture is never whole in memory.
class PngRows {
  public:
    /// `sink` receives the bytes of the file; put() and finish() rethrow its exceptions. `alpha`: keep the pixels'
    /// fourth byte. `dpi`: pixels per inch, 0: not recorded.
    PngRows(std::function<void(std::string_view)> sink, int width, int height, bool alpha, double dpi = 0);
    ~PngRows();
    PngRows(const PngRows&) = delete;
    PngRows& operator=(const PngRows&) = delete;
    /// The next row from the top, width × 4 bytes. Throws flipscope::Error if the picture cannot be written.
    void put(const unsigned char* rgba);
    /// Call after the last row.
    void finish();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace flipscope::app
