/** A shortage of the machine is no outcome of a call: the run is suspended, and goes on with that call when it is resumed. */

import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {execa} from 'execa';
import {expect, onTestFinished, test} from 'vitest';
import {z} from 'zod';

import {defineTool} from '../../tools/index.ts';
import {launcherProgram} from '../support/built.ts';
import {createLauncher, environmentIn} from '../support/launch.ts';
import {answer} from '../support/scenario.ts';
import {setStage} from '../support/stage.ts';

test.each([
  ['EMFILE', 'run'],
  ['ENFILE', 'run'],
  ['ENOMEM', 'run'],
  ['EMFILE', 'preview'],
  ['ENOMEM', 'preview'],
] as const)(
  'a call that meets %s in its %s suspends the run, and is made when it is resumed',
  async (code, meets) => {
    let calls = 0;
    const lacking = (): void => {
      calls += 1;
      if (calls === 1) throw Object.assign(new Error(`${code}: too many`), {code});
    };
    const tool = defineTool({
      name: 'fetch_note',
      description: 'Fetches a note.',
      parameters: z.strictObject({}),
      reaches: 'workspace',
      quotes: false,
      risk: meets === 'preview' ? 'high' : 'low',
      repeatability: 'repeatable',
      ...(meets === 'preview' && {
        preview: async (args) => {
          lacking();
          return await Promise.resolve({kind: 'ready', args, preview: 'a note'});
        },
      }),
      run: async () => {
        if (meets === 'run') lacking();
        return await Promise.resolve({kind: 'succeeded', text: 'a note'});
      },
    });
    const {runtime, run} = setStage({
      folder: import.meta.dirname,
      tasks: [{id: 'a', description: 'Fetch it', tool: 'fetch_note', args: {}}],
      say: ({purpose}) => (purpose === 'close' ? answer('') : undefined),
      config: {agent: {phase_scope: 'fast'}},
      tools: [tool],
    });
    const suspended = await run('Fetch the note');
    expect(suspended).toMatchObject({status: 'waiting', exitCode: 2, resumable: true});
    expect(suspended.summary).toContain(`(${code})`);
    const resumed = await runtime.resume(suspended.interaction);
    expect(await resumed.result).toMatchObject({status: 'completed'});
    expect(calls).toBe(2);
    expect(await runtime.verify(suspended.interaction)).toMatchObject({holds: true});
  },
);

/** Descriptors that a shell may have passed on count, too, so they are closed first. */
const scarceShell = `for fd in /proc/self/fd/*; do n=\${fd##*/}; [ "$n" -gt 2 ] && eval "exec $n>&-"; done
ulimit -n "$LIMIT"; exec "$0" "$@"`;

/** How many descriptors a run opens changes with each version: the limit falls until a command cannot start. */
test('a command that cannot start for lack of descriptors suspends the run, and runs once when it is resumed', async () => {
  const {folder, run, remove} = createLauncher();
  onTestFinished(remove);
  for (let limit = 44; limit > 24; limit -= 2) {
    const workspace = join(folder, `work-${limit}`);
    mkdirSync(workspace);
    const words = ['-C', workspace, '--output', 'json', 'Run `echo x >> marks.txt` and report'];
    const line = [process.execPath, await launcherProgram(), ...words];
    const scarce = await execa('bash', ['-c', scarceShell, ...line], {
      cwd: folder,
      env: {...environmentIn(folder, {}), LIMIT: String(limit)},
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    });
    const result = JSON.parse(scarce.stdout);
    const marks = join(workspace, 'marks.txt');
    if (scarce.exitCode === 0) {
      expect(readFileSync(marks, 'utf8')).toBe('x\n');
      continue;
    }
    expect({code: scarce.exitCode, result}).toMatchObject({
      code: 2,
      result: {status: 'waiting', resumable: true},
    });
    expect(existsSync(marks)).toBe(false);
    const resumed = await run(['-C', workspace, 'resume', result.interaction, '--output', 'json']);
    expect(JSON.parse(resumed.stdout)).toMatchObject({status: 'completed'});
    expect(readFileSync(marks, 'utf8')).toBe('x\n');
    return;
  }
  expect.unreachable('every limit was enough');
});
