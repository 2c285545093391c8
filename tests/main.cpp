// The test program: doctest, and three options of our own. Run it with --help for doctest's. Its status is doctest's,
// but 77 when all went well and a case was skipped.
//   --device cpu|cuda|all   which devices tests go over (all)
//   --threads 1,2,4         with how many CPU threads
//   --devices               says which devices those are, and ends: 0, or 77 when none of them can be used
#define DOCTEST_CONFIG_IMPLEMENT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "quiet_listener.h"
#include "test_support.h"

namespace flipscope {

namespace {

constexpr int kSkipped = 77;  // what ctest takes for "skipped"
constexpr int kWrongUse = 2;

struct Choice {
    bool cpu = true, cuda = true;
    std::vector<int> threads{1, 2, 4};
};
Choice choice;
int skipped_cases = 0;
std::string current_case;

/// Remembers the running case, so that a skip names it.
struct CaseListener : QuietListener {
    explicit CaseListener(const doctest::ContextOptions&) {}
    void test_case_start(const doctest::TestCaseData& data) override { current_case = data.m_name; }
};

std::optional<std::vector<int>> parse_threads(const char* text) {
    std::vector<int> threads;
    for (const char* at = text;; ++at) {
        char* end = nullptr;
        const long count = std::strtol(at, &end, 10);
        if (end == at || count < 1 || count > 1024) return std::nullopt;
        threads.push_back(static_cast<int>(count));
        if (*end == '\0') return threads;
        if (*end != ',') return std::nullopt;
        at = end;
    }
}

int wrong_use(const std::string& sentence) {
    std::fprintf(stderr, "%s\n", sentence.c_str());
    return kWrongUse;
}

/// Takes our options; doctest ignores unknown options. Returns an exit status when the program is to end.
std::optional<int> read_options(int argc, char** argv) {
    bool ask_devices = false;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        if (option == "--devices") ask_devices = true;
        if (option != "--device" && option != "--threads") continue;
        const char* value = i + 1 < argc ? argv[++i] : "";
        if (option == "--device") {
            const std::string device = value;
            if (device != "cpu" && device != "cuda" && device != "all")
                return wrong_use("--device: expected cpu, cuda or all, found \"" + device + "\"");
            choice.cpu = device != "cuda";
            choice.cuda = device != "cpu";
        } else if (const auto threads = parse_threads(value)) {
            choice.threads = *threads;
        } else {
            return wrong_use(std::string("--threads: expected counts such as 1,2,4, found \"") + value + "\"");
        }
    }
    if (!ask_devices) return std::nullopt;
    const auto devices = devices_under_test();
    for (const DeviceUnderTest& device : devices) std::printf("%s\n", device.name.c_str());
    return devices.empty() ? kSkipped : 0;
}

}  // namespace

std::vector<DeviceUnderTest> devices_under_test() {
    static const DeviceInfo cuda = list_devices().back();
    static bool said = false;
    std::vector<DeviceUnderTest> devices;
    if (choice.cpu)
        for (const int threads : choice.threads)
            devices.push_back({DeviceRequest::kCpu, threads,
                               "cpu, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads")});
    if (choice.cuda && cuda.device == Device::kCuda && cuda.usable) {
        devices.push_back({DeviceRequest::kCuda, 1, "cuda, " + cuda.name});
    } else if (choice.cuda && !said) {
        said = true;
        std::printf("skipped: cuda: %s\n", cuda.device == Device::kCuda ? cuda.explanation.c_str() : "no such device");
    }
    return devices;
}

void skip(const std::string& reason) {
    ++skipped_cases;
    std::printf("skipped: %s: %s\n", current_case.c_str(), reason.c_str());
    std::fflush(stdout);
}

size_t case_count(size_t standard) {
    const auto scale = [](const char* name) {
        const char* const chosen = std::getenv(name);
        return chosen ? std::atof(chosen) : 1;
    };
    double factor = scale("FLIPSCOPE_TEST_SCALE");
    const char* const longer = std::getenv("FLIPSCOPE_LONG_TESTS");
    if (longer && std::strcmp(longer, "1") == 0) factor *= 10 * scale("FLIPSCOPE_PROOF_SCALE");
    return static_cast<size_t>(std::max(1.0, std::floor(static_cast<double>(standard) * factor)));
}

size_t case_stride(size_t sparse) { return case_count(100) < 100 ? sparse : 1; }

}  // namespace flipscope

REGISTER_LISTENER("case", 1, flipscope::CaseListener);

int main(int argc, char** argv) {
    if (const auto status = flipscope::read_options(argc, argv)) return *status;
    doctest::Context context(argc, argv);
    const int status = context.run();
    if (status != 0 || context.shouldExit() || flipscope::skipped_cases == 0) return status;
    std::printf("skipped: %d test case%s in all\n", flipscope::skipped_cases, flipscope::skipped_cases == 1 ? "" : "s");
    return flipscope::kSkipped;
}
