/** What is understood of the languages of sed and awk, and what must not be. */

import {assert, property, string, stringMatching} from 'fast-check';
import {expect, test} from 'vitest';

import {awkFault} from '../../../../tools/commands/refinements/awk-script.ts';
import {readSedScript} from '../../../../tools/commands/refinements/sed-script.ts';
import {readingOf, told} from '../reading.ts';

test.each([
  ['sed -n 1,40p src/a.ts', 'reads src/a.ts'],
  ["sed -n '/start/,/end/p' a", 'reads a'],
  ["sed 's/foo/bar/g; s|a|b|2gI' a b", 'reads a, reads b'],
  ["sed -e 1d -e '$d' a", 'reads a'],
  ["sed ':a;N;$!ba;s/x/y/' a", 'reads a'],
  ["sed '1!G;h;$!d' a", 'reads a'],
  ["sed -n '/x/{=;p}' a", 'reads a'],
  ["sed '2i hello; e rm' a", 'reads a'],
  ["sed 'y/abc/def/;q5' a", 'reads a'],
  ["sed '$r .env' a", 'reads a, reads .env'],
  ['sed -f x.sed a', 'code x.sed, reads a'],
  ["sed -i 's/foo/bar/g' src/*.ts", 'edits src/*.ts'],
  ["sed -i '' 's/foo/bar/' a", 'edits s/foo/bar/, edits a'],
  ["sed -i.bak '/foo/d' a", 'edits a, writes a.bak'],
  ["sed -i 's/[ ]*$//' a", 'edits a'],
  ["sed -i 's/^/# /' a", 'edits a'],
  ["sed -i '10,20d;3c x' a", 'edits a'],
  ["sed -i 's/.*/x &/' a", 'edits a'],
  ['sed -i d src/*.ts', 'empties src/*.ts'],
  ["sed -i '1,$d' a", 'empties a'],
  ["sed -i '/./d' a", 'empties a'],
  ["sed -i '/^/{d}' a", 'empties a'],
  ["sed -i '/foo/!d' a", 'empties a'],
  ["sed -i '1!{d}' a", 'empties a'],
  ["sed -i 's/.*//' a", 'empties a'],
  ["sed -i '0~1d' a", 'empties a'],
  ['sed -i 1q a', 'empties a'],
  ['sed -i g a', 'empties a'],
  ['sed -ni /x/p a', 'empties a'],
  ["sed -i 'c x' a", 'empties a'],
])('%s: %s', (command, shown) => {
  expect(told(readingOf(command))).toBe(shown);
});

test.each([
  "sed -n '1e rm -rf src' README.md",
  "sed --expression='1e rm -rf src' README.md",
  'sed --expr=p a',
  "sed 's/x/rm -rf src/e' a",
  "sed 's/x/y/ge' a",
  "sed 's/x/y/w out' a",
  "sed 'w out' a",
  "sed -n '/x/W out' a",
  "sed 'p;e' a",
  "sed 'p\ne rm' a",
  "sed '{e rm\n}' a",
  "sed ':a;e rm' a",
  "sed ':a\ne rm' a",
  "sed 's/[/]e/x/' a",
  "sed 's/a/b' a",
  "sed '{p' a",
  "sed 'p}' a",
  "sed -i '' 's/x/y/e' a",
  'sed -i "s/$a/$b/" a',
  'sed "s/$a/b/" a',
  'sed s/foo*/e/ a',
  "sed -i'*.bak' s/a/b/ a",
  'sed -i/etc/x s/a/b/ a',
  "sed 'R x' a",
  'sed',
])('%s is not understood', (command) => {
  expect(told(readingOf(command))).toMatch(/^\? /);
});

test.each([
  ["awk '{print $1}' data.txt", 'reads data.txt'],
  ['awk -F: \'$3 > 1000 && /x|y/ {n++; print $1, n / 2} END {printf "%d", n}\' a', 'reads a'],
  ['awk -v x="$y" \'$1 == x || $2 ~ /a>b/\' a b', 'reads a, reads b'],
  ['awk \'BEGIN { for (i = 0; i < 3; i++) print (i > 1) ? "a|b" : "c>d" }\'', ''],
  ['awk \'{ print > "/dev/stderr" }\' a', 'reads a'],
  ["awk '!seen[$0]++' a", 'reads a'],
  ['awk -f x.awk a', 'code x.awk, reads a'],
  ["awk '# a > b | c\n{ x /= 2 }' a", 'reads a'],
])('%s: %s', (command, shown) => {
  expect(told(readingOf(command))).toBe(shown);
});

test.each([
  'awk \'BEGIN{printf "" > "src/main.ts"}\'',
  'awk \'{print > "a"}\' b',
  "awk '{print $1 >> $2}' b",
  'awk \'{print ($1)($2) > "a"}\' b',
  'awk \'{printf("x") > "a"}\' b',
  'awk \'{ if (1) print "x" > "a" }\' b',
  'awk \'BEGIN{system("rm -rf src")}\'',
  'awk \'BEGIN{"rm -rf src" | getline}\'',
  'awk \'BEGIN{print | "sh"}\'',
  'awk \'BEGIN{print "x" |& "sh"}\'',
  'awk \'BEGIN{while ((getline x < ".env") > 0) print x}\'',
  'awk \'BEGIN{print ENVIRON["TOKEN"]}\'',
  'awk \'BEGIN{ARGV[1]="/etc/passwd"; ARGC=2} 1\'',
  'awk \'@load "evil"\'',
  'awk \'BEGIN{f="sys" "tem"; @f("rm")}\'',
  'awk \'{ if (1) /"/; print > "f" #"\n}\' a',
  "awk '/[/]/ { print }' a",
  "awk '{print \"x}' a",
  'awk \'BEGIN{SYMTAB["x"]=1}\'',
  "gawk -i evil '1' a",
  "gawk -l evil '1' a",
  "gawk --load=evil '1' a",
  "gawk -o out '1' a",
  'awk "{print $x}" a',
  'awk "$x" a',
])('%s is not understood', (command) => {
  expect(told(readingOf(command))).toMatch(/^\? /);
});

test('no script makes their readers throw', () => {
  assert(
    property(string(), stringMatching(/^[sdpeq/\\{};!,$[\]1-9a\n "'()|>#~]*$/), (any, script) => {
      for (const text of [any, script]) {
        expect(readSedScript(text)).toBeDefined();
        expect(typeof awkFault(text)).toMatch(/string|undefined/);
      }
    }),
  );
});

test('scripts are read in proportion to their length', () => {
  const hostile = ['[', '/', '\\', '{', '1,', '((', '%', 's/./', 'a\\\n', '"'];
  const start = performance.now();
  for (const part of hostile) {
    readSedScript(part.repeat(15_000));
    awkFault(part.repeat(15_000));
  }
  expect(performance.now() - start).toBeLessThan(2_000);
});
