/** What is understood of programs that search, and of those that run others on what they find; and what must not be. */

import {expect, test} from 'vitest';

import {callOf, readingOf, told} from '../reading.ts';

test.each([
  ['grep -rn foo src', 'reads-tree src'],
  ['grep -rn foo', 'reads-tree .'],
  ['grep -e foo -e bar a', 'reads a'],
  ['grep foo.*bar a', 'reads foo.*bar, reads a'],
  ["grep -rE --include=*.ts 'a|b' src lib", 'reads-tree src, reads-tree lib'],
  ['grep -f patterns a', 'reads patterns, reads a'],
  ['grep -c foo', ''],
  ['rg -n "foo|bar" src', 'reads-tree src'],
  ['rg foo', 'reads-tree .'],
  ['rg --files src', 'lists src'],
  ['rg --files', 'lists .'],
  ['rg -tts -g *.ts foo', '? *.ts'],
  ["rg -g '*.ts' -e foo", 'reads-tree .'],
  ['rg -uu KEY src', 'reads-tree src, reads src/**/.*'],
  ['rg --hidden KEY', 'reads-tree ., reads ./**/.*'],
  ["rg -g '.env*' KEY", 'reads-tree ., reads ./**/.*'],
  ["rg -g '*' KEY", 'reads-tree ., reads ./**/.*'],
  ["rg -g 'src/**' KEY", 'reads-tree ., reads ./src/**/.*'],
  ["rg -g '!dist' -g '*.{ts,tsx}' KEY", 'reads-tree .'],
  ["grep -rh . --include='.env*' .", 'reads-tree ., reads ./**/.*'],
  ['ag foo src', 'reads-tree src'],
  ['fd foo src', 'lists ., lists src'],
  ["find . -name '*.ts' -not -path './node_modules/*'", 'lists .'],
  ['find src test -type f -newer a', 'lists src, lists test, lists a'],
  ['find', 'lists .'],
  ["find . -name '*.log' -delete", 'lists ., deletes ./**/*.log'],
  ["find . ! -name '*.log' -delete", 'lists ., deletes-tree .'],
  ['find . -name a -o -name b -delete', 'lists ., deletes-tree .'],
  ["find . -delete -name '*.log'", 'lists ., deletes-tree .'],
  ['find /etc -name x -delete', 'lists /etc, deletes-tree /etc'],
  ['find src/ -delete', 'lists src/, deletes-tree src/'],
  ["find . -name '*.ts' -exec rm -f {} +", 'lists ., command rm -f ./**/*.ts'],
  ["find a b -exec cat {} ';'", 'lists a, lists b, command cat a/**/*, command cat b/**/*'],
  ["find . -exec cp /dev/null {} ';' -print", 'lists ., command cp /dev/null ./**/*'],
  ['find . -fprint out -fprintf out2 %p', 'lists ., writes out, writes out2'],
  ['find / -name x', 'lists /'],
])('%s: %s', (command, shown) => {
  expect(told(readingOf(command))).toBe(shown);
});

test.each([
  'grep -P -z "$x" src',
  'grep foo $x',
  'grep --devices=read --direct=recurse foo src',
  'rg --pre ./evil foo',
  'rg --pre=./evil foo',
  'rg --hostname-bin ./evil foo',
  'rg -z foo',
  'ag --pager ./evil foo',
  'fd -x rm',
  'fd foo --exec rm',
  "find / -name id_rsa -exec cat {} ';'",
  'find a/../.. -exec cat {} +',
  'find . -execdir ./evil {} +',
  "find . -ok rm {} ';'",
  'find . -exec "$x" {} +',
  'find . -exec {} +',
  'find . -exec rm',
  'find "$x"',
  'find . "$x"',
  'find . -name $x -print',
  'find -L . -delete',
  'find . -files0-from list',
  'find . -frob',
])('%s is not understood', (command) => {
  expect(told(readingOf(command))).toMatch(/^\? /);
});

test('a part of a word that find fills in is not known', () => {
  const [, run] = readingOf("find . -exec sh -c 'rm {}' ';'").acts;
  expect(run?.rest?.at(-1)).toMatchObject({text: 'rm {}', known: false});
});

test.each([
  ['xargs', 'command echo (what xargs reads)'],
  ['xargs rm -rf', 'command rm -rf (what xargs reads)'],
  ['xargs -0 -n 1 -P 4 cat -n', 'command cat -n (what xargs reads)'],
  ['xargs -I{} cp {} lib', 'command cp (what xargs reads) lib'],
  ['xargs -a list rm', 'reads list, command rm (what xargs reads)'],
])('%s: %s', (command, shown) => {
  const reading = readingOf(command, {input: 'pipe'});
  expect(told(reading)).toBe(shown);
  const items = reading.acts.at(-1)?.rest?.filter(({text}) => text.startsWith('('));
  expect(items?.every(({known}) => !known)).toBe(true);
});

