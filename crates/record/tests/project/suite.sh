# Every call here is a way of giving the tool something; tests/record/suite.rs says what each must become.

echo 'one two' | ./tool -u
./tool -u <<END
here and
there
END
./tool data/a.txt data/b.txt
./tool -u < data/a.txt
TOOL_PREFIX='> ' LC_ALL=C ./tool data/b.txt
./tool missing.txt; echo "status $?"
./tool data/a.txt data/b.txt
(cd data && ../tool a.txt)
./tool "$PWD/data/b.txt"

# A program that is killed.
./tool -w > waiting.txt &
while ! test -s waiting.txt; do sleep 0.05; done
kill $!; wait $! 2>/dev/null; echo "status $?"

# What the tool leaves of its standard input belongs to the next reader.
{ ./tool -n 1; cat; } < data/a.txt
printf 'x\ny\nz\n' | { ./tool -n 1; cat; }
echo unread | { ./tool -V; cat; }
yes | ./tool -n 2

# Other ways to wait for standard input, and none at all.
echo polled | ./tool -p
echo opened | ./tool /dev/stdin
sleep 0.3 | ./tool -a
./tool <&- ; echo "status $?"

# Children, and what the tool writes itself.
./tool -c data/b.txt
./tool -t scratch.txt
./tool -d data/a.txt
while ! test -f late.txt; do sleep 0.05; done; cat late.txt

# The process is the one that was started, by the name it was started by.
./tool -i > pid.txt & wait; test "$(cat pid.txt)" = "$!" && echo 'same process'
ln -s tool other; ./other -V

head -c 5000000 /dev/zero | ./tool | wc -c
exit 7
