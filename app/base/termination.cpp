#include "app/base/termination.h"

#include <csignal>

#include "io/output_file.h"

namespace flipscope::app {

void end_by_signal(int signal) {
    remove_unfinished_files();
    std::signal(signal, SIG_DFL);
    std::raise(signal);  // delivered when this handler returns
}

void tidy_up_when_ended_by(int signal) {
    if (std::signal(signal, end_by_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
}

void tidy_up_when_ended() {
    for (const int signal : {SIGHUP, SIGQUIT, SIGPIPE, SIGTERM}) tidy_up_when_ended_by(signal);
    std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace flipscope::app
