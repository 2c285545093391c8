#include "io/number_reader.h"

#include <algorithm>
#include <limits>

#include "io/points.h"

namespace flipscope::io {

bool NumberReader::next_line(std::string_view& line) {
    if (rest_.empty()) return false;
    const size_t end = std::min(rest_.find('\n'), rest_.size());
    line = rest_.substr(0, end);
    line_ = next_;
    skip_bytes(std::min(end + 1, rest_.size()));
    return true;
}

void NumberReader::skip_line() {
    std::string_view ignored;
    next_line(ignored);
}

std::string_view NumberReader::word() {
    poll_();
    size_t begin = 0;
    while (begin < rest_.size() && (is_blank(rest_[begin]) || rest_[begin] == '\n')) ++begin;
    skip_bytes(begin);
    line_ = next_;
    if (rest_.empty()) throw ends_early();
    const std::string_view found = rest_.substr(0, rest_.find_first_of(" \t\r\n"));
    rest_.remove_prefix(found.size());
    return found;
}

double NumberReader::number_word(const char* what) {
    const std::string_view found = word();
    const std::optional<double> value = number_of(found);
    if (!value) throw expected(what, found);
    return *value == 0 && vanishes(found) ? std::numeric_limits<double>::denorm_min() : *value;
}

uint64_t NumberReader::bytes(size_t size) {
    poll_();
    if (rest_.size() < size) throw ends_early();
    const uint64_t bits = integer_at(rest_, 0, size, is_big_endian);
    rest_.remove_prefix(size);
    return bits;
}

void NumberReader::skip(size_t size, uint64_t numbers) {
    if (is_binary) {
        if (numbers > rest_.size() / size) throw ends_early();
        rest_.remove_prefix(size * numbers);
    } else {
        while (numbers-- > 0) word();
    }
}

void NumberReader::require_line_end() const {
    if (is_binary) return;
    const std::string_view behind = trimmed(rest_.substr(0, rest_.find('\n')));
    if (!behind.empty()) throw expected("the end of the line", behind);
}

void NumberReader::require_room(size_t size, uint64_t numbers) const {
    const size_t room = is_binary ? rest_.size() / size : (rest_.size() + 1) / 2;
    if (numbers > room)
        throw fail("promises " + std::to_string(numbers) + " numbers, but only " + std::to_string(rest_.size()) +
                   " bytes follow");
}

void NumberReader::skip_bytes(size_t count) {
    const std::string_view skipped = rest_.substr(0, count);
    if (!is_binary) next_ += static_cast<uint64_t>(std::ranges::count(skipped, '\n'));
    rest_.remove_prefix(count);
}

Error NumberReader::fail(const std::string& why) const {
    if (!is_binary) return Error(line_place(file_.path, line_) + why);
    return file_.fail((part.empty() ? "" : printable_within(part, 40) + ", ") + "byte " +
                      std::to_string(file_.bytes.size() - rest_.size()) + ": " + why);
}

Error NumberReader::ends_early() const {
    return file_.fail("ends within " + (part.empty() ? "its first lines" : printable_within(part, 40)));
}

}  // namespace flipscope::io
