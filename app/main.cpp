// The program: understands the command line and runs the command. Everything that can go wrong ends here as one
// sentence on stderr and an exit status.
#include <exception>
#include <new>

#include "app/base/endings.h"
#include "app/base/signals.h"
#include "app/commands/commands.h"

int main(int argc, char** argv) {
    using namespace flipscope::app;
    try {
        prepare_streams();
        tidy_up_when_ended();
        const ParsedCommand command = parse_options(argc, argv);
        const int status = command.run ? command.run() : command.status;
        require_printed();
        return status;
    } catch (const std::bad_alloc&) {
        end_out_of_memory();
    } catch (...) {
        const Ending ending = ending_of(std::current_exception());
        tell(ending.sentence);
        return ending.status;
    }
}
