/** What undo can't take back is a warning when it happens, and a fact of the report; how busy the machine is changes nothing. */

import {execFileSync} from 'node:child_process';

import {expect, test} from 'vitest';

import {createSnapshots} from '../../../tools/index.ts';
import {createUndoPlace} from '../../support/undoing.ts';
import {createPlace} from '../../tools/place.ts';

test('changes of a command in a folder beyond the limits are a warning, and unknown to undo', async () => {
  const {workspace, run, runtime, warnings} = createUndoPlace();
  const large = 'for i in $(seq 21); do truncate -s 10M $i.bin; done';
  execFileSync('sh', ['-c', large], {cwd: workspace});
  const id = await run('echo x > out.txt');
  expect(warnings).toContainEqual(
    expect.stringMatching(
      /undo can't take back the changes of this call of run_command: its files have more than 200 MB/,
    ),
  );
  expect(await runtime().undo(id)).toMatchObject({files: [], commands: 1, unknown: 1});
});

test('a file whose earlier content is not kept is a warning when it is changed', async () => {
  const {put, run, runtime, warnings} = createUndoPlace();
  put('big.bin', Buffer.alloc(11 * 1024 * 1024, 1));
  const id = await run('rm big.bin; echo x > out.txt');
  expect(warnings).toContainEqual(
    expect.stringContaining("undo can't restore big.bin: its earlier content was not kept"),
  );
  const {files} = await runtime().undo(id);
  expect(files).toContainEqual(expect.objectContaining({path: 'big.bin', outcome: 'left'}));
});

test('a snapshot of a folder within the limits is taken however long that lasts', async () => {
  const {workspace, put} = createPlace();
  for (let at = 0; at < 300; at += 1) put(`files/${at}.txt`, `${at}\n`);
  const now = performance.now.bind(performance);
  let jumps = 0;
  // Each look at the clock is a minute after the one before: a machine that is stopped again and again.
  performance.now = () => now() + (jumps += 60_000);
  try {
    const snapshots = createSnapshots();
    expect(await snapshots.gapOf(workspace)).toBeUndefined();
    expect(await snapshots.unkeptIn(workspace)).toEqual([]);
    snapshots.close();
  } finally {
    performance.now = now;
  }
});
