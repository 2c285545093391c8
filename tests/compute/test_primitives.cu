// sanitizers: address thread
// Launches, compaction, reduction and sorting against the standard library, at the sizes where one task becomes two.
#include "compute/primitives.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <random>

#include "compute/append.h"
#include "mesh/checks.h"
#include "mesh/hash.h"
#include "test_support.h"

using namespace flipscope;

namespace {

template <class Use>
void on_every_size(const Use& use) {
    on_every_device([&](Context& context) {
        for (const uint32_t n : {0u, 1u, 2u, 2047u, 2048u, 2049u, 4096u, 10'000u, uint32_t(case_count(1'000'000))}) {
            CAPTURE(n);
            use(context, n);
        }
    });
}

/// Whether they are 0, `step`, 2 `step`, …
bool are_multiples(const std::vector<uint32_t>& numbers, uint32_t step) {
    for (uint32_t i = 0; i < numbers.size(); ++i)
        if (numbers[i] != i * step) return false;
    return true;
}

struct Square {
    View<uint32_t> out;
    FLIPSCOPE_HD void operator()(uint32_t i) const { out[i] = i * i; }
};
struct CountDivisors {
    View<uint32_t> touched;
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        atomic_add(touched[i], 1u);
        ++sums.value[0];
        sums.value[1] += i;
        sums.value[3] += i % 3 == 0;
    }
};

/// i takes as many places as its code's low two bits say; the high bits travel with it.
struct Spread {
    View<uint32_t> out;
    View<uint32_t> visits;
    FLIPSCOPE_HD static uint32_t count_of(uint32_t code) { return code & 3; }
    FLIPSCOPE_HD uint32_t code(uint32_t i) const { return static_cast<uint32_t>(mix64(i) & 0xFF); }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        visits[i] = rank ^ code << 24;
        for (uint32_t k = 0; k < (code & 3); ++k) out[rank + k] = i;
    }
};
struct Keep {
    uint32_t divisor;
    View<uint32_t> out;
    FLIPSCOPE_HD uint32_t code(uint32_t i) const { return i % divisor == 0; }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (code) out[rank] = i;
    }
};
/// The same, with codes in runs, and no work for elements that are not kept. Some runs are left to be asked one by one.
struct KeepInRuns {
    Keep keep;
    View<uint32_t> asked;  // (1) how many, in runs
    bool leaves_out() const { return true; }
    void prefetch_emit(uint32_t i) const { CHECK(keep.code(i) == 1); }
    uint32_t codes(uint32_t begin, uint32_t end, uint8_t* made, BlockSums&) const {
        if (begin / kChunk % 2 == 1) return kNone;
        uint32_t kept = 0;
        for (uint32_t i = begin; i < end; ++i) kept += made[i - begin] = static_cast<uint8_t>(keep.code(i));
        atomic_add(asked[0], end - begin);
        return kept;
    }
    FLIPSCOPE_HD uint32_t code(uint32_t i) const { return keep.code(i); }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const { keep.emit(i, rank, code); }
};
struct Lots {  // codes up to the largest that fits
    FLIPSCOPE_HD uint32_t code(uint32_t i) const { return i % 256; }
    FLIPSCOPE_HD void emit(uint32_t, uint32_t, uint32_t) const {}
};

struct Extremes {
    uint64_t least, greatest, sum;
};
struct ExtremesOf {
    FLIPSCOPE_HD Extremes operator()(uint32_t i) const { return {mix64(i), mix64(i), mix64(i)}; }
    FLIPSCOPE_HD static Extremes combine(const Extremes& a, const Extremes& b) {
        return {a.least < b.least ? a.least : b.least, a.greatest > b.greatest ? a.greatest : b.greatest,
                a.sum + b.sum};
    }
};

/// Lists i some times: never, or up to 40 times. Marks emitted elements, and sums the codes.
struct ListOften {
    using Code = uint32_t;
    uint32_t every;  // one in so many is listed
    View<uint32_t> out, emitted;
    FLIPSCOPE_HD uint32_t code(uint32_t i, BlockSums& sums) const {
        sums.value[1] += i;
        return i % every == 0 ? (i / every) % 41 : 0;
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        atomic_add(emitted[i], 1u);
        for (uint32_t k = 0; k < code; ++k) out[rank + k] = i;
    }
};

}  // namespace

