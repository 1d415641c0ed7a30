/** Listing a workspace: names of every kind, walks under attack, limits. */

import {existsSync, mkdirSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';

import {expect, test} from 'vitest';

import {listFiles, type Listing} from '../../../tools/read/list.ts';
import {createPlace, type Place} from '../place.ts';
import {createRacedPlace} from '../process.ts';

async function list(place: Place, base: readonly string[] = []): Promise<Listing> {
  return await listFiles(place.workspace, base, new AbortController().signal);
}

async function paths(place: Place, base?: readonly string[]): Promise<string[]> {
  return (await list(place, base)).files.map(({path}) => path);
}

const hostileNames = [
  'two\nlines/in a\r\nname.txt',
  'back\\slash/.\\x/a.txt',
  '{a,b}/[c]/*.txt',
  '!not/(x|y)/+(z).txt',
  '-rf/--/~.txt',
  '.hidden/..dots/...txt',
  'a\u2028b/\u202e.txt',
  '([a]+)+b.txt',
];

test.skipIf(process.platform === 'win32')('a file is listed whatever its name holds', async () => {
  const place = createPlace();
  for (const name of hostileNames) place.put(name, 'x');
  expect(await paths(place)).toEqual(hostileNames.toSorted());
  expect(await paths(place, ['two\nlines'])).toEqual(['two\nlines/in a\r\nname.txt']);
});

test('links are neither listed nor followed, and what others made is passed over', async () => {
  const place = createPlace();
  place.put('src/a.txt', 'abc');
  place.put('src/node_modules/x/index.js', '');
  place.put('.git/config', '');
  symlinkSync(place.outside, join(place.workspace, 'src/out'));
  symlinkSync(join(place.workspace, 'src'), join(place.workspace, 'again'));
  symlinkSync('a.txt', join(place.workspace, 'src/b.txt'));
  expect(await list(place)).toEqual({
    files: [{path: 'src/a.txt', bytes: 3}],
    cut: false,
    unreadable: 0,
  });
  expect(await paths(place, ['src', 'node_modules'])).toEqual(['src/node_modules/x/index.js']);
});

test.skipIf(!existsSync('/proc/self/fd'))(
  'a process that swaps a folder for a link cannot lead a walk out',
  async () => {
    const {place, attacker} = await createRacedPlace();
    const seen = new Set<string>();
    for (let walk = 0; walk < 1_000; walk += 1) {
      for (const path of await paths(place)) seen.add(path);
    }
    await attacker.kill();
    expect([...seen].filter((path) => !/^d2?\/inside\.txt$/.test(path))).toEqual([]);
    expect(seen.size).toBeGreaterThan(0);
  },
  60_000,
);

test('a walk ends at its depth and says so', async () => {
  const place = createPlace();
  const deep = Array.from({length: 101}, () => 'd');
  mkdirSync(join(place.workspace, ...deep), {recursive: true});
  place.put([...deep.slice(1), 'last.txt'].join('/'), '');
  place.put([...deep, 'beyond.txt'].join('/'), '');
  const listing = await list(place);
  expect(listing.files.map(({path}) => path.split('/').at(-1))).toEqual(['last.txt']);
  expect(listing.cut).toBe(true);
});

test('the event loop turns while a walk goes on, and an abort ends it', async () => {
  const place = createPlace();
  for (let index = 0; index < 300; index += 1) place.put(`d${index}/a.txt`, '');
  await list(place);
  const stop = new AbortController();
  const walking = listFiles(place.workspace, [], stop.signal);
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  stop.abort();
  const {files} = await walking;
  expect(files.length).toBeGreaterThan(0);
  expect(files.length).toBeLessThan(300);
});
