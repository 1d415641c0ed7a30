/** Runs written by an earlier version, with the current launcher. */

import {join} from 'node:path';

import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import {schema1Runs, unpackSchema1} from '../fixtures/journals/recorded.ts';
import {createLauncher, type Launcher} from '../support/launch.ts';

let launcher: Launcher;

beforeAll(() => {
  launcher = createLauncher();
  unpackSchema1(join(launcher.folder, 'data/journal.db'));
});
afterAll(() => launcher.remove());

const {completed, killed, waiting, answered} = schema1Runs;

describe('a journal of the previous version', {timeout: 60_000}, () => {
  test('is listed', async () => {
    const {code, stdout} = await launcher.perform(['sessions', '--all', '--output', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      {id: answered.id, state: 'ended'},
      {id: waiting.id, state: 'outdated'},
      {id: killed.id, state: 'outdated'},
      {id: completed.id, state: 'ended', status: 'completed'},
    ]);
  });

  test.each(Object.entries(schema1Runs))('shows and exports the run that %s', async (_, run) => {
    const shown = await launcher.perform(['show', run.id]);
    const exported = await launcher.perform(['export', run.id]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain(run.id);
    expect(exported.stdout.trimEnd().split('\n')).toHaveLength(run.entries);
  });

  test.each([
    [
      'was killed',
      killed,
      '  nobody knows whether this happened: i/form/execution/task:fix/turns/call:1.0/run#1\n',
    ],
    ['waits', waiting, ''],
  ])(
    'can not resume the run that %s: one line says what is left, and it is done',
    async (_, run, doubt) => {
      const resumed = await launcher.perform(['resume', run.id]);
      expect(resumed.code).toBe(2);
      expect(resumed.stderr).toMatch(
        new RegExp(
          `^quorate: run ${run.id} can't be resumed: .* These still work: quorate show ${run.id}, quorate export ${run.id}, quorate undo ${run.id} and quorate cancel ${run.id}; or start the request again.\n$`,
        ),
      );
      const cancelled = await launcher.perform(['cancel', run.id]);
      expect([cancelled.code, cancelled.stdout]).toEqual([0, `run ${run.id}: cancelled\n${doubt}`]);
      expect((await launcher.perform(['show', run.id])).stdout).toContain('cancelled');
    },
  );

  test.each([
    ['completed', completed],
    ['was answered', answered],
  ])('refuses to cancel the run that %s, in one line, and does not change it', async (_, run) => {
    const before = await launcher.perform(['export', run.id]);
    const cancelled = await launcher.perform(['cancel', run.id]);
    expect(cancelled).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `quorate: the run ${run.id} has ended; see: quorate show ${run.id}\n`,
    });
    expect((await launcher.perform(['export', run.id])).stdout).toBe(before.stdout);
    expect((await launcher.perform(['resume', run.id])).code).toBe(0);
  });
});
