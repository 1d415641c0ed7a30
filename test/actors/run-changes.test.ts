/** The paths that a run has changed: by its writes, by recorded changes, and by earlier processes. */

import {expect, test} from 'vitest';

import {configSchema} from '../../actors/config/schema.ts';
import {createMemoryJournal} from '../../actors/journal/memory.ts';
import {createRedactor} from '../../actors/secrets/redact.ts';
import {createRunChanges} from '../../actors/undo/backups.ts';

const redactor = createRedactor(configSchema.parse({}), {});

test('the process that resumes a run knows the files that it changed', async () => {
  const {backups} = createMemoryJournal();
  const open = () => createRunChanges('i', backups, redactor);
  const first = open();
  await first.onReplaceBy('i/call#1')([{path: 'src/a.ts', after: 'x'}, {path: 'old.ts'}]);
  first.note(['b.ts']);
  expect(await first.list()).toEqual(['src/a.ts', 'old.ts', 'b.ts']);
  expect(await open().list()).toEqual(['src/a.ts', 'old.ts']);
});

test('a backup names the effect that made the change', async () => {
  const {backups} = createMemoryJournal();
  const changes = createRunChanges('i', backups, redactor);
  for (const effect of ['i/call#1', 'i/call#2']) {
    await changes.onReplaceBy(effect)([{path: 'a.ts', after: effect}]);
  }
  expect(backups?.list('i')).toMatchObject([{effect: 'i/call#1'}, {effect: 'i/call#2'}]);
});

test('without backups only the changes of this process are known', async () => {
  const changes = createRunChanges('i', undefined, redactor);
  await changes.onReplaceBy('i/call#1')([{path: 'a.ts', after: 'x'}]);
  expect(await changes.list()).toEqual(['a.ts']);
});
