#include "app/drag_source.h"

#ifdef FLIPSCOPE_TEST_X11
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>

namespace flipscope {

namespace {

constexpr long kVersion = 5;  // of XDND

class DragSource {
  public:
    explicit DragSource(const std::string& name) : display_(XOpenDisplay(name.c_str()), &XCloseDisplay) {
        if (!display_) throw std::runtime_error("the display " + name + " cannot be opened");
        window_ = XCreateSimpleWindow(display(), DefaultRootWindow(display()), 0, 0, 1, 1, 0, 0, 0);
        XSetSelectionOwner(display(), atom("XdndSelection"), window_, CurrentTime);
    }

    void drop(const std::string& list) {
        list_ = list;
        target_ = window_that_takes_drops();
        send("XdndEnter", {kVersion << 24, static_cast<long>(atom("text/uri-list")), 0, 0});
        Window root;
        int x = 0, y = 0;
        unsigned width = 0, height = 0, border = 0, depth = 0;
        XGetGeometry(display(), target_, &root, &x, &y, &width, &height, &border, &depth);
        const long middle = ((x + static_cast<long>(width) / 2) << 16) | (y + static_cast<long>(height) / 2);
        send("XdndPosition", {0, middle, CurrentTime, static_cast<long>(atom("XdndActionCopy"))});
        const XClientMessageEvent status = wait_for("XdndStatus");
        if (!(status.data.l[1] & 1)) throw std::runtime_error("the window takes no drop there");
        send("XdndDrop", {0, CurrentTime, 0, 0});
        wait_for("XdndFinished");
    }

  private:
    Display* display() const { return display_.get(); }
    Atom atom(const char* name) const { return XInternAtom(display(), name, False); }

    bool takes_drops(Window window) const {
        Atom type = 0;
        int format = 0;
        unsigned long count = 0, rest = 0;
        unsigned char* data = nullptr;
        XGetWindowProperty(display(), window, atom("XdndAware"), 0, 1, False, AnyPropertyType, &type, &format, &count,
                           &rest, &data);
        if (data) XFree(data);
        return type != 0;
    }

    Window window_that_takes_drops() const {
        Window root, parent, *children = nullptr, found = 0;
        unsigned count = 0;
        XQueryTree(display(), DefaultRootWindow(display()), &root, &parent, &children, &count);
        for (unsigned i = 0; i < count; ++i)
            if (takes_drops(children[i])) found = children[i];
        if (children) XFree(children);
        if (!found) throw std::runtime_error("no window here takes drops");
        return found;
    }

    void send(const char* message, const std::vector<long>& data) const {
        XEvent event{};
        event.xclient.type = ClientMessage;
        event.xclient.window = target_;
        event.xclient.message_type = atom(message);
        event.xclient.format = 32;
        event.xclient.data.l[0] = static_cast<long>(window_);
        for (size_t i = 0; i < data.size(); ++i) event.xclient.data.l[i + 1] = data[i];
        XSendEvent(display(), target_, False, NoEventMask, &event);
        XFlush(display());
    }

    /// What the window asks for meanwhile is answered.
    XClientMessageEvent wait_for(const char* message) const {
        const auto begin = std::chrono::steady_clock::now();
        while (std::chrono::steady_clock::now() - begin < std::chrono::seconds(60)) {
            if (XPending(display()) == 0) {
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
                continue;
            }
            XEvent event;
            XNextEvent(display(), &event);
            if (event.type == SelectionRequest) answer(event.xselectionrequest);
            if (event.type == ClientMessage && event.xclient.message_type == atom(message)) return event.xclient;
        }
        throw std::runtime_error(std::string("the window did not send ") + message);
    }

    void answer(const XSelectionRequestEvent& asked) const {
        XChangeProperty(display(), asked.requestor, asked.property, asked.target, 8, PropModeReplace,
                        reinterpret_cast<const unsigned char*>(list_.data()), static_cast<int>(list_.size()));
        XEvent reply{};
        reply.xselection.type = SelectionNotify;
        reply.xselection.requestor = asked.requestor;
        reply.xselection.selection = asked.selection;
        reply.xselection.target = asked.target;
        reply.xselection.property = asked.property;
        reply.xselection.time = asked.time;
        XSendEvent(display(), asked.requestor, False, NoEventMask, &reply);
        XFlush(display());
    }

    std::unique_ptr<Display, int (*)(Display*)> display_;
    Window window_ = 0, target_ = 0;
    std::string list_;
};

/// As a URI; what is neither a letter, a digit nor one of a few marks is written as %20.
std::string uri_of(const std::string& file) {
    std::string uri = "file://";
    for (const unsigned char c : file) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '/' ||
                           c == '-' || c == '_' || c == '.';
        static constexpr char kDigits[] = "0123456789ABCDEF";
        uri += plain ? std::string(1, static_cast<char>(c)) : std::string{'%', kDigits[c / 16], kDigits[c % 16]};
    }
    return uri;
}

}  // namespace

std::string missing_for_drops() { return ""; }

void drop_files(const std::string& display, const std::vector<std::string>& files) {
    std::string list;
    for (const std::string& file : files) list += uri_of(file) + "\r\n";
    DragSource(display).drop(list);
}

void set_resources(const std::string& display, const std::string& resources) {
    const std::unique_ptr<Display, int (*)(Display*)> opened(XOpenDisplay(display.c_str()), &XCloseDisplay);
    if (!opened) throw std::runtime_error("the display " + display + " cannot be opened");
    XChangeProperty(opened.get(), DefaultRootWindow(opened.get()), XA_RESOURCE_MANAGER, XA_STRING, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(resources.data()), static_cast<int>(resources.size()));
}

}  // namespace flipscope

#else

#include <stdexcept>

namespace flipscope {

std::string missing_for_drops() { return "no Xlib was found when the tests were built, so no file is dropped"; }
void drop_files(const std::string&, const std::vector<std::string>&) { throw std::runtime_error(missing_for_drops()); }
void set_resources(const std::string&, const std::string&) { throw std::runtime_error(missing_for_drops()); }

}  // namespace flipscope

#endif