TEST_CASE("launch: every index once, and tallies add up, for known and counted extents") {
    on_every_size([&](Context& context, uint32_t n) {
        Buffer<uint32_t> out("out"), touched("touched"), count("count");
        Buffer<uint64_t> block_sums("tallies");
        out.resize(context, n);
        launch(context, "test.square", n, Square{out.view()});
        size_t wrong = 0;
        const std::vector<uint32_t> squares = out.download();
        for (uint32_t i = 0; i < n; ++i) wrong += squares[i] != i * i;
        CHECK(wrong == 0);

        // Sized on the device: half of the bound.
        count.upload(context, std::vector<uint32_t>{n / 2}.data(), 1);
        touched.fill(context, n, 0);
        block_sums.fill(context, kSumCount, 0);
        launch(context, "test.tally", Extent(count.view(), n), CountDivisors{touched.view()}, block_sums.view());
        const std::vector<uint64_t> sums = block_sums.download();
        const uint64_t m = n / 2;
        CHECK(sums[0] == m);
        CHECK(sums[1] == (m ? m * (m - 1) / 2 : 0));
        CHECK(sums[2] == 0);
        CHECK(sums[3] == (m + 2) / 3);
        const std::vector<uint32_t> times = touched.download();
        for (uint32_t i = 0; i < n; ++i) wrong += times[i] != (i < m ? 1u : 0u);
        CHECK(wrong == 0);
    });
}

TEST_CASE("launch: all but those that the device counts, and none where a word says stop") {
    on_every_device([&](Context& context) {
        Buffer<uint32_t> count("count"), stop("stop"), touched("touched");
        Buffer<uint64_t> sums("sums");
        count.upload(context, std::vector<uint32_t>{3}.data(), 1);
        touched.resize(context, 30);
        sums.resize(context, kSumCount);
        for (const uint32_t stops : {0u, 1u})
            for (const uint32_t each : {1u, 3u}) {
                stop.upload(context, &stops, 1);
                touched.fill_bytes(0);
                sums.fill_bytes(0);
                launch(context, "test.rest", Extent::rest_of(count.view(), 10, stop.view().data).times(each),
                       CountDivisors{touched.view()}, sums.view());
                CHECK(sums.download()[0] == (stops ? 0 : 7 * each));
            }
    });
}

TEST_CASE("compact: the ranks of a loop, on every device") {
    on_every_size([&](Context& context, uint32_t n) {
        Buffer<uint32_t> out("out"), visits("visits"), total("total");
        total.fill(context, 1, 0xFF);
        out.resize(context, 3 * size_t(n));
        visits.resize(context, n);
        const Spread spread{out.view(), visits.view()};
        compact(context, "test.expand", n, spread, total.view());
        std::vector<uint32_t> expected, expected_visits(n);
        for (uint32_t i = 0; i < n; ++i) {
            const auto code = static_cast<uint32_t>(mix64(i) & 0xFF);
            expected_visits[i] = static_cast<uint32_t>(expected.size()) ^ code << 24;
            expected.insert(expected.end(), code & 3, i);
        }
        REQUIRE(total.read(0) == expected.size());
        CHECK(out.download(expected.size()) == expected);
        CHECK(visits.download() == expected_visits);

        Buffer<uint32_t> count("count");
        count.upload(context, &n, 1);
        for (const Extent& extent : {Extent(n), Extent(count.view(), n + 1000)})
            for (const uint32_t divisor : {1u, 7u, 5000u}) {
                compact(context, "test.keep", extent, Keep{divisor, out.view()}, total.view());
                REQUIRE(total.read(0) == (n + divisor - 1) / divisor);
                CHECK(are_multiples(out.download(total.read(0)), divisor));
            }
        Buffer<uint32_t> asked("asked");
        asked.fill(context, 1, 0);
        compact(context, "test.runs", n, KeepInRuns{{3, out.view()}, asked.view()}, total.view());
        REQUIRE(total.read(0) == (n + 2) / 3);
        CHECK(are_multiples(out.download(total.read(0)), 3));
        if (!context.on_cuda() && n > kChunk) CHECK(asked.read(0) >= kChunk);

        compact(context, "test.lots", n, Lots{}, total.view());
        uint64_t sum = 0;
        for (uint32_t i = 0; i < n; ++i) sum += i % 256;
        CHECK(total.read(0) == sum);
    });
}

