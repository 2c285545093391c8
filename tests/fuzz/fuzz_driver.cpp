// Fuzzing with nothing but a C++ compiler: takes the corpus as it is, then inputs made from it by seeded mutations. The
// same seed makes the same inputs everywhere, so that a failure can be had again by its number.
//
//     fuzz_readers CORPUS [--reader=NAME] [--seconds=S | --count=N] [--seed=N] [--only=N] [--keep=FOLDER]
//
// CORPUS holds a folder for each reader. --seconds is processor time of all readers together, --count inputs of each;
// without both only the corpus is taken. --only makes the one input of that number. An input that ends the process is
// written to FOLDER (the current one) as failed-NAME-NUMBER.

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <stdexcept>
#include <string_view>

#include "fuzz_readers.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#include <sanitizer/common_interface_defs.h>
#define FLIPSCOPE_SANITIZED 1
#else
#define FLIPSCOPE_SANITIZED 0
#endif

namespace {

namespace fs = std::filesystem;
using flipscope::fuzz::kMostInput;
using flipscope::fuzz::Reader;

constexpr int kMostSeconds = 20;  // of processor time for one input, under a sanitizer: with room for that
constexpr rlim_t kMostAddressSpace = rlim_t{4} << 30;

struct Settings {
    std::string corpus, reader, keep = ".";
    double seconds = 0;
    uint64_t count = 0, seed = 1;
    std::optional<uint64_t> only;
};

// Where a failure's input goes. A signal handler reads it, so it is plain memory.
struct Present {
    char file[4096] = "";
    const char* bytes = nullptr;
    size_t size = 0;
} present;

/// Writes the present input to its file; callable when the process is no longer sound.
void save_present() {
    if (!present.bytes) return;
    const int file = open(present.file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0) return;
    const bool whole = write(file, present.bytes, present.size) == static_cast<ssize_t>(present.size);
    close(file);
    const char* said = whole ? "fuzz_readers: the input is in " : "fuzz_readers: the input could not be written to ";
    if (write(STDERR_FILENO, said, std::strlen(said)) < 0 ||
        write(STDERR_FILENO, present.file, std::strlen(present.file)) < 0 || write(STDERR_FILENO, "\n", 1) < 0)
        return;
}

void on_signal(int number) {
    if (number == SIGPROF) {
        constexpr char kSaid[] = "fuzz_readers: one input takes more than 20 seconds\n";
        if (write(STDERR_FILENO, kSaid, sizeof kSaid - 1) < 0) _exit(1);
    }
    save_present();
    _exit(1);
}

void fail_on_failures() {
#if FLIPSCOPE_SANITIZED
    __sanitizer_set_death_callback(save_present);
    const int numbers[] = {SIGABRT, SIGPROF};  // the rest are the sanitizer's to report
#else
    const int numbers[] = {SIGABRT, SIGPROF, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    const rlimit most{kMostAddressSpace, kMostAddressSpace};
    setrlimit(RLIMIT_AS, &most);
#endif
    for (const int number : numbers) signal(number, on_signal);
}

/// Makes inputs from inputs.
class Mutator {
  public:
    Mutator(const std::vector<std::string>& corpus, uint64_t seed, uint64_t number) : corpus_(corpus) {
        std::seed_seq mixed{seed & 0xffffffff, seed >> 32, number & 0xffffffff, number >> 32};
        random_.seed(mixed);
    }

    std::string make() {
        std::string text = below(50) == 0 ? std::string() : any_of_corpus();
        for (size_t left = 1 + below(6); left > 0; --left) change(text);
        if (text.size() > kMostInput) text.resize(kMostInput);
        return text;
    }

  private:
    size_t below(size_t n) { return n == 0 ? 0 : static_cast<size_t>(random_() % n); }
    const std::string& any_of_corpus() { return corpus_[below(corpus_.size())]; }
    std::string any_of(std::string_view words) {
        size_t begin = 0;
        for (auto left = below(static_cast<size_t>(std::count(words.begin(), words.end(), '~')) + 1); left > 0; --left)
            begin = words.find('~', begin) + 1;
        return std::string(words.substr(begin, words.find('~', begin) - begin));
    }

    void change(std::string& text) {
        const size_t n = text.size(), at = below(n + 1), some = 1 + below(std::min<size_t>(n - at, 64));
        switch (below(14)) {
            case 0:
                if (n > 0) text[below(n)] ^= static_cast<char>(1 << below(8));
                break;
            case 1:
                if (n > 0) text[below(n)] = static_cast<char>(random_());
                break;
            case 2:
                if (n > 0) text[below(n)] = kBytes[below(kBytes.size())];
                break;
            case 3:
                text.erase(std::min(at, n), some);
                break;
            case 4:
                text.resize(at);
                break;
            case 5:
                text.insert(below(n + 1), text.substr(std::min(at, n), some));
                break;
            case 6:
                for (size_t i = some; i > 0; --i)
                    text.insert(text.begin() + static_cast<ptrdiff_t>(at), static_cast<char>(random_()));
                break;
            case 7:
            case 8:
                replace_number(text);
                break;
            case 9:
                overwrite_integer(text);
                break;
            case 10:
                text.insert(at, any_of(kWords));
                break;
            case 11: {  // the start of one, the end of another
                const std::string& other = any_of_corpus();
                text = text.substr(0, at) + other.substr(below(other.size() + 1));
                break;
            }
            case 12:
                swap_lines(text);
                break;
            default: {  // very long, or deep
                const std::string piece = any_of(kWords);
                std::string many;
                for (size_t i = below(2000); i > 0; --i) many += piece;
                text.insert(at, many);
                break;
            }
        }
    }

    /// A number as text becomes another one.
    void replace_number(std::string& text) {
        constexpr const char* kDigits = "0123456789";
        const size_t begin = text.find_first_of(kDigits, below(text.size() + 1));
        if (begin == text.npos) return;
        const size_t end = std::min(text.find_first_not_of("0123456789.eE+-", begin), text.size());
        text.replace(begin, end - begin, any_of(kNumbers));
    }

    /// One, two, four or eight bytes become an integer at the edge of its type, of either byte order.
    void overwrite_integer(std::string& text) {
        const size_t size = size_t{1} << below(4);
        if (text.size() < size) return;
        const size_t bits = size_t{8} << below(4);  // of the type at whose edge it lies
        const uint64_t edges[] = {0, uint64_t{1} << (bits - 1), uint64_t{1} << (bits - 1) << 1};
        const uint64_t value = edges[below(3)] + below(3) - 1;
        const bool big = below(2) == 0;
        const size_t at = below(text.size() - size + 1);
        for (size_t i = 0; i < size; ++i) text[at + i] = static_cast<char>(value >> (8 * (big ? size - 1 - i : i)));
    }

    void swap_lines(std::string& text) {
        const auto line = [&](size_t from, size_t& begin, size_t& end) {
            begin = text.rfind('\n', from) == text.npos ? 0 : text.rfind('\n', from) + 1;
            end = std::min(text.find('\n', from), text.size());
        };
        size_t a = 0, a_end = 0, b = 0, b_end = 0;
        line(below(text.size() + 1), a, a_end);
        line(below(text.size() + 1), b, b_end);
        if (a > b) std::swap(a, b), std::swap(a_end, b_end);
        if (a_end > b || a > a_end || b > b_end) return;
        const std::string first = text.substr(a, a_end - a), second = text.substr(b, b_end - b);
        text.replace(b, b_end - b, first);
        text.replace(a, a_end - a, second);
    }

    static constexpr std::string_view kBytes{"\0\xff\x7f\x80\x1b\n\r\t ,;\"{}[]-+.e#/\\:=@0129", 30};
    // Between tildes.
    static constexpr std::string_view kNumbers =
        "0~-0~1~-1~2~3~7~255~256~65535~65536~16384~16385~2147483647~2147483648~-2147483648~4294967295~"
        "4294967296~9223372036854775807~-9223372036854775808~18446744073709551615~18446744073709551616~"
        "1e308~1e309~-1e400~1e-320~1e-400~1e60~1e61~6e-61~nan~inf~-inf~0x10~1,5~1.5.2~1e~.~-~+1~"
        "00000000000000000000000000000001~0.1000000000000000055511151231257827021181583404541015625";
    static constexpr std::string_view kWords =
        "\n~\r\n~\r~ ~\t~,~;~#~//~\"~\\~\\\n~{~}~[~]~[[~{\"a\":~(~)~\x1b[2J~\xef\xbb\xbf~\xff\xfe~\xc2\x9b~"
        "\xc0\x80~\xed\xa0\x80~\x93NUMPY\x01~OFF~COFF~4OFF~STOFF~BINARY~ply\n~format ascii 1.0\n~"
        "format binary_big_endian 1.0\n~element face 3\n~element vertex 3\n~element tristrips 1\n~"
        "property list uchar int vertex_indices\n~property float x\n~property list uchar float texcoord\n~"
        "end_header\n~v ~f ~vn ~vt ~l ~usemtl ~1/1/1~-1~POINT ~EMPTY~SRID=4326;~\"type\": \"Feature\", ~"
        "\"coordinates\": ~np.array(~[[~]]~...~x: ~solid~facet~vertex~endfacet~outer loop~endloop~endsolid~"
        "t,id,x,y\n~time~frame~'descr': '<f8', ~'fortran_order': True, ~'shape': (3, 2), ~'<i4'~'|b1'~"
        "'>f4'~P1\n~P2\n~P3\n~P5\n~P6\n~IHDR~PLTE~IDAT~tRNS~gAMA~IEND~\xff\xd8~\xff\xda~\xff\xc4~\xff\xc2~"
        "true~false~null~\"lab\":~\"points\":~\"parameters\":~\"\\ud800\"~uniform:~@seed=~scale=~x=~=~on~"
        "--~--set~--points";

    const std::vector<std::string>& corpus_;
    std::mt19937_64 random_;
};

std::string bytes_of(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw std::runtime_error(path.string() + ": cannot be opened");
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// In the order of their names, which is the same everywhere.
std::vector<fs::path> files_of(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// `name` is what the input is called should it fail: its number, or the name of a file of the corpus.
void take(const Reader& reader, const std::string& bytes, const std::string& name, const Settings& settings) {
    const std::string kept = (fs::path(settings.keep) / ("failed-" + reader.name + "-" + name)).string();
    present.file[kept.copy(present.file, sizeof present.file - 1)] = 0;
    present.bytes = bytes.data();
    present.size = bytes.size();
    const itimerval some{{0, 0}, {kMostSeconds, 0}}, none{};
    setitimer(ITIMER_PROF, &some, nullptr);
    flipscope::fuzz::run(reader, bytes);
    setitimer(ITIMER_PROF, &none, nullptr);
    present.bytes = nullptr;
}

/// Takes the reader's corpus, then as many mutations as there is time for; how many inputs it was.
uint64_t fuzz(const Reader& reader, const Settings& settings, double seconds) {
    std::vector<std::string> corpus;
    for (const fs::path& file : files_of(fs::path(settings.corpus) / reader.name)) {
        corpus.push_back(bytes_of(file));
        if (!settings.only) take(reader, corpus.back(), file.filename().string(), settings);
    }
    if (corpus.empty()) throw std::runtime_error(settings.corpus + ": nothing in it for " + reader.name);
    const auto take_number = [&](uint64_t number) {
        take(reader, Mutator(corpus, settings.seed, number).make(), std::to_string(number), settings);
    };
    if (settings.only) {
        take_number(*settings.only);
        return 1;
    }
    const std::clock_t begin = std::clock();
    const auto go_on = [&](uint64_t number) {
        const double spent = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        return seconds > 0 ? spent < seconds : number < settings.count;
    };
    uint64_t number = 0;
    for (; go_on(number); ++number) take_number(number);
    return corpus.size() + number;
}

Settings understand(int argc, char** argv) {
    Settings settings;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i], value = word.substr(std::min(word.find('=') + 1, word.size()));
        if (word.starts_with("--reader="))
            settings.reader = value;
        else if (word.starts_with("--keep="))
            settings.keep = value;
        else if (word.starts_with("--seconds="))
            settings.seconds = std::stod(value);
        else if (word.starts_with("--count="))
            settings.count = std::stoull(value);
        else if (word.starts_with("--seed="))
            settings.seed = std::stoull(value);
        else if (word.starts_with("--only="))
            settings.only = std::stoull(value);
        else if (!word.starts_with("--") && settings.corpus.empty())
            settings.corpus = word;
        else
            throw std::runtime_error("what is " + word + "? See the head of fuzz_driver.cpp");
    }
    if (settings.corpus.empty()) throw std::runtime_error("expected the corpus's folder");
    return settings;
}

}  // namespace

int main(int argc, char** argv) try {
    const Settings settings = understand(argc, argv);
    std::vector<Reader> chosen;
    for (const Reader& reader : flipscope::fuzz::readers())
        if (settings.reader.empty() || settings.reader == reader.name) chosen.push_back(reader);
    if (chosen.empty()) throw std::runtime_error("there is no reader " + settings.reader);
    fail_on_failures();
    for (const Reader& reader : chosen) {
        const uint64_t inputs = fuzz(reader, settings, settings.seconds / static_cast<double>(chosen.size()));
        std::printf("%-14s %8llu inputs\n", reader.name.c_str(), static_cast<unsigned long long>(inputs));
        std::fflush(stdout);
    }
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "fuzz_readers: %s\n", error.what());
    return 2;
}
