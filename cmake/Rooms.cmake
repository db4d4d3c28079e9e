# Every folder of src/ is a room: a static library cutline_ROOM of its *.cc, and a test program
# test_ROOM of its *_test.cc. Which room may use which stands in rooms.txt alone.

file(STRINGS ${CMAKE_SOURCE_DIR}/cmake/rooms.txt room_lines REGEX "^[a-z]+:")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/rooms.txt)

# cutline_pch(TARGET OWNER header...): precompiled headers, which the owner has and all others reuse.
function(cutline_pch target owner)
  if(NOT CUTLINE_PCH)
    return()
  elseif(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# cutline_room(NAME [LIBS library...]): LIBS are the third-party libraries fenced in this room.
function(cutline_room name)
  cmake_parse_arguments(ARG "" "" "LIBS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")

  add_library(cutline_${name} STATIC ${sources})
  target_include_directories(cutline_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(cutline_${name} PUBLIC cutline_flags fmt::fmt PRIVATE ${ARG_LIBS})
  foreach(line ${room_lines})
    if(line MATCHES "^${name}: *(.*)$")
      string(REPLACE " " ";" allowed "${CMAKE_MATCH_1}")
      foreach(room ${allowed})
        target_link_libraries(cutline_${name} PUBLIC cutline_${room})
      endforeach()
    endif()
  endforeach()
  cutline_pch(cutline_${name} cutline_base ${CMAKE_SOURCE_DIR}/cmake/pch.h)

  if(tests AND BUILD_TESTING)
    cutline_test(test_${name} cutline_${name} ${tests})
  endif()
endfunction()

# cutline_test(NAME LIBRARY source...): a GoogleTest program whose tests CTest knows one by one.
function(cutline_test name library)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE ${library} cutline_test_support)
  if(TARGET cutline_cases)
    target_link_libraries(${name} PRIVATE cutline_cases)
  endif()
  cutline_pch(${name} test_base <gtest/gtest.h> ${CMAKE_SOURCE_DIR}/cmake/pch.h)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 300 LABELS unit)
endfunction()
