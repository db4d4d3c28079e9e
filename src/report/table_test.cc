// table_test.cc
#include "report/table.h"

#include <gtest/gtest.h>

namespace cutline::report {
namespace {

const Style kStyle = {.colour = false, .columns = 40};

TEST(Table, AlignsByWidthOnTheScreen) {
  Table table({Align::kLeft, Align::kRight, Align::kLeft});
  table.row({{"name"}, {"kept"}, {"where"}});
  table.row({{"七番"}, {"12,098"}, {"here"}});
  table.row({{"é"}, {"–"}, {"there"}});
  EXPECT_EQ(table.render(kStyle),
            "name    kept  where\n"
            "七番  12,098  here\n"
            "é          –  there\n");
}

TEST(Table, WrapsTheLastColumnUnderItself) {
  Table table({Align::kLeft, Align::kLeft});
  table.row({{"2.1.84"}, {"a reminder in a user message, from initialize"}});
  table.row({{"2.1"}, {"x"}});
  EXPECT_EQ(table.render(kStyle),
            "2.1.84  a reminder in a user message,\n"
            "        from initialize\n"
            "2.1     x\n");
}

TEST(Table, LetsAShortRowRunOver) {
  Table table({Align::kLeft, Align::kRight, Align::kLeft});
  table.row({{"a"}, {"1"}, {"x"}});
  table.row({{"b"}, {"nothing: it is too late"}});
  EXPECT_EQ(table.render(kStyle),
            "a  1  x\n"
            "b  nothing: it is too late\n");
}

TEST(Table, LeavesNoSpacesAtTheEnds) {
  Table table({Align::kLeft, Align::kLeft});
  table.row({{"a"}, {""}});
  table.row({{"longer"}, {"x"}});
  EXPECT_EQ(table.render(kStyle), "a\nlonger  x\n");
}

TEST(Table, StaysInANarrowTerminal) {
  Table table({Align::kLeft, Align::kRight, Align::kRight, Align::kLeft});
  table.row({{"  Some Client"}, {"kept"}, {"lost"}, {"lands in"}});
  table.row({{"▸ 2.1.296 – 2.1.332"}, {"12,098"}, {"8,002"}, {"message of role system"}});
  table.row({{"  2.1.0"}, {"nothing: the client does not wait that long"}});
  EXPECT_EQ(table.render({.colour = false, .columns = 40}),
            "  Some Client          kept   lost\n"
            "    lands in\n"
            "▸ 2.1.296 – 2.1.332  12,098  8,002\n"
            "    message of role system\n"
            "  2.1.0\n"
            "    nothing: the client does not wait\n"
            "    that long\n");
}

}  // namespace
}  // namespace cutline::report