TEST_CASE("compact: more elements than two launches on CUDA are made for") {
    on_every_device([&](Context& context) {
        const uint32_t n = context.on_cuda() ? 4096 * 1024 + 1 : static_cast<uint32_t>(case_count(4'000'000));
        Buffer<uint32_t> out("out"), total("total");
        total.resize(context, 1);
        out.resize(context, n / 5 + 1);
        for (const uint32_t most : {n - 1, n}) {
            CAPTURE(most);
            compact(context, "test.keep", most, Keep{5, out.view()}, total.view());
            REQUIRE(total.read(0) == (most + 4) / 5);
            CHECK(are_multiples(out.download(total.read(0)), 5));
        }
    });
}

TEST_CASE("unordered append: the same set as compact, in any order, for known and counted extents") {
    on_every_size([&](Context& context, uint32_t n) {
        Buffer<uint32_t> out("out"), total("total"), count("count");
        total.fill(context, 1, 0xFF);
        out.resize(context, n);
        count.upload(context, &n, 1);
        for (const Extent& extent : {Extent(n), Extent(count.view(), n)}) {
            append_unordered(context, "test.append", extent, Keep{3, out.view()}, total.view());
            REQUIRE(total.read(0) == (n + 2) / 3);
            std::vector<uint32_t> kept = out.download(total.read(0));
            std::sort(kept.begin(), kept.end());
            CHECK(are_multiples(kept, 3));
        }
    });
}

