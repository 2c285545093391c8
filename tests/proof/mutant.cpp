// The chosen mutant of a mutated build, and the record of what each test case reaches: a line "seconds, ids, name" for
// each case in the file FLIPSCOPE_MUTANT_RECORD.
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "quiet_listener.h"

int flipscope_mutant = 0;

namespace {

std::array<std::atomic<bool>, 1 << 16> reached;

__attribute__((constructor(101))) void choose() {
    if (const char* text = std::getenv("FLIPSCOPE_MUTANT")) flipscope_mutant = std::atoi(text);
}

struct Recorder : QuietListener {
    std::FILE* file = nullptr;
    std::string name;
    explicit Recorder(const doctest::ContextOptions&) {
        if (const char* path = std::getenv("FLIPSCOPE_MUTANT_RECORD")) file = std::fopen(path, "w");
    }
    ~Recorder() override {
        if (file) std::fclose(file);
    }
    void test_case_start(const doctest::TestCaseData& data) override { name = data.m_name; }
    void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
        if (!file) return;
        std::fprintf(file, "%.6f\t", stats.seconds);
        for (size_t id = 0; id < reached.size(); ++id)
            if (reached[id].exchange(false)) std::fprintf(file, "%zu ", id);
        std::fprintf(file, "\t%s\n", name.c_str());
    }
};

}  // namespace

bool flipscope_records(int id) {
    reached[static_cast<size_t>(id)].store(true, std::memory_order_relaxed);
    return false;
}

REGISTER_LISTENER("mutants", 1, Recorder);
