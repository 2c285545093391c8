// Writing pixels as a PNG file. Reading one: image_formats.h.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace flipscope::app {

/// `rgba`: width × height × 4 bytes, rows from the top; written without transparency. The file appears whole or not at
/// all (io/output_file.h). Throws flipscope::Error when it cannot be written.
void write_png(const std::filesystem::path& path, const std::vector<unsigned char>& rgba, int width, int height);

/// The bytes of such a file. Throws flipscope::Error where libpng refuses.
std::string png_of(const std::vector<unsigned char>& rgba, int width, int height);

/// A picture whose rows are handed over one after the other, so that it need never be in memory whole.
class PngRows {
  public:
    /// `sink` takes the bytes of the file; what it throws comes out of put() and finish(). `alpha`: whether pixels keep
    /// the fourth of their bytes. `dpi`: pixels per inch, 0: not said.
    PngRows(std::function<void(std::string_view)> sink, int width, int height, bool alpha, double dpi = 0);
    ~PngRows();
    PngRows(const PngRows&) = delete;
    PngRows& operator=(const PngRows&) = delete;
    /// The next row from the top, width × 4 bytes. Throws flipscope::Error when the picture cannot be written.
    void put(const unsigned char* rgba);
    /// After the last row.
    void finish();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace flipscope::app
