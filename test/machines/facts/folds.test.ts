/** What a run changed, file by file, told from the record. */

import {expect, test} from 'vitest';

import type {Change} from '../../../machines/domain/change.ts';
import type {Recorded} from '../../../machines/facts/fact.ts';
import {netChanges} from '../../../machines/facts/folds.ts';

const took = (...changes: readonly Change[]): Recorded => ({
  type: 'tool.settled',
  path: 'agent/execution/task:a/turns/call:1.0',
  tool: 'write_file',
  status: 'succeeded',
  message: '',
  changes,
  detail: {},
});

const made = (path: string, added: number): Change => ({
  path,
  added,
  removed: 0,
  diff: `--- /dev/null\n+++ b/${path}\n`,
});
const changed = (path: string, added: number, removed: number): Change => ({
  path,
  added,
  removed,
  diff: `--- a/${path}\n+++ b/${path}\n`,
});

test.each([
  ['changed twice stands once', [changed('a', 2, 1), changed('a', 1, 2)], [{added: 1, removed: 1}]],
  ['that is new and empty is told, too', [made('a', 0)], [{added: 0, removed: 0}]],
  ['made and emptied is still new', [made('a', 3), changed('a', 0, 3)], [{added: 0, removed: 0}]],
  ['that got lines and lost them again is as it was', [changed('a', 3, 0), changed('a', 0, 3)], []],
])('a file %s', (_, changes, net) => {
  expect(netChanges([took(...changes)])).toEqual(net.map((each) => ({path: 'a', ...each})));
});
