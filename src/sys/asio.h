// asio.h: Asio as this room uses it: compiled once, in asio.cc, and without deprecated names.
// Internal: no other room includes it.
#pragma once

#define BOOST_ASIO_SEPARATE_COMPILATION
#define BOOST_ASIO_NO_DEPRECATED
// A loop stays in its thread, so its handlers need no fences, which the thread sanitizer cannot
// see.
#define BOOST_ASIO_DISABLE_FENCED_BLOCK

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

namespace cutline::sys {

class Loop;

/// What a loop runs.
boost::asio::io_context& context_of(Loop& loop);

}  // namespace cutline::sys
