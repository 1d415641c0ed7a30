/** The analysis of programs that search or run other programs on their matches, and its limits. */

import {expect, test} from 'vitest';

import {cells} from '../../../support/rows.ts';
import {callOf, readingOf, readingText} from '../reading.ts';

test('a part of a word that find fills in is unknown', () => {
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
  expect(readingText(reading)).toBe(shown);
  const items = reading.acts.at(-1)?.rest?.filter(({text}) => text.startsWith('('));
  expect(items?.every(({known}) => !known)).toBe(true);
});

test('the input of xargs from a list of places is those places', () => {
  const input = {text: 'src/**', known: true, pattern: true, quoted: true};
  expect(readingText(readingOf('xargs -0 cat', {input}))).toBe('command cat src/**');
  expect(readingText(readingOf('xargs -0 -I% cp % lib', {input}))).toBe('command cp src/** lib');
  const [run] = readingOf("xargs -I% sh -c 'cat %'", {input}).acts;
  expect(run?.rest?.at(-1)?.known).toBe(false);
});

test.each(
  cells(`
  xargs -I{} {} ¦ xargs -I '' rm ¦ xargs "$x" ¦ xargs -p rm ¦ xargs -o vi ¦ xargs --arg=x rm
`),
)('%s is not understood', (command) => {
  expect(readingText(readingOf(command, {input: 'pipe'}))).toMatch(/^\? /);
});

test('a shell runs the text of a here-document', () => {
  const input = {
    ...callOf('x y').args[0],
    text: 'rm -rf src',
    known: true,
    pattern: false,
    quoted: true,
  };
  expect(readingText(readingOf('bash', {input}))).toBe('shell rm -rf src');
  expect(readingText(readingOf('bash -s a b', {input}))).toBe('shell rm -rf src');
});

test.each(
  cells(`
  hyperfine --shell=./evil ls ¦ bash ¦ bash -s ¦ bash - ¦ bash +x a.sh ¦ bash --rcfile evil -c ls
  bash --init-file evil ¦ bash -i a.sh ¦ bash -in a.sh ¦ bash -c ¦ bash -O extglob a.sh
  env -S 'rm -rf src' ¦ env --split-string=rm ¦ env "$x" rm ¦ timeout 5 ¦ timeout "$x" rm ¦ watch
  script out ¦ strace -o '|./evil' ls ¦ strace -o '!./evil' ls ¦ strace -p 1 ¦ sudo -i
  sudo -s rm ¦ sudo -e a ¦ valgrind --log-file=x ./app ¦ xvfb-run -s ./evil ls ¦ ionice -p 1
`),
)('%s is not understood', (command) => {
  expect(readingText(readingOf(command, {input: 'pipe'}))).toMatch(/^\? /);
});
