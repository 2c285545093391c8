// bin/flipscope of a bundle: chooses the libraries for lib/flipscope/flipscope and starts it. A graphics driver loads
// the system's libX11, libstdc++, … into the same process, and may need newer ones than the bundle's. So the system's
// libraries are used where they exist, otherwise the bundle's in lib/flipscope/fallback/NAME/. Needs only the C
// library, and no /proc.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static int fail(const char* what, const char* path) {
    fprintf(stderr, "flipscope: %s %s: %s. Unpack the whole bundle again, and keep its folders together\n", what, path,
            strerror(errno));
    return 3;
}

// The 30 of libstdc++.so.6.0.30, with links resolved; -1: not in the name.
static int release_of(const char* path) {
    char real[PATH_MAX];
    int release = -1;
    if (!realpath(path, real)) return -1;
    const char* name = strrchr(real, '/');
    return name && sscanf(name, "/libstdc++.so.6.0.%d", &release) == 1 ? release : -1;
}

// Whether the system has the library, no older than the bundle's.
static int system_has(const char* name, const char* bundled) {
    void* library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!library) return 0;
    struct link_map* place = NULL;
    if (strcmp(name, "libstdc++.so.6") == 0 && dlinfo(library, RTLD_DI_LINKMAP, &place) == 0)
        return release_of(place->l_name) >= release_of(bundled);
    return 1;
}

int main(int count, char** arguments) {
    (void)count;
    const char* started_as = (const char*)getauxval(AT_EXECFN);
    char self[PATH_MAX], program[PATH_MAX + 64], fallback[PATH_MAX + 64];
    if (!started_as || !realpath(started_as, self))
        return fail("cannot find itself at", started_as ? started_as : "an unknown path");
    for (int up = 0; up < 2; ++up) {
        char* slash = strrchr(self, '/');
        if (slash) *slash = '\0';
    }
    snprintf(program, sizeof program, "%s/lib/flipscope/flipscope", self);
    snprintf(fallback, sizeof fallback, "%s/lib/flipscope/fallback", self);

    DIR* folder = opendir(fallback);
    if (!folder) return fail("cannot open", fallback);
    const char* before = getenv("LD_LIBRARY_PATH");
    size_t room = before ? strlen(before) + 1 : 1, length = 0;
    char* paths = calloc(room, 1);
    for (struct dirent* entry; paths && (entry = readdir(folder));) {
        if (entry->d_name[0] == '.') continue;
        char bundled[2 * PATH_MAX];
        const size_t name_length = strlen(entry->d_name);
        snprintf(bundled, sizeof bundled, "%s/%s/%s", fallback, entry->d_name, entry->d_name);
        if (system_has(entry->d_name, bundled)) continue;
        room += strlen(fallback) + name_length + 2;
        char* longer = realloc(paths, room);
        if (!longer) break;
        paths = longer;
        length += (size_t)sprintf(paths + length, "%s/%s:", fallback, entry->d_name);
    }
    closedir(folder);
    if (paths && length > 0) {
        if (before)
            strcpy(paths + length, before);
        else
            paths[length - 1] = '\0';
        setenv("LD_LIBRARY_PATH", paths, 1);
    }
    execv(program, arguments);
    return fail("cannot start", program);
}
