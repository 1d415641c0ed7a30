/** Temporary files of a killed writer in the workspace. */

import {readdirSync, utimesSync} from 'node:fs';

import {expect, test} from 'vitest';

import {topLevel} from '../../../tools/read/list.ts';
import {createPlace, textOf} from '../place.ts';
import {startNode} from '../process.ts';

const url = new URL('../../../tools/write/leftovers.ts', import.meta.url).href;

const program = `import(${JSON.stringify(url)}).then(({temporaryName}) => {
  process.stdin.resume();
  process.stdout.write(temporaryName());
});`;

/** A process that prints a name for its temporary file and runs until it is killed. */
async function startWriter(): Promise<{name: string; kill: () => Promise<void>}> {
  const {said, kill} = startNode(program);
  return {name: await said, kill};
}

test('the next write removes the files of a dead writer, and nothing else', async () => {
  const place = createPlace();
  const [dead, live] = [await startWriter(), await startWriter()];
  await dead.kill();
  const elsewhere = dead.name.replace(/-[0-9a-f]{8}-/, '-00000000-');
  const likeOurs = ['.quorate-notes.tmp', 'x.quorate-1-2-3.tmp', `${dead.name}.txt`];
  for (const name of [dead.name, live.name, elsewhere, ...likeOurs]) place.put(name, 'half');
  await place.run('write_file', {path: 'a.txt', content: 'whole'});
  expect(readdirSync(place.workspace).toSorted()).toEqual(
    ['a.txt', live.name, elsewhere, ...likeOurs].toSorted(),
  );
  await live.kill();
  await place.run('edit_file', {path: 'a.txt', old_text: 'whole', new_text: 'new'});
  expect(readdirSync(place.workspace)).not.toContain(live.name);
});

test('a file older than any possible write is removed, with any writer', async () => {
  const place = createPlace();
  const live = await startWriter();
  const path = place.put(live.name, 'half');
  const longAgo = Date.now() / 1_000 - 7_200;
  utimesSync(path, longAgo, longAgo);
  await place.run('write_file', {path: 'a.txt', content: 'whole'});
  expect(readdirSync(place.workspace)).toEqual(['a.txt']);
});

test('temporary files are in no listing', async () => {
  const place = createPlace();
  const live = await startWriter();
  place.put(live.name, 'half');
  place.put('.env', 'shown');
  const listed = await place.run('glob_search', {pattern: '.*'});
  expect(textOf(listed)).toBe('.env\t5');
  expect(await topLevel(place.workspace, new AbortController().signal)).toMatchObject({
    ok: true,
    value: {names: ['.env']},
  });
});
