#include "app/display_resources.h"

#include <stdexcept>

#ifdef FLIPSCOPE_TEST_X11
#include <X11/Xatom.h>
#include <X11/Xlib.h>

#include <memory>

namespace flipscope {

std::string missing_for_resources() { return ""; }

void set_resources(const std::string& display, const std::string& resources) {
    const std::unique_ptr<Display, int (*)(Display*)> opened(XOpenDisplay(display.c_str()), &XCloseDisplay);
    if (!opened) throw std::runtime_error("the display " + display + " cannot be opened");
    XChangeProperty(opened.get(), DefaultRootWindow(opened.get()), XA_RESOURCE_MANAGER, XA_STRING, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(resources.data()), static_cast<int>(resources.size()));
}

}  // namespace flipscope

#else

namespace flipscope {

std::string missing_for_resources() { return "no Xlib was found when the tests were built, so no display has a scale"; }
void set_resources(const std::string&, const std::string&) { throw std::runtime_error(missing_for_resources()); }

}  // namespace flipscope

#endif
