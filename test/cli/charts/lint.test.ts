/** `quorate lint`: findings in words and as JSON, the choice of rules, and exit codes. */

import {mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, beforeAll, expect, test} from 'vitest';

import {helpText} from '../../../cli/help/text.ts';
import {rules} from '../../../machines/testing/lint.ts';
import {type Ran, runLine} from '../../support/command-line.ts';

const home = mkdtempSync(join(tmpdir(), 'quorate-lint-'));
const env = {QUORATE_HOME: join(home, 'data'), HOME: home};

const modules = {
  'shop.ts': `import {fromPromise, setup} from 'xstate';
    const charge = fromPromise(() => Promise.resolve(1));
    export const checkout = setup({actors: {charge}, actions: {track: () => {}}}).createMachine({
      id: 'checkout',
      initial: 'cart',
      states: {
        cart: {
          on: {
            PAY: 'paying',
            ADD: {actions: 'track'},
            LOSE: 'lost',
            LEAVE: 'left',
          },
        },
        paying: {invoke: {src: 'charge', onDone: 'done'}},
        done: {type: 'final'},
        lost: {},
        left: {},
      },
    });
    export const lamp = checkout;
    export const none = 3;`,
  'lamp.js': `import {createMachine} from 'xstate';
    export const lamp = createMachine({initial: 'off', states: {off: {on: {T: 'on'}}, on: {on: {T: 'off'}}}});
    export const toggle = createMachine({initial: 'off', states: {off: {on: {GO: 'on'}}, on: {}}});`,
  'odd.ts': String.raw`import {createMachine} from 'xstate';
    export const odd = createMachine({id: 'a\u001b[31m\nb', initial: 'x', states: {x: {on: {GO: 'y'}}, y: {}}});`,
  'none.ts': 'export const size = 3;',
};

beforeAll(() => {
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(home, 'node_modules'));
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(home, name), text);
});
afterAll(() => rmSync(home, {recursive: true, force: true}));

async function lint(...words: readonly string[]): Promise<Ran> {
  return await runLine(['lint', '-C', home, ...words], env);
}

test('findings are grouped by machine and rule, each with a remedy', async () => {
  expect(await lint('shop.ts')).toEqual({
    code: 1,
    err: '',
    out: `shop.ts:checkout
  error unhandled-error
    checkout.paying: nothing handles the error of charge: a failure stops the machine
    fix: add onError to the invoke, or handle xstate.error.actor.* in a parent state
  warning dead-end
    checkout.lost: nothing leaves lost
    checkout.left: nothing leaves left
    fix: make it type: 'final', or give it a transition

shop.ts:checkout: 1 error, 2 warnings
`,
  });
});

test('a machine without findings takes one line', async () => {
  expect(await lint('lamp.js:lamp')).toEqual({
    code: 0,
    err: '',
    out: '✓ lamp.js:lamp: no findings\n',
  });
  expect(await lint('quorum', 'tool-call', 'quorum')).toEqual({
    code: 0,
    err: '',
    out: '✓ 2 machines: no findings\n',
  });
});

test.each([
  [['lamp.js'], 0],
  [['lamp.js', '--strict'], 1],
  [['lamp.js:lamp', '--strict'], 0],
  [['shop.ts', 'lamp.js'], 1],
  [['shop.ts', '--ignore', 'unhandled-error'], 0],
  [['shop.ts', '--rule', 'dead-end', '--rule', 'unhandled-error'], 1],
  [['shop.ts', '--rule', 'unknown-delay', '--rule', 'lost-output', '--strict'], 0],
  [['shop.ts:lamp', '--ignore', 'unhandled-error', '--ignore', 'dead-end', '--strict'], 0],
])('%j ends with exit code %i', async (words, code) => {
  expect((await lint(...words)).code).toBe(code);
});

test('JSON has each machine with its place and its findings', async () => {
  const {code, out} = await lint('lamp.js', 'quorum', '--output', 'json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    machines: [
      {machine: '(machine)', file: 'lamp.js', export: 'lamp', findings: []},
      {
        machine: '(machine)',
        file: 'lamp.js',
        export: 'toggle',
        findings: [
          {
            rule: 'dead-end',
            severity: 'warning',
            state: '(machine).on',
            message: 'nothing leaves on',
            fix: "make it type: 'final', or give it a transition",
          },
        ],
      },
      {machine: 'quorum', findings: []},
    ],
    errors: 0,
    warnings: 1,
  });
  const lines = (await lint('lamp.js', 'quorum', '--output', 'jsonl')).out.trim().split('\n');
  expect(lines).toHaveLength(3);
});

test('names of states cannot control the terminal', async () => {
  const {out} = await lint('odd.ts');
  expect(out).not.toContain('\u001b');
  expect(out).toContain('nothing leaves y');
});

test.each([
  [[], 'quorate lint needs modules'],
  [['gone.ts'], 'the file gone.ts does not exist'],
  [['lamp.js', 'none.ts'], 'none.ts exports no XState machine'],
  [['lamp.js:lmap'], 'did you mean "lamp"?'],
  [['quorums'], 'did you mean "quorum"?'],
  [
    ['lamp.js', '--rule', 'dead-ends'],
    '--rule: there is no rule "dead-ends"; did you mean "dead-end"?',
  ],
  [
    ['lamp.js', '--ignore', 'x'],
    '--ignore: there is no rule "x"; quorate help lint explains the rules',
  ],
])('%j could not run: exit code 2', async (words, message) => {
  const {code, out, err} = await lint(...words);
  expect([code, out]).toEqual([2, '']);
  expect(err.replaceAll(/\s+/g, ' ')).toContain(message);
});

test('the help explains every rule', async () => {
  const text = (await helpText('lint')).replaceAll(/\s+/g, ' ');
  for (const {name, description} of rules) expect(text).toContain(` ${name} ${description}`);
});
