/** Files with credentials and confined commands: closed to all of them, opened for one call by an authorized decision. */

import {describe, expect, test} from 'vitest';

import {
  canary,
  type Command,
  createRepository,
  runCommands,
} from '../support/hidden-credentials.ts';
import {rows} from '../support/rows.ts';
import {canConfine} from '../tools/run/confined.ts';

const reading = rows(String.raw`
  cat ./.en* ¦ grep -r API . ¦ cat .e?? ¦ head -50 .* ¦ find . -name ".e*" -exec cat {} + ¦ awk 1 .e*
  sed -n p ./.en* ¦ tar c . | strings ¦ for f in .*; do cat "$f"; done ¦ grep -rn "" . ¦ cat server.k*
  strings -f .* ¦ nl .e* ¦ jq -R . .e* ¦ paste .e* ¦ git ls-files -o | xargs cat
`);
const required = {sandbox: {mode: 'required'}} as const;
const fast = {agent: {phase_scope: 'fast'}} as const;

function callsOf({tasks = []}: {readonly tasks?: readonly {readonly calls?: readonly object[]}[]}) {
  return tasks.flatMap(({calls = []}) => calls);
}

describe.skipIf(!canConfine)('confined', () => {
  test('no command that reads a tree or a pattern shows their content, and each is approved', async () => {
    const commands = reading.map((command) => ({command}));
    const {result, shown} = runCommands(createRepository(), commands, required);
    const ended = await result;
    expect(await shown()).not.toContain(canary);
    expect(ended.denied).toEqual([]);
    const calls = callsOf(ended);
    expect(calls).toHaveLength(reading.length);
    expect(calls.every((call) => 'confined' in call && call.confined === true)).toBe(true);
  });

  test('a search continues in all other files and succeeds', async () => {
    const {result} = runCommands(createRepository(), [{command: 'grep -r API .'}], required);
    expect(callsOf(await result)).toMatchObject([
      {status: 'succeeded', text: expect.stringContaining('src/api.txt:API docs')},
    ]);
  });
});

test.each(reading.slice(0, 3))('unconfined, no rule judges %s', async (command) => {
  const {result} = runCommands(createRepository(), [{command}], {sandbox: {mode: 'off'}, ...fast});
  expect(await result).toMatchObject({status: 'waiting'});
});

const opening: Command = {command: 'cat .e?v nested/.e*', credentials: ['.env']};

describe.skipIf(!canConfine)('a call that opens one', () => {
  test.each(['interactive', 'auto_approve'] as const)(
    'waits for a person in the mode %s, whose question names the file',
    async (hil_mode) => {
      const config = {...required, agent: {...fast.agent, hil_mode}};
      const {result, events} = runCommands(createRepository(), [opening], config);
      expect(await result).toMatchObject({status: 'waiting'});
      expect(JSON.stringify(events.filter(({type}) => type === 'human.requested'))).toContain(
        '.env',
      );
    },
  );

  test('is rejected in the mode auto_reject', async () => {
    const config = {...required, agent: {...fast.agent, hil_mode: 'auto_reject'}} as const;
    const {result, shown} = runCommands(createRepository(), [opening], config);
    expect((await result).status).not.toBe('completed');
    expect(await shown()).not.toContain(canary);
  });

  test('reads that file alone once a person has approved it, and its values stay masked', async () => {
    const config = {...required, ...fast};
    const {result, shown} = runCommands(createRepository(), [opening], config, 'approves');
    const calls = callsOf(await result);
    expect(calls).toMatchObject([
      {status: 'succeeded', text: expect.stringContaining('API_KEY=[redacted]')},
    ]);
    expect(JSON.stringify(calls)).toContain('PORT=3000');
    expect(await shown()).not.toContain(canary);
  });
});