TEST_CASE("unordered append: several places for one, few and many, each emitted once, behind what is there already") {
    on_every_device([&](Context& context) {
        for (const uint32_t n : {1u, 31u, 257u, 4096u, static_cast<uint32_t>(case_count(300'000))})
            for (const uint32_t every : {1u, 3u, 1000u}) {
                INFO("n ", n, ", every ", every);
                std::vector<uint32_t> expected;
                for (uint32_t i = 0; i < n; i += every) expected.insert(expected.end(), (i / every) % 41, i);
                Buffer<uint32_t> out("out"), emitted("emitted"), total("total"), count("count");
                Buffer<uint64_t> sums("sums");
                out.resize(context, expected.size() + 1);
                emitted.resize(context, n);
                total.resize(context, 1);
                sums.resize(context, kSumCount);
                count.upload(context, &n, 1);
                for (const Extent& extent : {Extent(n), Extent(count.view(), n)}) {
                    total.fill_bytes(0);
                    emitted.fill_bytes(0);
                    sums.fill_bytes(0);
                    append_unordered(context, "test.append", extent, ListOften{every, out.view(), emitted.view()},
                                     total.view(), sums.view(), true);
                    REQUIRE(total.read(0) == expected.size());
                    std::vector<uint32_t> listed = out.download(expected.size());
                    std::sort(listed.begin(), listed.end());
                    CHECK(listed == expected);
                    const std::vector<uint32_t> once = emitted.download();
                    CHECK(std::count(once.begin(), once.end(), 1u) == n);
                    CHECK(sums.read(1) == uint64_t(n) * (n - 1) / 2);
                }
            }
    });
}

TEST_CASE("reduce: minima, maxima and sums, and the identity of nothing") {
    on_every_size([&](Context& context, uint32_t n) {
        Extremes expected{~uint64_t(0), 0, 0};
        const Extremes identity = expected;
        for (uint32_t i = 0; i < n; ++i) expected = ExtremesOf::combine(expected, ExtremesOf{}(i));
        const Extremes found = reduce(context, "test.reduce", n, ExtremesOf{}, identity);
        CHECK(found.least == expected.least);
        CHECK(found.greatest == expected.greatest);
        CHECK(found.sum == expected.sum);
    });
}

TEST_CASE("sort_by_key: stable, by the lowest bits alone") {
    std::mt19937_64 random(1);
    on_every_device([&](Context& context) {
        const auto compare = [&](const std::vector<uint64_t>& keys, int bits) {
            INFO("n = ", keys.size(), ", bits = ", bits);
            const uint32_t n = static_cast<uint32_t>(keys.size());
            std::vector<uint32_t> values(n), expected(n);
            std::iota(values.begin(), values.end(), 100u);
            std::iota(expected.begin(), expected.end(), 0u);
            const uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
            std::stable_sort(expected.begin(), expected.end(),
                             [&](uint32_t a, uint32_t b) { return (keys[a] & mask) < (keys[b] & mask); });
            Buffer<uint64_t> key_buffer("keys");
            Buffer<uint32_t> value_buffer("values");
            key_buffer.upload(context, keys.data(), n);
            value_buffer.upload(context, values.data(), n);
            sort_by_key(context, "test.sort", key_buffer, value_buffer, bits);
            const auto sorted_keys = key_buffer.download();
            const auto sorted_values = value_buffer.download();
            size_t wrong = 0;
            for (uint32_t i = 0; i < n; ++i)
                wrong += sorted_values[i] != expected[i] + 100 || sorted_keys[i] != keys[expected[i]];
            CHECK(wrong == 0);
        };
        const auto keys_of = [&](uint32_t n) {
            std::vector<uint64_t> keys(n);
            for (uint64_t& key : keys) key = random();
            return keys;
        };
        for (const int bits : {1, 2, 10, 11, 12, 21, 22, 23, 32, 33, 43, 44, 45, 55, 63, 64})
            for (const uint32_t n : {0u, 1u, 2u, 3u, 100u, 2049u}) compare(keys_of(n), bits);
        for (int bits = 1; bits <= 64; ++bits) compare(keys_of(300), bits);
        // Blocks of the sort hold 2^14 elements.
        for (const uint32_t n : {16383u, 16384u, 16385u, 50'000u}) compare(keys_of(n), 44);
        for (const int bits : {7, 44, 64}) compare(keys_of(static_cast<uint32_t>(case_count(1'000'000))), bits);
        std::vector<uint64_t> few = keys_of(40'000);
        for (uint64_t& key : few) key %= 5;
        compare(few, 64);
        compare(few, 2);
        compare(std::vector<uint64_t>(20'000, 77), 64);
    });
}

TEST_CASE("hash_words: numbers and points that were just written are hashed by their bytes") {
    // Read through a pointer to whole numbers, they could be what was there before: the compiler may think that a word
    // is no part of a double. Here both access the same bytes, and copies of the bytes give the expected values.
    const auto expected = [](const auto& values, uint64_t seed) {
        std::vector<uint32_t> words(values.size() * sizeof(values[0]) / sizeof(uint32_t));
        std::memcpy(words.data(), values.data(), values.size() * sizeof(values[0]));
        seed = mix64(seed ^ words.size());
        uint64_t sum = 0;
        for (size_t i = 0; i < words.size(); ++i) sum += mix64(seed ^ (uint64_t(i) << 32 | words[i]));
        return mix64(seed ^ sum);
    };
    on_every_device([&](Context& context) {
        Buffer<Point> places("places");
        Buffer<double> numbers("numbers");
        Buffer<float> singles("singles");
        for (uint64_t round = 1; round < 4; ++round) {
            std::vector<Point> p(700);
            std::vector<double> d(301);
            std::vector<float> f(99);
            for (size_t i = 0; i < p.size(); ++i) p[i] = {1.0 / double(i + round), -0.0};
            for (size_t i = 0; i < d.size(); ++i) d[i] = double(round) / 3 + double(i);
            for (size_t i = 0; i < f.size(); ++i) f[i] = float(i) / float(round);
            places.upload(context, p.data(), p.size());
            numbers.upload(context, d.data(), d.size());
            singles.upload(context, f.data(), f.size());
            CHECK(hash_words(context, words_of(places, p.size()), round) == expected(p, round));
            CHECK(hash_words(context, words_of(numbers, d.size()), round) == expected(d, round));
            CHECK(hash_words(context, words_of(singles, f.size()), round) == expected(f, round));
        }
        const Words words = words_of(numbers, 1);
        numbers.write(0, 1.5);
        if (!context.on_cuda()) CHECK((uint64_t(words[1]) << 32 | words[0]) == std::bit_cast<uint64_t>(1.5));
    });
}

TEST_CASE("hash_words: the same on every device, another for another word, place, count or seed") {
    on_every_device([&](Context& context) {
        std::vector<uint32_t> words(5000);
        std::iota(words.begin(), words.end(), 0u);
        Buffer<uint32_t> buffer("words");
        const auto hash = [&](uint64_t seed = 1, size_t count = 5000) {
            buffer.upload(context, words.data(), count);
            return hash_words(context, words_of(buffer, buffer.size()), seed);
        };
        const uint64_t base = hash();
        CHECK(hash() == base);
        CHECK(hash(2) != base);
        CHECK(hash(1, 4999) != base);
        words[17] ^= 1u << 31;
        CHECK(hash() != base);
        words[17] ^= 1u << 31;
        std::swap(words[3000], words[3001]);
        CHECK(hash() != base);
        words.assign(5000, 0);
        const uint64_t zeros = hash();
        CHECK(hash(1, 4000) != zeros);
    });
}
