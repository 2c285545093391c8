#include "geometry/exact_values.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <vector>

#include "flipscope/predicates.h"

namespace flipscope {

namespace {

/// An integer of any size.
class Whole {
  public:
    Whole() = default;
    /// value / 2^low, which must be an integer.
    Whole(double value, int low) {
        if (value == 0) return;
        int exponent = 0;
        const double fraction = std::frexp(value, &exponent);
        auto mantissa = static_cast<uint64_t>(std::ldexp(std::fabs(fraction), 53));
        negative_ = value < 0;
        int shift = exponent - 53 - low;
        if (shift < 0) {
            mantissa >>= -shift;
            shift = 0;
        }
        limbs_ = {static_cast<uint32_t>(mantissa), static_cast<uint32_t>(mantissa >> 32)};
        trim();
        shift_left(static_cast<size_t>(shift));
    }

    bool is_zero() const { return limbs_.empty(); }
    bool negative() const { return negative_; }
    size_t bits() const {
        return limbs_.empty() ? 0 : 32 * (limbs_.size() - 1) + static_cast<size_t>(std::bit_width(limbs_.back()));
    }
    bool bit(size_t k) const { return k / 32 < limbs_.size() && (limbs_[k / 32] >> (k % 32) & 1); }
    size_t trailing_zeros() const {
        size_t k = 0;
        while (!is_zero() && !bit(k)) ++k;
        return k;
    }

    friend Whole operator+(const Whole& a, const Whole& b) {
        if (a.negative_ == b.negative_) return a.added(b);
        return a.is_less(b) ? b.less(a) : a.less(b);
    }
    friend Whole operator-(const Whole& a, Whole b) {
        b.negative_ = !b.negative_ && !b.is_zero();
        return a + b;
    }
    friend Whole operator*(const Whole& a, const Whole& b) {
        Whole product;
        product.limbs_.assign(a.limbs_.size() + b.limbs_.size(), 0);
        for (size_t i = 0; i < a.limbs_.size(); ++i) {
            uint64_t carry = 0;
            for (size_t j = 0; j < b.limbs_.size() || carry; ++j) {
                const uint64_t factor = j < b.limbs_.size() ? b.limbs_[j] : 0;
                carry += uint64_t(a.limbs_[i]) * factor + product.limbs_[i + j];
                product.limbs_[i + j] = static_cast<uint32_t>(carry);
                carry >>= 32;
            }
        }
        product.negative_ = a.negative_ != b.negative_;
        product.trim();
        return product;
    }

