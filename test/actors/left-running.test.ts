/** Processes left by a run whose process was killed end with the takeover, in the process group and outside of it. */

import {existsSync} from 'node:fs';

import {expect, onTestFinished, test, vi} from 'vitest';

import {createMemoryJournal} from '../../actors/journal/memory.ts';
import {endChildren} from '../../actors/run/takeover.ts';
import {signalGroup, statOf} from '../../tools/run/processes.ts';
import {createPlace} from '../tools/place.ts';
import {startNode} from '../tools/process.ts';

const tools = new URL('../../tools/', import.meta.url).href;
const command =
  "setsid sh -c 'echo $$ > pid.tmp; mv pid.tmp pid; exec sleep 9999' >/dev/null 2>&1 & sleep 9999";

/** Starts a command, and is killed once that has started a process in its own session. */
const program = `
  Promise.all(['index.ts', 'run/processes.ts'].map((path) => import(${JSON.stringify(tools)} + path)))
    .then(([{createRunCommand, createSandbox}, {startTimeOf}]) => {
      const {existsSync, writeSync} = require('node:fs');
      const [workspace] = process.argv.slice(1);
      const onChild = (group) => void writeSync(1, group + ' ' + startTimeOf(group));
      const context = {workspace, signal: new AbortController().signal, recovering: false, onChild};
      createRunCommand({sandbox: createSandbox({mode: 'off'})}).run({command: ${JSON.stringify(command)}}, context);
      setInterval(() => existsSync(workspace + '/pid') && process.kill(process.pid, 'SIGKILL'), 5);
    });`;

test.skipIf(!existsSync('/proc/self/environ'))(
  'a process that had left its group is ended by the takeover',
  async () => {
    const place = createPlace();
    const {stdout, signal} = await startNode(program, place.workspace).ended;
    expect(signal).toBe('SIGKILL');
    const [group = '', startedAt = ''] = stdout.split(' ');
    const pid = Number(place.text('pid'));
    onTestFinished(() => {
      signalGroup(Number(group), 'SIGKILL');
      signalGroup(pid, 'SIGKILL');
    });
    expect(statOf(pid)).toMatchObject({name: 'sleep'});

    const {children} = createMemoryJournal();
    children.remember('r', Number(group), startedAt);
    await endChildren('r', children);
    await vi.waitFor(() =>
      expect([statOf(Number(group)), statOf(pid)]).toEqual([undefined, undefined]),
    );
  },
  30_000,
);
