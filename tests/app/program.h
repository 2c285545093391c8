// Starts the real program and captures its output, for the tests of the command line.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/folders.h"

namespace flipscope {

struct Outcome {
    int status = -1;       // exit status; 128 + signal when a signal ended it
    std::string out, err;  // what it wrote
};

/// Runs the program and waits for it. `while_running`, when given, is called every few milliseconds with its process id
/// and what it has said on stderr so far. A program that takes longer than five minutes is ended.
Outcome run_program(const std::vector<std::string>& arguments,
                    const std::function<void(int process, const std::string& err)>& while_running = {});

std::vector<std::string> joined(std::vector<std::string> words, const std::vector<std::string>& more);

/// The program's JSON on stdout; it must end with this status, if one is given.
nlohmann::json program_json(const std::vector<std::string>& arguments, std::optional<int> status = {});

/// The same of `flipscope run …` on CPU threads.
nlohmann::json json_of_run(const std::vector<std::string>& words, int status = 0);

/// As run_program(), for a line of the shell, in which "$FLIPSCOPE" is the program: for redirections and limits.
Outcome run_shell(const std::string& line);

/// Whether what a program said ends with a line "flipscope: …".
bool is_a_sentence(const std::string& err);

/// OpenGL drivers keep memory at exit, which a leak checker would blame on us.
class ForgiveLeaks {
  public:
    ForgiveLeaks();

  private:
    Environment options_;
};

/// Whether the program could not draw, since there is no OpenGL here; the test is then skipped.
bool lacks_opengl(const Outcome& outcome);

/// `flipscope run …` on CPU threads.
Outcome run_on_cpu(const std::vector<std::string>& words);

/// The PNG that `flipscope run … --picture` draws on CPU threads; empty, and the test skipped, without OpenGL.
std::string picture_of_run(const std::vector<std::string>& words);

/// Checks that this is wrong use: status 2, nothing on stdout, and a sentence on stderr that has `part` in it.
void check_refused(const std::vector<std::string>& arguments, const std::string& part);

}  // namespace flipscope
