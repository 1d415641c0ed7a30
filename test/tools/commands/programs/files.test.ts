/** What is understood of programs that make, copy, move and delete files, and what must not be. */

import {expect, test} from 'vitest';

import {readingOf, told} from '../reading.ts';

test.each([
  ['cp a b', 'reads a, writes b'],
  ['cp -r src lib', 'reads-tree src, writes-tree lib'],
  ['cp -a src lib', 'reads-tree src, writes-tree lib'],
  ['cp -P link b', 'reads link, writes-tree b'],
  ['cp a b lib', 'reads a, reads b, writes lib'],
  ['cp -t .git/hooks x', 'reads x, writes .git/hooks'],
  ['cp --target-directory=.git/hooks x', 'reads x, writes .git/hooks'],
  ['cp -n a b', 'reads a, creates b'],
  ['cp /dev/null src/a.ts', 'reads /dev/null, empties src/a.ts'],
  ['mv a b', 'moves-tree a, writes b'],
  ['mv a b lib', 'moves-tree a, moves-tree b, writes lib'],
  ['mv -t lib a', 'moves-tree a, writes lib'],
  ['install -m 755 a /usr/bin', 'reads a, writes /usr/bin'],
  ['install -D -t 0 a x/b', 'reads a, reads x/b, writes a in 0, writes b in 0'],
  ['install -t 0 a', 'reads a, writes 0'],
  ['install -d a b', 'creates a, creates b'],
  ['ln -s ../a b', 'links b'],
  ['ln -sf ../a', 'links .'],
  ['ln -s -t lib a b', 'links lib'],
  ['ln -sn a b lib', 'links lib, links lib'],
  ['rm a b', 'deletes a, deletes b'],
  ['rm -f *.log', 'deletes *.log'],
  ['rm -rf dist', 'deletes-tree dist'],
  ['rm dist -fr', 'deletes-tree dist'],
  ['rm --recursive -- -x', 'deletes-tree -x'],
  ['rmdir a', 'deletes a'],
  ['unlink a', 'deletes a'],
  ['shred -u a', 'deletes a'],
  ['shred a', 'empties a'],
  ['truncate -s 0 a', 'empties a'],
  ['mkdir -p src/new', 'creates src/new'],
  ['touch a b', 'creates a, creates b'],
  ['chmod 755 a', 'edits a'],
  ['chmod +x a', 'edits a'],
  ['chmod -x a', 'edits a'],
  ['chmod -R u+w src', 'edits-tree src'],
  ['chown -R me src', 'edits-tree src'],
  ['mktemp', 'creates tmp.XXXXXXXXXX in /tmp'],
  ['mktemp -d -p build t.XXXX', 'creates t.XXXX in build'],
  ['mktemp -p src', 'creates tmp.XXXXXXXXXX in src'],
  ['mktemp t.XXXX', 'creates t.XXXX'],
  ['mktemp -t name', 'creates name in /tmp'],
  ['dd if=/dev/null of=src/a.ts', 'reads /dev/null, empties src/a.ts'],
  ['dd if=/dev/zero of=b count=3', 'reads /dev/zero, writes b'],
  ['dd if=/etc/hostname', 'reads /etc/hostname'],
  ['dd if=a of=b bs=1M count=3 conv=notrunc,sync', 'reads a, writes b'],
  ['tee a b', 'writes a, writes b'],
  ['tee -a a', 'appends a'],
  ['split -l 100 big part-', 'reads big, writes part-*, creates part-*'],
  ['split big', 'reads big, writes x*, creates x*'],
  ['csplit -f y big /x/', 'reads big, writes y*, creates y*'],
])('%s: %s', (command, shown) => {
  expect(told(readingOf(command))).toBe(shown);
});

function last(command: string) {
  return readingOf(command)
    .acts.at(-1)
    ?.into?.map(({text}) => text);
}

test('what is copied into a folder goes below it, by its own name', () => {
  expect(last('cp x/a y/b lib')).toEqual(['x/a', 'y/b']);
  expect(last('mv -t lib a')).toEqual(['a']);
  expect(last('ln -s x/a lib')).toEqual(['x/a']);
  expect(last('ln -sn x/a lib')).toEqual(['x/a']);
  expect(last('ln -sT x/a lib')).toBeUndefined();
  expect(last('cp -T a lib')).toBeUndefined();
  expect(last('cp -r a/ lib')).toBeUndefined();
});

test.each([
  'cp a',
  'cp -l a b',
  'cp -s a b',
  'cp --parents a b',
  'cp -b a b',
  'cp --arch a b',
  'cp "$x" b',
  'cp a $x',
  'cp a b*',
  'mv "$x" b',
  'install -s a b',
  'install --strip-program=./evil -s a b',
  'ln a b',
  'ln -s a b*',
  'ln -f a b',
  'rm "$x"',
  'rm $x',
  'rm --no-preserve-root -rf x',
  'split --filter=./evil big',
  'split big "$x"',
  'dd ifoo=x',
  'dd if=/dev/zero of=x count=700 bs=1M',
  'dd if=/dev/zero of=x count=9999999',
  'truncate -s 900G x',
  'truncate -s +1T x',
  'dd if=/dev/zero of=x bs=1M',
  'cp /dev/zero x',
  'dd if=a of=b conv=$x',
  'mktemp --tmpdir=/etc',
])('%s is not understood', (command) => {
  expect(told(readingOf(command))).toMatch(/^\? /);
});
