#include "io/natural_order.h"

#include <cctype>

namespace flipscope::io {

static bool digit(char c) { return c >= '0' && c <= '9'; }

bool comes_before(const std::string& a, const std::string& b) {
    size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (digit(a[i]) && digit(b[j])) {
            while (i < a.size() && a[i] == '0') ++i;
            while (j < b.size() && b[j] == '0') ++j;
            size_t end_i = i, end_j = j;
            while (end_i < a.size() && digit(a[end_i])) ++end_i;
            while (end_j < b.size() && digit(b[end_j])) ++end_j;
            if (end_i - i != end_j - j) return end_i - i < end_j - j;
            const int order = a.compare(i, end_i - i, b, j, end_j - j);
            if (order != 0) return order < 0;
            i = end_i, j = end_j;
            continue;
        }
        const int x = std::tolower(static_cast<unsigned char>(a[i])),
                  y = std::tolower(static_cast<unsigned char>(b[j]));
        if (x != y) return x < y;
        ++i, ++j;
    }
    if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
    return a < b;
}

}  // namespace flipscope::io
