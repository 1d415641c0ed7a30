/** Temporary files that a killed writer has left in the workspace. */

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync, utimesSync} from 'node:fs';

import {expect, onTestFinished, test} from 'vitest';

import {topLevel} from '../../../tools/read/list.ts';
import {createPlace, textOf} from '../place.ts';

const url = new URL('../../../tools/write/leftovers.ts', import.meta.url).href;

/** A process that tells a name for its temporary file and lives on until it is told to end. */
async function startWriter(): Promise<{name: string; end: () => Promise<void>}> {
  const program = `import(${JSON.stringify(url)}).then(({temporaryName}) => {
    process.stdin.resume();
    process.stdout.write(temporaryName());
  });`;
  const child = spawn(process.execPath, ['-e', program], {stdio: ['pipe', 'pipe', 'inherit']});
  onTestFinished(() => void child.kill('SIGKILL'));
  const [told]: Buffer[] = await once(child.stdout, 'data');
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await once(child, 'close');
  };
  return {name: String(told), end};
}

test('the next write removes what a dead writer has left, and nothing else', async () => {
  const place = createPlace();
  const [dead, live] = [await startWriter(), await startWriter()];
  await dead.end();
  const elsewhere = dead.name.replace(/-[0-9a-f]{8}-/, '-00000000-');
  const likeOurs = ['.quorate-notes.tmp', 'x.quorate-1-2-3.tmp', `${dead.name}.txt`];
  for (const name of [dead.name, live.name, elsewhere, ...likeOurs]) place.put(name, 'half');
  await place.run('write_file', {path: 'a.txt', content: 'whole'});
  expect(readdirSync(place.workspace).toSorted()).toEqual(
    ['a.txt', live.name, elsewhere, ...likeOurs].toSorted(),
  );
  await live.end();
  await place.run('edit_file', {path: 'a.txt', old_text: 'whole', new_text: 'new'});
  expect(readdirSync(place.workspace)).not.toContain(live.name);
});

test('what is older than any write may be is removed, whoever wrote it', async () => {
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
  expect(topLevel(place.workspace)).toEqual({ok: true, value: ['.env']});
});