test('what xargs gets from a list of places is those places', () => {
  const input = {text: 'src/**', known: true, pattern: true, quoted: true};
  expect(told(readingOf('xargs -0 cat', {input}))).toBe('command cat src/**');
  expect(told(readingOf('xargs -0 -I% cp % lib', {input}))).toBe('command cp src/** lib');
  const [run] = readingOf("xargs -I% sh -c 'cat %'", {input}).acts;
  expect(run?.rest?.at(-1)?.known).toBe(false);
});

test.each([
  'xargs -I{} {}',
  "xargs -I '' rm",
  'xargs "$x"',
  'xargs -p rm',
  'xargs -o vi',
  'xargs --arg=x rm',
])('%s is not understood', (command) => {
  expect(told(readingOf(command, {input: 'pipe'}))).toMatch(/^\? /);
});

test.each([
  ['env CI=1 X="$y" npm test', 'command CI=1 X=$y npm test'],
  ['env -C lib npm test', 'command npm test in lib'],
  ['env', 'reveals all variables'],
  ['env -u CI', 'reveals all variables'],
  ['timeout 5 rm -rf src', 'command rm -rf src'],
  ['timeout -k 1 -s KILL 5 npm test', 'command npm test'],
  ["hyperfine -w 3 'rm -rf src' ls", 'shell rm -rf src, shell ls'],
  ["hyperfine --prepare 'rm x' ls", 'shell rm x, shell ls'],
  ['nice -n 10 make', 'command make'],
  ['nohup npm start', 'command npm start'],
  ['time -p make', 'command make'],
  ['stdbuf -oL npm test', 'command npm test'],
  ['watch -n 1 rm -rf src', 'shell rm -rf src'],
  ["watch 'rm -rf src'", 'shell rm -rf src'],
  ['watch -x rm src', 'command rm src'],
  ["flock lock -c 'rm -rf src'", 'creates lock, shell rm -rf src'],
  ['flock -n lock rm src', 'creates lock, command rm src'],
  ['flock 9', ''],
  ["script -qc 'rm -rf src' /dev/null", 'shell rm -rf src, writes /dev/null'],
  ['script -qc ls', 'shell ls, writes typescript'],
  ['sudo -u me rm x', 'alters the system, as another user, command rm x'],
  ['strace -f -o out ls', 'command ls, writes out'],
  ['valgrind --leak-check=full ./app x', 'loads .valgrindrc, command ./app x'],
  ["bash -c 'rm -rf src' x", 'shell rm -rf src'],
  ["bash -euo pipefail -c 'npm test'", 'shell npm test'],
  ["bash -lc 'npm test'", 'shell npm test'],
  ["bash -sc 'npm test'", 'shell npm test'],
  ['sh a.sh -c x', 'script a.sh'],
  ['bash -n a.sh', 'reads a.sh'],
  ['bash --version', ''],
])('%s: %s', (command, shown) => {
  expect(told(readingOf(command))).toBe(shown);
});

test('a shell runs what a here-document says', () => {
  const input = {
    ...callOf('x y').args[0],
    text: 'rm -rf src',
    known: true,
    pattern: false,
    quoted: true,
  };
  expect(told(readingOf('bash', {input}))).toBe('shell rm -rf src');
  expect(told(readingOf('bash -s a b', {input}))).toBe('shell rm -rf src');
});

test.each([
  'hyperfine --shell=./evil ls',
  'bash',
  'bash -s',
  'bash -',
  'bash +x a.sh',
  'bash --rcfile evil -c ls',
  'bash --init-file evil',
  'bash -i a.sh',
  'bash -in a.sh',
  'bash -c',
  'bash -O extglob a.sh',
  "env -S 'rm -rf src'",
  'env --split-string=rm',
  'env "$x" rm',
  'timeout 5',
  'timeout "$x" rm',
  'watch',
  'script out',
  "strace -o '|./evil' ls",
  "strace -o '!./evil' ls",
  'strace -p 1',
  'sudo -i',
  'sudo -s rm',
  'sudo -e a',
  'valgrind --log-file=x ./app',
  'xvfb-run -s ./evil ls',
  'ionice -p 1',
])('%s is not understood', (command) => {
  expect(told(readingOf(command, {input: 'pipe'}))).toMatch(/^\? /);
});
