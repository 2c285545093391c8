// PBM, PGM and PPM (netpbm.sourceforge.net/doc/pgm.html and its neighbours): a header of words, in which "#" starts a
// comment, then samples as text (P1, P2, P3) or as bytes (P4, P5, P6); two bytes, high one first, if the maximum
// exceeds 255.
#include <algorithm>
#include <vector>

#include "app/images/image_formats.h"

namespace flipscope::app {

namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class PnmReader {
  public:
    PnmReader(const std::filesystem::path& path, std::string_view bytes) : path_(path), bytes_(bytes) {}

    FieldStack read() {
        const char kind = bytes_[1];
        at_ = 2;
        plain_ = kind <= '3';
        bitmap_ = kind == '1' || kind == '4';
        channels_ = kind == '3' || kind == '6' ? 3 : 1;
        const uint64_t width = number("a width in pixels"), height = number("a height in pixels");
        most_ = bitmap_ ? 1 : number("the largest value of a sample");
        if (most_ < 1 || most_ > 65535)
            throw fail("expected 1 to 65535 as the largest value, found " + std::to_string(most_));
        require_size(path_, width, height);
        width_ = static_cast<uint32_t>(width);
        height_ = static_cast<uint32_t>(height);
        return plain_ ? read_plain() : read_raw();
    }

  private:
    Error fail(const std::string& what) const {
        const auto line = 1 + std::ranges::count(bytes_.substr(0, at_), '\n');
        return Error(path_.string() + ":" + std::to_string(line) + ": " + what);
    }

    void skip_spaces() {
        while (at_ < bytes_.size() && (is_space(bytes_[at_]) || bytes_[at_] == '#')) {
            if (bytes_[at_] == '#')
                at_ = std::min(bytes_.find('\n', at_), bytes_.size());
            else
                ++at_;
        }
    }

    Error expected(const char* what) const {
        const std::string_view rest = bytes_.substr(at_);
        return fail(std::string("expected ") + what + ", found " +
                    (rest.empty() ? "the end of the file" : excerpt(rest.substr(0, rest.find('\n')))));
    }

    uint64_t number(const char* what) {
        skip_spaces();
        uint64_t value = 0;
        constexpr uint64_t kMost = 1'000'000'000'000;  // beyond every valid value; further digits are ignored
        size_t end = at_;
        for (; end < bytes_.size() && is_digit(bytes_[end]); ++end)
            value = std::min(10 * value + static_cast<uint64_t>(bytes_[end] - '0'), kMost);
        const bool stops = end == bytes_.size() || is_space(bytes_[end]) || bytes_[end] == '#';
        if (end == at_ || !stops) throw expected(what);
        at_ = end;
        return value;
    }

    uint64_t sample_count() const { return uint64_t{width_} * height_ * static_cast<uint64_t>(channels_); }

    Error too_short(uint64_t bytes_needed) const {
        return image_error(path_, "it ends early: " + size() + " pixels take at least " + std::to_string(bytes_needed) +
                                      " bytes, and " + std::to_string(bytes_.size() - at_) + " follow its header");
    }
    std::string size() const { return std::to_string(width_) + " × " + std::to_string(height_); }

    /// Only blanks may follow the picture; anything else is a second picture or a wrong header.
    void require_end() const {
        const std::string_view rest = bytes_.substr(at_);
        if (std::ranges::all_of(rest, is_space)) return;
        throw image_error(path_, std::to_string(rest.size()) + " bytes follow its " + size() +
                                     " pixels; is its header right, and does it hold one picture only?");
    }

    FieldStack read_plain() {
        // A digit and a blank per sample; a bitmap's digits need no blanks.
        const uint64_t least = bitmap_ ? sample_count() : 2 * sample_count() - 1;
        if (bytes_.size() - at_ < least) throw too_short(least);
        GreyRows grey(path_, width_, height_);
        std::vector<uint16_t> row(size_t{width_} * static_cast<size_t>(channels_));
        for (uint32_t y = 0; y < height_; ++y) {
            for (uint16_t& sample : row) sample = bitmap_ ? plain_bit() : plain_sample();
            grey.add(row.data(), channels_, static_cast<double>(most_));
        }
        skip_spaces();
        require_end();
        return grey.take();
    }

    uint16_t plain_bit() {
        skip_spaces();
        if (at_ == bytes_.size() || (bytes_[at_] != '0' && bytes_[at_] != '1')) throw expected("0 or 1 for each pixel");
        return bytes_[at_++] == '0';  // 1 is black
    }

    uint16_t plain_sample() {
        const uint64_t value = number("a number for each sample");
        if (value > most_)
            throw fail("a sample is " + std::to_string(value) + ", and the largest value was to be " +
                       std::to_string(most_));
        return static_cast<uint16_t>(value);
    }

    /// The one blank between header and samples, or a comment up to the end of its line.
    void skip_delimiter(uint64_t bytes_needed) {
        if (at_ == bytes_.size()) throw too_short(bytes_needed);
        if (bytes_[at_] == '#') at_ = std::min(bytes_.find('\n', at_), bytes_.size() - 1);
        // Windows line ends: only the size distinguishes them from a first sample of 10.
        const bool two = bytes_.substr(at_).starts_with("\r\n") && bytes_.size() - at_ - 2 == bytes_needed;
        at_ += two ? 2 : 1;
    }

    FieldStack read_raw() {
        const size_t sample_bytes = most_ > 255 ? 2 : 1;
        const uint64_t row_bytes =
            bitmap_ ? (uint64_t{width_} + 7) / 8 : uint64_t{width_} * static_cast<uint64_t>(channels_) * sample_bytes;
        skip_delimiter(row_bytes * height_);
        if (bytes_.size() - at_ < row_bytes * height_) throw too_short(row_bytes * height_);
        GreyRows grey(path_, width_, height_);
        std::vector<uint16_t> row(size_t{width_} * static_cast<size_t>(channels_));
        const auto byte = [&](size_t i) { return static_cast<unsigned char>(bytes_[at_ + i]); };
        for (uint32_t y = 0; y < height_; ++y, at_ += row_bytes) {
            for (size_t i = 0; i < row.size(); ++i) {
                if (bitmap_)
                    row[i] = (byte(i / 8) >> (7 - i % 8) & 1) == 0;  // 1 is black
                else
                    row[i] = static_cast<uint16_t>(sample_bytes == 1 ? byte(i) : byte(2 * i) << 8 | byte(2 * i + 1));
                if (row[i] > most_)
                    throw image_error(path_, "row " + std::to_string(y) + " from the top, column " +
                                                 std::to_string(i / static_cast<size_t>(channels_)) + " has " +
                                                 std::to_string(row[i]) + ", and the largest value was to be " +
                                                 std::to_string(most_));
            }
            grey.add(row.data(), channels_, static_cast<double>(most_));
        }
        require_end();
        return grey.take();
    }

    const std::filesystem::path& path_;
    std::string_view bytes_;
    size_t at_ = 0;
    bool plain_ = false, bitmap_ = false;
    int channels_ = 1;
    uint64_t most_ = 255;
    uint32_t width_ = 0, height_ = 0;
};

}  // namespace

FieldStack read_pnm(const ImageFile& file) { return PnmReader(file.path, file.bytes).read(); }

}  // namespace flipscope::app
