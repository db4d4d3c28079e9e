// asio.cc: the one translation unit with Asio's own code in it.
#include "sys/asio.h"

#include <boost/asio/impl/src.hpp>
