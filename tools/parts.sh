# shellcheck shell=bash
# parts.sh: sourced by .ci/run and tools/full. `part NAME COMMAND…` says what runs and keeps how long
# it took; `parts_summary` prints the times. A part that fails ends the script, with its name.

parts_times=""

part() {
  local name=$1 start=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  if ! "$@"; then
    printf '\n== %s FAILED after %d s\n' "$name" $((SECONDS - start)) >&2
    exit 1
  fi
  parts_times+=$(printf '%6d s  %s' $((SECONDS - start)) "$name")$'\n'
}

parts_summary() {
  printf '\n== times\n%s%6d s  all\n' "$parts_times" "$SECONDS"
}

# run_ctest BUILD_FOLDER ARGUMENTS…: also fails if a test was skipped, and counts the passed ones.
tests_passed=0
run_ctest() {
  local folder=$1 log
  shift
  log=$(mktemp)
  if ! ctest --test-dir "$folder" --output-on-failure --no-tests=error -j "$(nproc)" "$@" 2>&1 |
    tee "$log"; then
    rm -f "$log"
    return 1
  fi
  check_ctest_log "$log"
}

# check_ctest_log FILE: fails if the run in it skipped a test; removes the file.
check_ctest_log() {
  local log=$1 failed=0
  if grep -q 'did not run:' "$log"; then
    echo "A test was skipped, but must run here (the list is above)" >&2
    failed=1
  fi
  tests_passed=$((tests_passed + $(sed -n 's/.* tests failed out of \([0-9]*\)$/\1/p' "$log" | tail -n 1)))
  rm -f "$log"
  return "$failed"
}
