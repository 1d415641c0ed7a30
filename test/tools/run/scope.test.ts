/** The limits of all processes of a command together, in a scope of systemd; where none can be made, a warning is printed. */

import {expect, describe, test, vi} from 'vitest';

import {createRunCommand, createSandbox, createToolbox} from '../../../tools/index.ts';
import {statOf} from '../../../tools/run/processes.ts';
import {defaultLimits, limitsOf} from '../../../tools/run/quota.ts';
import {createScopes} from '../../../tools/run/sandbox.ts';
import {createPlace, type Place, textOf} from '../place.ts';
import {canConfine} from './confined.ts';

const problem = await createScopes().problem(limitsOf(defaultLimits));
if (problem !== undefined) {
  process.stderr.write(
    `\n*** NOT TESTED: what bounds the memory and the processes of commands together. ${problem}. ` +
      "Run these suites in a session of the user's systemd. ***\n\n",
  );
}

const modes = canConfine ? (['off', 'required'] as const) : (['off'] as const);

const limits = {memory: 128 * 1_048_576, processes: 50};

function createMode(mode: 'off' | 'required', scopes = createScopes()): Place {
  const command = createRunCommand({sandbox: createSandbox({mode}), limits, scopes});
  return createPlace(createToolbox([command]));
}

describe.skipIf(problem !== undefined).each(modes)('with the sandbox %s', (mode) => {
  test('processes that share the memory share its limit, and the outcome names it', async () => {
    const place = createMode(mode);
    const hold = `
      const {existsSync} = require("node:fs");
      const memory = Buffer.alloc(70e6, 1);
      setTimeout(() => process.exit(memory[0]), 20_000);
      setInterval(() => existsSync("over") && process.exit(), 20);`;
    const one = `{ ${process.execPath} -e '${hold}' || { touch over; exit 137; }; }`;
    const outcome = await place.run('run_command', {
      command: `${one} & pid=$!; ${one} && wait $pid`,
    });
    expect(outcome).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('all its processes together may take 128 MB of memory'),
    });
  });

  test('the number of processes is limited', async () => {
    const place = createMode(mode);
    const command = `${process.execPath} -e '
      const {spawn} = require("node:child_process");
      let begun = 0;
      for (let i = 0; i < 200; i += 1) {
        const child = spawn("sleep", ["30"], {stdio: "ignore"});
        child.on("error", () => undefined);
        if (child.pid) begun += 1;
      }
      console.log("begun", begun);
      process.exit(0);'`;
    const [, begun = 0] =
      /^begun (\d+)/.exec(textOf(await place.run('run_command', {command}))) ?? [];
    expect(Number(begun)).toBeGreaterThan(0);
    expect(Number(begun)).toBeLessThan(50);
  });

  test('a command below its limits ends as without them, with no variable of systemd', async () => {
    const outcome = await createMode(mode).run('run_command', {
      command: 'env | grep -E "^(XDG|DBUS|INVOCATION)"; echo done; kill -s USR1 $$',
    });
    expect(outcome).toMatchObject({kind: 'failed', text: 'done\n'});
    expect(outcome).toMatchObject({message: expect.not.stringContaining('memory')});
  });
});

test.skipIf(problem !== undefined)(
  'a process that has left its group, its session and its mark still ends with the command',
  async () => {
    const place = createMode('off');
    const command =
      "(env -i setsid sh -c 'echo $$ > pid; exec sleep 60' &); while [ ! -s pid ]; do :; done; echo done";
    const outcome = await place.run('run_command', {command, timeout_secs: 20});
    expect(outcome).toMatchObject({kind: 'succeeded', text: 'done\n'});
    await vi.waitFor(() => expect(statOf(Number(place.text('pid')))).toBeUndefined());
  },
);

test('where systemd does not answer, a command runs without a scope', async () => {
  const scopes = createScopes({XDG_RUNTIME_DIR: '/nowhere'});
  expect(await scopes.problem(limits)).toMatch(/^systemd-run /);
  const outcome = await createMode('off', scopes).run('run_command', {command: 'echo done'});
  expect(outcome).toMatchObject({kind: 'succeeded', text: 'done\n'});
});
