// The chosen mutant of a mutated build, and the record of what each test case reaches: a line "seconds, ids, name" for
// each case in the file FLIPSCOPE_MUTANT_RECORD.
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

int flipscope_mutant = 0;

namespace {

std::array<std::atomic<bool>, 1 << 16> reached;

__attribute__((constructor(101))) void choose() {
    if (const char* text = std::getenv("FLIPSCOPE_MUTANT")) flipscope_mutant = std::atoi(text);
}

struct Recorder : doctest::IReporter {
    std::FILE* file = nullptr;
    std::string name;
    explicit Recorder(const doctest::ContextOptions&) {
        if (const char* path = std::getenv("FLIPSCOPE_MUTANT_RECORD")) file = std::fopen(path, "w");
    }
    ~Recorder() override {
        if (file) std::fclose(file);
    }
    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats&) override {}
    void test_case_start(const doctest::TestCaseData& data) override { name = data.m_name; }
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
        if (!file) return;
        std::fprintf(file, "%.6f\t", stats.seconds);
        for (size_t id = 0; id < reached.size(); ++id)
            if (reached[id].exchange(false)) std::fprintf(file, "%zu ", id);
        std::fprintf(file, "\t%s\n", name.c_str());
    }
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}
};

}  // namespace

bool flipscope_records(int id) {
    reached[static_cast<size_t>(id)].store(true, std::memory_order_relaxed);
    return false;
}

REGISTER_LISTENER("mutants", 1, Recorder);
