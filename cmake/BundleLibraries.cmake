# Runs at installation: copies the program's shared libraries to lib/flipscope, with their licences. Libraries that a graphics
# driver needs too go to fallback/NAME/, where app/commands/launcher.c uses them on systems without them. The C library, OpenGL
# and the driver come from the system.
set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
set(folder "${prefix}/lib/flipscope")
# Of each Debian package, from its documentation folder.
set(licences "${prefix}/share/doc/flipscope/licences")
file(MAKE_DIRECTORY "${licences}")

# Libraries that GLFW opens at run time, if installed here.
foreach(name X11-xcb.so.1 Xcursor.so.1 Xi.so.6 Xinerama.so.1 Xrandr.so.2 Xrender.so.1 Xxf86vm.so.1)
  file(GLOB found /usr/lib/x86_64-linux-gnu/lib${name} /usr/lib64/lib${name})
  list(APPEND opened ${found})
endforeach()

file(GET_RUNTIME_DEPENDENCIES
     EXECUTABLES "${folder}/flipscope" LIBRARIES ${opened}
     RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing
     PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|util|resolv)\\.so" "^lib(GL|EGL|GLX|OpenGL|GLdispatch|cuda)\\.so" "^linux-vdso"
     POST_EXCLUDE_REGEXES "^${folder}/")
if(missing)
  message(FATAL_ERROR "The bundle lacks libraries, which are not where the dynamic linker looks: ${missing}")
endif()
list(APPEND libraries ${opened})
list(REMOVE_DUPLICATES libraries)

foreach(library IN LISTS libraries)
  cmake_path(GET library FILENAME name)
  set(place "${folder}")
  if(name MATCHES "^lib(stdc\\+\\+|gcc_s|z|expat|bsd|md|X[A-Za-z0-9-]+|xcb[a-z-]*)\\.so")
    set(place "${folder}/fallback/${name}")
  endif()
  file(INSTALL "${library}" DESTINATION "${place}" TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN)
  file(REAL_PATH "${library}" real)
  string(REPLACE "/usr/lib/" "/lib/" elsewhere "${real};${library}")
  execute_process(COMMAND dpkg-query -S ${real} ${library} ${elsewhere} OUTPUT_VARIABLE owners ERROR_QUIET)
  string(REGEX MATCH "^[^:,\n]+" package "${owners}")
  file(COPY_FILE /usr/share/doc/${package}/copyright "${licences}/${package}" RESULT failed)
  if(failed)
    message(WARNING "No licence was found for ${real}: add it to share/doc/flipscope/licences before giving the bundle away")
  endif()
endforeach()

# Compiled in: headers and static libraries have licences, too.
foreach(package fonts-inter fonts-jetbrains-mono libimgui-dev libglm-dev libcli11-dev nlohmann-json3-dev librandom123-dev
                libfast-float-dev libstb-dev python3-glad)
  file(COPY_FILE /usr/share/doc/${package}/copyright "${licences}/${package}" RESULT failed)
endforeach()