    void shift_right(size_t by) {
        limbs_.erase(limbs_.begin(), limbs_.begin() + static_cast<std::ptrdiff_t>(std::min(by / 32, limbs_.size())));
        if (by % 32)
            for (size_t i = 0; i < limbs_.size(); ++i) {
                const uint64_t above = i + 1 < limbs_.size() ? limbs_[i + 1] : 0;
                limbs_[i] = static_cast<uint32_t>((above << 32 | limbs_[i]) >> (by % 32));
            }
        trim();
    }
    std::string decimal() const {
        if (is_zero()) return "0";
        std::vector<uint32_t> rest = limbs_;
        std::string digits;
        while (!rest.empty()) {
            uint64_t remainder = 0;
            for (size_t i = rest.size(); i-- > 0;) {
                remainder = remainder << 32 | rest[i];
                rest[i] = static_cast<uint32_t>(remainder / 1'000'000'000);
                remainder %= 1'000'000'000;
            }
            while (!rest.empty() && rest.back() == 0) rest.pop_back();
            for (int k = 0; k < 9 && (remainder || !rest.empty()); ++k, remainder /= 10)
                digits += static_cast<char>('0' + remainder % 10);
        }
        if (negative_) digits += '-';
        std::reverse(digits.begin(), digits.end());
        return digits;
    }
    /// The double nearest to it times 2^exponent, of two the even one.
    double rounded(int exponent) const {
        const size_t width = bits();
        if (width == 0) return 0;
        const size_t dropped = width > 53 ? width - 53 : 0;
        uint64_t kept = 0;
        for (size_t k = width; k-- > dropped;) kept = kept << 1 | bit(k);
        if (dropped) {
            bool beyond = false;
            for (size_t k = 0; k + 1 < dropped && !beyond; ++k) beyond = bit(k);
            if (bit(dropped - 1) && (beyond || (kept & 1))) ++kept;
        }
        const double value = std::ldexp(static_cast<double>(kept), static_cast<int>(dropped) + exponent);
        return negative_ ? -value : value;
    }

  private:
    void trim() {
        while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
        if (limbs_.empty()) negative_ = false;
    }
    void shift_left(size_t by) {
        if (is_zero()) return;
        if (by % 32) {
            limbs_.push_back(0);
            for (size_t i = limbs_.size(); i-- > 0;) {
                const uint64_t below = i ? limbs_[i - 1] : 0;
                limbs_[i] = static_cast<uint32_t>((uint64_t(limbs_[i]) << 32 | below) << (by % 32) >> 32);
            }
        }
        limbs_.insert(limbs_.begin(), by / 32, 0);
        trim();
    }
    /// Compares magnitudes.
    bool is_less(const Whole& other) const {
        if (limbs_.size() != other.limbs_.size()) return limbs_.size() < other.limbs_.size();
        return std::lexicographical_compare(limbs_.rbegin(), limbs_.rend(), other.limbs_.rbegin(), other.limbs_.rend());
    }
    Whole added(const Whole& other) const {
        Whole sum = *this;
        sum.limbs_.resize(std::max(limbs_.size(), other.limbs_.size()) + 1, 0);
        uint64_t carry = 0;
        for (size_t i = 0; i < sum.limbs_.size(); ++i) {
            carry += uint64_t(sum.limbs_[i]) + (i < other.limbs_.size() ? other.limbs_[i] : 0);
            sum.limbs_[i] = static_cast<uint32_t>(carry);
            carry >>= 32;
        }
        sum.trim();
        return sum;
    }
    /// Subtracts the magnitude of `other`, which is not greater.
    Whole less(const Whole& other) const {
        Whole left = *this;
        uint64_t borrow = 0;
        for (size_t i = 0; i < left.limbs_.size(); ++i) {
            const uint64_t taken = borrow + (i < other.limbs_.size() ? other.limbs_[i] : 0);
            borrow = left.limbs_[i] < taken;
            left.limbs_[i] = static_cast<uint32_t>(left.limbs_[i] - taken);
        }
        left.trim();
        return left;
    }

    std::vector<uint32_t> limbs_;  // from the lowest; none of a 0 at the top
    bool negative_ = false;
};

/// The exponent of the lowest bit set in any of the numbers; 0 where all are 0.
int lowest_bit_of(std::initializer_list<double> numbers) {
    int low = 2000;
    for (const double number : numbers) {
        if (number == 0) continue;
        int exponent = 0;
        const double fraction = std::frexp(std::fabs(number), &exponent);
        const auto mantissa = static_cast<uint64_t>(std::ldexp(fraction, 53));
        low = std::min(low, exponent - 53 + std::countr_zero(mantissa));
    }
    return low == 2000 ? 0 : low;
}

ExactValue exact_value(Whole whole, int exponent) {
    ExactValue value;
    if (whole.is_zero()) return value;
    value.sign = whole.negative() ? -1 : 1;
    value.rounded = whole.rounded(exponent);
    const size_t zeros = whole.trailing_zeros();
    whole.shift_right(zeros);
    value.integer = whole.decimal();
    value.exponent = exponent + static_cast<int>(zeros);
    value.bits = static_cast<int>(whole.bits());
    return value;
}

}  // namespace

std::string ExactValue::text(size_t most_digits) const {
    if (sign == 0) return "0";
    const bool is_short = integer.size() - (sign < 0) <= most_digits;
    if (is_short && exponent >= 0 && exponent < 64) {
        Whole power(std::ldexp(1.0, exponent), 0);
        Whole whole;
        Whole ten(10.0, 0);
        for (const char digit : integer)
            if (digit != '-') whole = whole * ten + Whole(static_cast<double>(digit - '0'), 0);
        const std::string digits = (whole * power).decimal();
        if (digits.size() <= most_digits) return (sign < 0 ? "-" : "") + digits;
    }
    const std::string factor =
        exponent == 0 ? "" : (exponent > 0 ? " · 2^" : " / 2^") + std::to_string(std::abs(exponent));
    if (is_short) return integer + factor;
    return std::string(sign < 0 ? "minus " : "") + "an odd integer of " + std::to_string(bits) + " bits" + factor;
}

DeterminantValues orient2d_values(Point a, Point b, Point c) {
    DeterminantValues values;
    const auto f = [](double v) { return static_cast<float>(v); };
    const float acx = f(a.x) - f(c.x), acy = f(a.y) - f(c.y), bcx = f(b.x) - f(c.x), bcy = f(b.y) - f(c.y);
    values.single = acx * bcy - acy * bcx;
    const detail::Determinant rounded = detail::orient2d(a, b, c);
    values.rounded = rounded.value;
    values.error = rounded.error;
    const int low = lowest_bit_of({a.x, a.y, b.x, b.y, c.x, c.y});
    const auto difference = [&](double p, double q) { return Whole(p, low) - Whole(q, low); };
    values.exact =
        exact_value(difference(a.x, c.x) * difference(b.y, c.y) - difference(a.y, c.y) * difference(b.x, c.x), 2 * low);
    return values;
}

DeterminantValues incircle_values(Point a, Point b, Point c, Point d) {
    DeterminantValues values;
    const Point corners[3] = {a, b, c};
    const int low = lowest_bit_of({a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y});
    float fx[3], fy[3];
    Whole x[3], y[3];
    for (int k = 0; k < 3; ++k) {
        fx[k] = static_cast<float>(corners[k].x) - static_cast<float>(d.x);
        fy[k] = static_cast<float>(corners[k].y) - static_cast<float>(d.y);
        x[k] = Whole(corners[k].x, low) - Whole(d.x, low);
        y[k] = Whole(corners[k].y, low) - Whole(d.y, low);
    }
    Whole sum;
    for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        values.single += (fx[k] * fx[k] + fy[k] * fy[k]) * (fx[l] * fy[m] - fx[m] * fy[l]);
        sum = sum + (x[k] * x[k] + y[k] * y[k]) * (x[l] * y[m] - x[m] * y[l]);
    }
    const detail::Determinant rounded = detail::incircle(a, b, c, d);
    values.rounded = rounded.value;
    values.error = rounded.error;
    values.exact = exact_value(sum, 4 * low);
    return values;
}

std::string hex_text(double value) {
    char text[64];
    std::snprintf(text, sizeof(text), "%a", value);
    return text;
}
std::string float_text(float value) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof(text), value);
    return {text, end.ptr};
}

}  // namespace flipscope
