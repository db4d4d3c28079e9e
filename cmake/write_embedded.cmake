# cmake -DOUT=file.cc "-DFILES=a.toml;b.toml" -DHEADER=room/x.h -DTYPE=room::Type -DFUNCTION=name
#   -P write_embedded.cmake
# writes a function that gives the files' names and bytes: std::vector<TYPE> of {name, bytes}.
set(entries "")
foreach(file ${FILES})
  file(READ ${file} hex HEX)
  # As bytes, so that no delimiter or length limit of string literals can ever matter.
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${hex}")
  string(REGEX REPLACE "((\\\\x[0-9a-f][0-9a-f])(\\\\x[0-9a-f][0-9a-f])?(\\\\x[0-9a-f][0-9a-f])?(\\\\x[0-9a-f][0-9a-f])?(\\\\x[0-9a-f][0-9a-f])?(\\\\x[0-9a-f][0-9a-f])?(\\\\x[0-9a-f][0-9a-f])?(\\\\x[0-9a-f][0-9a-f])?)" "\"\\1\"\n" lines "${bytes}")
  get_filename_component(name ${file} NAME)
  string(APPEND entries "{\"${name}\",\n${lines}},\n")
endforeach()
string(REGEX REPLACE "::.*" "" room "${TYPE}")
file(WRITE ${OUT} "// Written by cmake/write_embedded.cmake.
#include \"${HEADER}\"

namespace cutline::${room} {

std::vector<cutline::${TYPE}> ${FUNCTION}() {
  return {
${entries}};
}

}  // namespace cutline::${room}
")
