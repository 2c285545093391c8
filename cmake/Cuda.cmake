# Decides whether to build for CUDA, and reports that in one line. AUTO also requires a GPU: compiling for CUDA takes three
# times as long and is useless without one. With CUDA it sets FLIPSCOPE_WITH_CUDA, for CMake and for sources, and
# flipscope_cudart, which targets that use CUDA link.
if(FLIPSCOPE_CUDA STREQUAL "OFF")
  return()
endif()

# Without nvidia-smi, or if it is too old, these files indicate a GPU with a driver: one per GPU. Their folder also exists
# without a GPU if a driver is installed.
set(FLIPSCOPE_GPU_SIGNS "/dev/nvidia[0-9]*;/proc/driver/nvidia/gpus/*" CACHE STRING "Files that indicate a GPU with a driver")
file(GLOB gpu_signs LIST_DIRECTORIES TRUE ${FLIPSCOPE_GPU_SIGNS})
# A program that is not found prints nothing and fails; so do the executions of nvcc below.
find_program(FLIPSCOPE_NVIDIA_SMI nvidia-smi NO_CACHE PATHS /usr/lib/wsl/lib)
execute_process(COMMAND ${FLIPSCOPE_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
                OUTPUT_VARIABLE smi_says ERROR_QUIET TIMEOUT 60)
# "7.5\n9.0\n" becomes 75;90; without a GPU it prints a message.
string(REGEX MATCHALL "(^|\n)[0-9]+\\.[0-9]+" gpu_architectures "${smi_says}")
string(REGEX REPLACE "[\n.]" "" gpu_architectures "${gpu_architectures}")
list(REMOVE_DUPLICATES gpu_architectures)
if(FLIPSCOPE_CUDA STREQUAL "AUTO" AND NOT gpu_signs AND NOT gpu_architectures)
  message(STATUS "CUDA: no NVIDIA GPU found; building for CPU threads only (-DFLIPSCOPE_CUDA=ON builds for CUDA as well)")
  return()
endif()

# nvcc must compile C++20, as nvcc 12 was the first to do, with this machine's C++ compiler.
find_program(CMAKE_CUDA_COMPILER nvcc HINTS ENV CUDA_PATH PATH_SUFFIXES bin PATHS /usr/local/cuda/bin)
execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --version OUTPUT_VARIABLE nvcc_says ERROR_QUIET)
string(REGEX REPLACE ".*release ([0-9.]+|none).*" "\\1" nvcc_release "release none ${nvcc_says}")
set(trial ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/nvcc_trial)
file(WRITE ${trial}.cu "#include <string>\n__global__ void kernel() {}\n")
execute_process(COMMAND ${CMAKE_CUDA_COMPILER} -std=c++20 -c ${trial}.cu -o ${trial}.o RESULT_VARIABLE trial_failed OUTPUT_QUIET ERROR_QUIET)
if(trial_failed)
  set(lacks "nvcc 12 or newer that compiles C++20 with this machine's C++ compiler; found: ${nvcc_release}")
  if(FLIPSCOPE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "FLIPSCOPE_CUDA=ON needs ${lacks}. Install the CUDA Toolkit, put nvcc on PATH, or configure with "
                        "-DFLIPSCOPE_CUDA=OFF.")
  endif()
  message(STATUS "CUDA: there is a GPU, but no ${lacks}. Building for CPU threads only (install the CUDA Toolkit or put "
                 "nvcc on PATH, and configure again)")
  return()
endif()

# Before enable_language: CMake's compiler test would choose an architecture that new toolkits have dropped.
set(CMAKE_CUDA_ARCHITECTURES ${FLIPSCOPE_CUDA_ARCHITECTURES})
if(FLIPSCOPE_CUDA_ARCHITECTURES STREQUAL "AUTO")
  # Those of the GPUs here, if nvcc knows all of them; otherwise code for any from 7.5 on.
  execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-arch OUTPUT_VARIABLE nvcc_knows ERROR_QUIET)
  string(REGEX MATCHALL "7[5-9]|[89][0-9]|[1-9][0-9][0-9]" known_architectures "${nvcc_knows}")
  set(CMAKE_CUDA_ARCHITECTURES ${gpu_architectures})
  list(REMOVE_ITEM gpu_architectures ${known_architectures})
  if(gpu_architectures OR NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES "75-real;90")
  endif()
endif()
message(STATUS "CUDA: nvcc ${nvcc_release}, architectures ${CMAKE_CUDA_ARCHITECTURES}; building for both devices "
               "(-DFLIPSCOPE_CUDA=OFF builds for CPU threads only)")
enable_language(CUDA)
set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")  # CMake 3.25 does not know that nvcc 12 compiles C++20
find_package(CUDAToolkit REQUIRED)
set(FLIPSCOPE_WITH_CUDA ON)
add_compile_definitions(FLIPSCOPE_WITH_CUDA=1)
set(flipscope_cudart CUDA::cudart_static)
