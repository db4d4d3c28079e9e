# cmake -DOUT=file.cc -DROOM=run -DHEADER=run/x.h -DFUNCTION=xs -DTYPE=X "-DFILES=a;b" -P (this)
set(entries "")
foreach(file ${FILES})
  file(READ ${file} hex HEX)
  # As bytes, so that no delimiter or length limit of string literals can ever matter.
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${hex}")
  string(REGEX REPLACE "((\\\\x[0-9a-f][0-9a-f])(\\\\x[0-9a-f][0-9a-f])?(\\\\x[0-9a-f][0-9a-f])?(\\\\x[0-9a-f][0-9a-f])?(\\\\x[0-9a-f][0-9a-f])?(\\\\x[0-9a-f][0-9a-f])?(\\\\x[0-9a-f][0-9a-f])?(\\\\x[0-9a-f][0-9a-f])?)" "\"\\1\"\n" lines "${bytes}")
  get_filename_component(name ${file} NAME)
  string(APPEND entries "{\"${name}\",\n${lines}},\n")
endforeach()
file(WRITE ${OUT} "// Written by cmake/write_embedded.cmake.
#include \"${HEADER}\"

namespace cutline::${ROOM} {

std::vector<${TYPE}> ${FUNCTION}() {
  return {
${entries}};
}

}  // namespace cutline::${ROOM}
")
