/** The launcher as a child process. */

import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import {act, ballot, isBallot, isPlanBallot} from '../support/agent-models.ts';
import {isDeep} from '../support/depth.ts';
import {eventsOf} from '../support/launch.ts';
import type {ReceivedRequest, Said} from '../support/mock-openai.ts';
import {idIn, setStage} from './stage.ts';

const {launcher, run: launch, serve, server, workspace} = setStage({graceMs: 100});

function rejectPlans(received: ReceivedRequest): Said {
  if (isPlanBallot(received)) return ballot('reject', 'not good enough');
  return isBallot(received) ? ballot('approve') : act(received);
}

const note = (): string => join(workspace(), 'note.txt');

describe('without a terminal', () => {
  test('a run that needs a person exits 4 and explains how to continue; the decision runs the plan', async () => {
    await serve(rejectPlans);
    const waiting = await launch('Write a note');
    expect(waiting.code).toBe(4);
    expect(waiting.stderr).toMatch(/quorate resume [a-z0-9]+ --decision/);
    expect(existsSync(note())).toBe(false);
    const id = idIn(waiting);
    const resumed = await launch('resume', id, '--decision', 'approve', '--output', 'json');
    expect(resumed.code).toBe(0);
    expect(JSON.parse(resumed.stdout)).toMatchObject({status: 'completed', exitCode: 0});
    expect(readFileSync(note(), 'utf8')).toBe('hello\n');
  });

  test('the last line of JSONL is the result, and every event has its common members', async () => {
    await serve((received) => (isBallot(received) ? ballot('approve') : act(received)));
    const {stdout, code} = await launch('--output', 'jsonl', 'Write a note');
    const events = eventsOf(stdout);
    expect(code).toBe(0);
    expect(events.at(-1)).toMatchObject({type: 'result', status: 'completed', usage: {costUsd: 0}});
    expect(events.map(({seq}) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(new Set(events.map(({interaction}) => interaction)).size).toBe(1);
  });

  test('a task may come from standard input', async () => {
    await serve((received) => (isBallot(received) ? ballot('approve') : act(received)));
    const {code} = await launcher.run(['-C', workspace()], {stdin: 'Write a note\n'});
    expect(code).toBe(0);
    expect(server?.received[0]?.text).toContain('# Request\nWrite a note');
  });
});

describe.runIf(isDeep)('at length', () => {
  test(
    'a file that may not grow does not end the process, whichever processes it has started',
    {timeout: 60_000},
    async () => {
      const run = await launcher.run(['-C', workspace(), 'Say hello'], {fileKib: 100});
      expect(run).toMatchObject({signal: null, code: expect.any(Number)});
    },
  );
});
