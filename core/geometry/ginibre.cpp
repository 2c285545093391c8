#include "geometry/point_patterns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/portable_math.h"
#include "compute/work.h"

namespace flipscope {
namespace {

// Written out, for the same roundings everywhere and for speed: std::complex looks for infinities.
Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
Point operator*(Point a, Point b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
Point operator*(double s, Point a) { return {s * a.x, s * a.y}; }
Point conjugate(Point a) { return {a.x, -a.y}; }
double square(Point a) { return a.x * a.x + a.y * a.y; }
double size_of(Point a) { return std::fabs(a.x) + std::fabs(a.y); }

Point square_root(Point a) {
    const double length = std::sqrt(square(a));
    if (length == 0) return {0, 0};
    const double larger = std::sqrt((length + std::fabs(a.x)) / 2), smaller = a.y / (2 * larger);
    if (a.x >= 0) return {larger, smaller};
    return {std::fabs(smaller), a.y < 0 ? -larger : larger};
}

/// The eigenvalue of [[a, b], [c, d]] that is nearer to d.
Point nearer_eigenvalue(Point a, Point b, Point c, Point d) {
    const Point half = 0.5 * (a - d), product = b * c, root = square_root(half * half + product);
    const Point sum = half + root, difference = half - root;
    const Point larger = square(sum) >= square(difference) ? sum : difference;
    const double norm = square(larger);
    if (norm == 0) return d;
    return d - (1 / norm) * (product * conjugate(larger));  // the product of both offsets from d is -b c
}

/// [[c, s], [-s*, c]] with a real c: what makes (f, g) into (r, 0).
struct Rotation {
    double c = 1;
    Point s{0, 0};
};

Rotation rotation_to_clear(Point f, Point g) {
    const double f_square = square(f), g_square = square(g);
    if (g_square == 0) return {};
    if (f_square == 0) return {0, (1 / std::sqrt(g_square)) * conjugate(g)};
    const double both = std::sqrt(f_square * (f_square + g_square));
    return {f_square / both, (1 / both) * (f * conjugate(g))};
}

/// The matrix's rows first … last and columns of the same numbers, of which one QR step is made: subtract the shift,
/// clear the subdiagonal by rotations of rows, apply their inverses to the columns, add the shift.
class Step {
  public:
    Step(std::vector<Point>& rows, uint64_t n) : rows_(rows.data()), n_(n), rotations_(n) {}

    void run(uint64_t first, uint64_t last, Point shift) {
        for (uint64_t k = first; k <= last; ++k) at(k, k) = at(k, k) - shift;
        for (uint64_t k = first; k < last; ++k) {
            poll_();
            const Rotation rotation = rotations_[k] = rotation_to_clear(at(k, k), at(k + 1, k));
            rotate_rows(rows_ + k * n_, rows_ + (k + 1) * n_, k, last, rotation);
            at(k + 1, k) = {0, 0};
        }
        uint64_t row = first;
        for (; row + kTogether - 1 <= last; row += kTogether) {
            poll_();
            const uint64_t common = row + kTogether - 1;  // the first rotation that all of them take
            for (uint64_t i = row; i < row + kTogether; ++i)
                for (uint64_t k = i > first ? i - 1 : first; k < std::min(common, last); ++k) rotate_columns(i, k);
            rotate_columns_of_four(row, common, last);
        }
        for (; row <= last; ++row)
            for (uint64_t k = row > first ? row - 1 : first; k < last; ++k) rotate_columns(row, k);
        for (uint64_t k = first; k <= last; ++k) at(k, k) = at(k, k) + shift;
    }

    Point& at(uint64_t row, uint64_t column) { return rows_[row * n_ + column]; }

  private:
    static constexpr uint64_t kTogether = 4;  // rows: each is a chain of operations that wait for each other

    static void rotate_rows(Point* __restrict upper, Point* __restrict lower, uint64_t from, uint64_t last,
                            Rotation r) {
        for (uint64_t column = from; column <= last; ++column) {
            const Point a = upper[column], b = lower[column];
            upper[column] = r.c * a + r.s * b;
            lower[column] = r.c * b - conjugate(r.s) * a;
        }
    }
    void rotate_columns(uint64_t row, uint64_t k) {
        const Rotation r = rotations_[k];
        const Point a = at(row, k), b = at(row, k + 1);
        at(row, k) = r.c * a + conjugate(r.s) * b;
        at(row, k + 1) = r.c * b - r.s * a;
    }
    void rotate_columns_of_four(uint64_t row, uint64_t from, uint64_t last) {
        if (from >= last) return;
        Point* const lines[kTogether] = {rows_ + row * n_, rows_ + (row + 1) * n_, rows_ + (row + 2) * n_,
                                         rows_ + (row + 3) * n_};
        Point left[kTogether];
        for (uint64_t i = 0; i < kTogether; ++i) left[i] = lines[i][from];
        for (uint64_t k = from; k < last; ++k) {
            const Rotation r = rotations_[k];
            for (uint64_t i = 0; i < kTogether; ++i) {
                const Point b = lines[i][k + 1];
                lines[i][k] = r.c * left[i] + conjugate(r.s) * b;
                left[i] = r.c * b - r.s * left[i];
            }
        }
        for (uint64_t i = 0; i < kTogether; ++i) lines[i][last] = left[i];
    }

    Point* rows_;
    uint64_t n_;
    std::vector<Rotation> rotations_;
    CancelPoll poll_{1024};  // of a microsecond each
};

}  // namespace

std::vector<Point> hessenberg_eigenvalues(std::vector<Point>& rows, uint64_t n) {
    if (rows.size() != n * n)
        throw Error("a matrix of " + std::to_string(n) + " rows has " + std::to_string(n * n) + " entries, found " +
                    std::to_string(rows.size()));
    constexpr uint64_t kPatience = 10;  // steps until a shift from elsewhere breaks a cycle
    Step step(rows, n);
    std::vector<Point> eigenvalues;
    eigenvalues.reserve(n);
    WorkStage stage("eigenvalues", n * (n + 1) * (2 * n + 1) / 6);  // one of k rows takes k² operations or so
    uint64_t steps = 0;
    for (uint64_t end = n; end > 0;) {  // rows below `end` are still coupled
        const uint64_t last = end - 1;
        uint64_t first = last;
        for (; first > 0; --first) {
            const double around = size_of(step.at(first - 1, first - 1)) + size_of(step.at(first, first));
            if (size_of(step.at(first, first - 1)) <= std::numeric_limits<double>::epsilon() * around) break;
        }
        if (first == last) {
            eigenvalues.push_back(step.at(last, last));
            stage.advance(end * end);
            --end;
            steps = 0;
            continue;
        }
        Point shift = nearer_eigenvalue(step.at(last - 1, last - 1), step.at(last - 1, last), step.at(last, last - 1),
                                        step.at(last, last));
        if (++steps % kPatience == 0) shift = shift + Point{0.75 * size_of(step.at(last, last - 1)), 0};
        step.run(first, last, shift);
    }
    return eigenvalues;
}

std::vector<Point> ginibre_matrix(uint64_t n, const Random& random) {
    std::vector<Point> rows;
    resize_or_cancel(rows, n * n);
    CancelPoll poll;
    const auto part = [](double uniform) {  // of variance 1/2
        const double middle = (static_cast<double>(static_cast<uint64_t>(uniform * 0x1p52)) + 0.5) * 0x1p-52;
        return portable::normal_quantile(middle - 0.5) * std::sqrt(0.5);
    };
    for (uint64_t i = 0; i < n; ++i)
        for (uint64_t j = i; j < n; ++j) {
            poll();
            const RandomPair u = random.pair(Stream::kMatrix, i * n + j);
            rows[i * n + j] = {part(u.first), part(u.second)};
        }
    for (uint64_t i = 1; i < n; ++i) {
        // The squared length of n - i such numbers: a sum of as many exponential ones.
        constexpr uint64_t kFactors = 16;  // no less than 2^-848 together
        double sum = 0, product = 1;
        for (uint64_t k = 0; k < n - i; ++k) {
            poll();
            product *= 1 - random.number(Stream::kGamma, i * n + k);
            if (k % kFactors == kFactors - 1 || k + 1 == n - i) {
                sum -= portable::log(product);
                product = 1;
            }
        }
        rows[i * n + i - 1] = {std::sqrt(sum), 0};
    }
    return rows;
}

std::vector<Point> ginibre_points(uint64_t n, const Random& random) {
    std::vector<Point> rows = ginibre_matrix(n, random);
    std::vector<Point> points = hessenberg_eigenvalues(rows, n);
    const double scale = std::sqrt(static_cast<double>(n));
    for (Point& p : points) p = {p.x / scale, p.y / scale};
    shuffle(points, random);
    return points;
}

}  // namespace flipscope
