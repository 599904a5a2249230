//! Scripts that hang as people's scripts do: all of them come back to a state that is the same, or nearly,
//! after a while that may be long.

use crate::looping::script;

#[test]
fn counters_that_begin_again() {
    script("python3", &["-c", "i = 0\nwhile True: i = (i + 1) % 1000"]);
    script("lua5.4", &["-e", "i = 0 while true do i = (i + 1) % 1000 end"]);
    script("perl", &["-e", "$i = 0; while (1) { $i = ($i + 1) % 1000 }"]);
    script("gawk", &["BEGIN { while (1) i = (i + 1) % 1000 }"]);
}

#[test]
fn loops_in_loops() {
    script("python3", &["-c", "while True:\n for i in range(10): pass"]);
    script("lua5.4", &["-e", "while true do for i = 1, 10 do end end"]);
    script("perl", &["-e", "while (1) { for my $i (1 .. 10) { $x = $i } }"]);
    script("gawk", &["BEGIN { while (1) for (i = 0; i < 10; i++); }"]);
}

#[test]
fn strings_that_grow_and_are_cleared() {
    script("python3", &["-c", "s = ''\nwhile True:\n s += 'x'\n if len(s) > 10: s = ''"]);
    script(
        "lua5.4",
        &["-e", "local s = '' while true do s = s .. 'x' if #s > 10 then s = '' end end"],
    );
    script("perl", &["-e", "$s = ''; while (1) { $s .= 'x'; $s = '' if length($s) > 10 }"]);
    script("gawk", &["BEGIN { while (1) { s = s \"x\"; if (length(s) > 10) s = \"\" } }"]);
}

#[test]
fn work_that_is_put_back() {
    script("python3", &["-c", "q = [1, 2, 3]\nwhile q:\n x = q.pop(0)\n q.append(x)"]);
    script(
        "lua5.4",
        &["-e", "t = {1, 2, 3} while #t > 0 do table.insert(t, 1, table.remove(t)) end"],
    );
    script("perl", &["-e", "@q = (1, 2, 3); while (@q) { push @q, shift @q }"]);
    script("gawk", &["BEGIN { while (1) { a[1] = 1; delete a[1] } }"]);
}

#[test]
fn matches_of_nothing() {
    script("python3", &["-c", "import re\nwhile True: re.match('a*b', 'aaaa')"]);
    script("perl", &["-e", "$s = 'aaa'; while ($s =~ /a*/) { }"]);
    script("gawk", &["BEGIN { s = \"aaa\"; while (match(s, /a*/)) n = RSTART }"]);
}

#[test]
fn errors_that_are_caught_and_tried_again() {
    script(
        "python3",
        &["-c", "def f(n): raise ValueError(n)\nwhile True:\n try: f(1)\n except ValueError: pass"],
    );
    script("lua5.4", &["-e", "while true do pcall(error, 'x') end"]);
    script("perl", &["-e", "while (1) { eval { die 'x' } }"]);
}
