/** Charts of Quorate and of a user: found by name, drawn, written as code, linted. */

import {readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {parseSync} from 'rolldown/utils';
import {beforeAll, describe, expect, test} from 'vitest';
import {type AnyStateMachine, createMachine} from 'xstate';

import {findExport, findMachine, findMachines} from '../../../cli/charts/machine-file.ts';
import {helpText} from '../../../cli/help/text.ts';
import {toCode} from '../../../diagrams/config.ts';
import {toMermaid} from '../../../diagrams/mermaid.ts';
import {machines, quorumMachine} from '../../../machines/index.ts';
import {isWritten, nodesOf, transitionsOf} from '../../../machines/testing/chart.ts';
import {rules} from '../../../machines/testing/lint.ts';
import {hostile, japanese, large, order, single} from '../../diagrams/user-machines.ts';
import {type Ran, runLine} from '../../support/command-line.ts';
import {setFolder} from '../folders.ts';
import {rowsOf, unsafeCharacters, wordsOf} from '../texts.ts';

const folder = setFolder(true);

beforeAll(() => {
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(folder(), 'node_modules'));
  const two = `import {createMachine} from 'xstate';
    export const lamp = createMachine({id: 'lamp'});
    export const door = createMachine({id: 'door'});
    export const samples: readonly string[] = ['a'];`;
  writeFileSync(join(folder(), 'two.ts'), two);
  writeFileSync(join(folder(), 'a:b.ts'), two);
  writeFileSync(join(folder(), 'none.ts'), 'export const size = 3;');
  writeFileSync(join(folder(), 'broken.ts'), 'export const = 3;');
});

test('a file stands for all its machines, an export for one', async () => {
  const all = await findMachines('two.ts', folder());
  expect(all.map(({source}) => source?.name)).toEqual(['door', 'lamp']);
  expect((await findMachine('two.ts:lamp', folder())).machine.id).toBe('lamp');
  expect((await findMachine('a:b.ts:lamp', folder())).machine.id).toBe('lamp');
  expect((await findMachine('quorum')).machine.id).toBe('quorum');
  expect(await findExport('two.ts', 'samples', folder())).toEqual(['a']);
});

test.each(
  rowsOf(`
two.ts ⇒ two.ts exports several machines: choose two.ts:door or two.ts:lamp
two.ts:lam
  ⇒ two.ts does not export the machine lam; did you mean "lamp"?; its machines: door, lamp
none.ts
  ⇒ none.ts exports no XState machine, but size; a machine is made by createMachine of xstate 5
gone.ts ⇒ the file gone.ts does not exist
machines/tree/lock.ts
  ⇒ the file machines/tree/lock.ts does not exist; a machine of Quorate is named without a file; did you mean "lock"?
tree/lock ⇒ is neither a file nor a machine of Quorate; did you mean "lock"?
gone.ts:lamp ⇒ the file gone.ts does not exist
quorums
  ⇒ "quorums" is neither a file nor a machine of Quorate; did you mean "quorum"?; quorate diagram lists the machines
`),
)('%s is refused', async (word = '', message = '') => {
  await expect(findMachine(word, folder())).rejects.toThrow(message);
});

test('a module that cannot be imported is named with the reason', async () => {
  await expect(findMachine('broken.ts', folder())).rejects.toThrow(
    /broken\.ts cannot be imported: /,
  );
});

const diagrams = join(import.meta.dirname, '../../../diagrams');

beforeAll(() => {
  writeFileSync(
    join(folder(), 'odd-two.ts'),
    `import {createMachine} from 'xstate';
    const chart = {initial: 'off', states: {off: {on: {press: 'on'}}, on: {}}} as const;
    export const lamp = createMachine({id: 'lamp', ...chart});
    export const odd = createMachine({id: '\\u001b[31m\\u202e\\u0085"', ...chart});`,
  );
});

async function run(...args: readonly string[]): Promise<Ran> {
  return await runLine(['-C', folder(), 'diagram', ...args], {HOME: folder()});
}

function shipped(file: string): string {
  return readFileSync(join(diagrams, file), 'utf8');
}

describe('without a machine', () => {
  test('all machines of Quorate are listed', async () => {
    const {out, code} = await run();
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines.slice(1).map((line) => line.split(' ')[0])).toEqual(machines.map(({id}) => id));
    expect(out).toMatch(/^lock +4 +13$/m);
  });

  test('the list is data for programs', async () => {
    const {out} = await run('--output', 'json');
    const list: unknown = JSON.parse(out);
    expect(list).toContainEqual({name: 'quorum', states: 12, transitions: 23});
  });
});

describe('a machine of Quorate', () => {
  test('is drawn in each format', async () => {
    expect((await run('quorum')).out).toBe(toMermaid(quorumMachine));
    expect((await run('quorum', '--format', 'svg')).out).toBe(shipped('svg/quorum.svg'));
    expect((await run('quorum', '--format', 'xstate')).out).toBe(toCode(quorumMachine));
    for (const words of [
      ['--format', 'json'],
      ['--output', 'json'],
    ]) {
      const {out} = await run('quorum', ...words);
      const drawn: unknown = JSON.parse(out);
      expect(drawn).toEqual({
        config: expect.objectContaining({id: 'quorum', initial: 'opened'}),
        positions: JSON.parse(shipped('positions/quorum.json')),
      });
    }
  });

  test.each(['exclusive.running', '{"exclusive": "running"}'])(
    'has %s drawn as active',
    async (state) => {
      const svg = await run('tool-call', '--active', state, '--format', 'svg');
      expect(
        [...svg.out.matchAll(/<g class="is-active"><title>([^<]*)/g)].map(([, id]) => id),
      ).toEqual(['tool-call.exclusive', 'tool-call.exclusive.running']);
      const {out} = await run('tool-call', '--active', state);
      expect(out).toContain('class exclusive_running active');
    },
  );

  test('has no state that it lacks drawn as active', async () => {
    const {code, err} = await run('tool-call', '--active', 'exclusive.runing');
    expect([code, err.replaceAll(/\s+/g, ' ')]).toEqual([
      2,
      'quorate: --active: the machine has no state "exclusive.runing"; did you mean "exclusive.running"? ',
    ]);
  });

  test('is not drawn in an unknown format', async () => {
    const {code, err} = await run('quorum', '--format', 'pdf');
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('unknown format "pdf"; the formats are mermaid, svg, json, xstate'),
    ]);
  });
});

describe('a machine in a file', () => {
  test('is laid out and drawn', async () => {
    const {out, code} = await run('odd-two.ts:lamp', '--format', 'svg');
    expect(code).toBe(0);
    expect(out).toMatch(/^<svg [^]*<title>lamp<\/title>[^]*>press<\/text>[^]*<\/svg>\n$/);
  });

  test.each(['mermaid', 'svg', 'json', 'xstate'])(
    'reaches the terminal as %s without control characters',
    async (format) => {
      const {out, code} = await run('odd-two.ts:odd', '--format', format);
      expect(code).toBe(0);
      expect(unsafeCharacters(out)).toEqual([]);
    },
  );
});

/** The structure of a chart, without its implementations. */
function structureOf({root}: AnyStateMachine): object[] {
  return nodesOf(root).map((node) => ({
    id: node.id,
    path: node.path,
    type: node.type,
    history: node.history,
    defaults: node.type === 'history' ? node.config.target : undefined,
    initial: node.type === 'compound' ? node.initial.target.map(({id}) => id) : [],
    tags: node.tags,
    description: node.description,
    entry: node.entry.filter(isWritten).length,
    exit: node.exit.filter(isWritten).length,
    invoke: node.invoke.map(({id}) => id),
    transitions: transitionsOf(node).map(
      ({eventType, guard, target, actions, reenter, description}) => ({
        eventType,
        isGuarded: guard !== undefined,
        target: target?.map(({id}) => id),
        actions: actions.length,
        reenter,
        description,
      }),
    ),
  }));
}

/** An event `xstate.route` leads to its state. */
const routed = createMachine({
  id: 'routed',
  initial: 'a',
  states: {a: {}, b: {id: 'there', route: {guard: 'isKnown', description: 'By its address.'}}},
});

const users = [routed, order, single, japanese, hostile, large(5)];

describe.each([...machines, ...users].map((machine, index) => ({index, machine})))(
  'the code of machine $index, $machine.id,',
  ({index, machine}) => {
    test('is TypeScript, and makes the same machine', async () => {
      const code = toCode(machine);
      expect(parseSync('machine.ts', code).errors).toEqual([]);
      const file = join(folder(), `machine-${index}.ts`);
      writeFileSync(file, code);
      const {machine: made} = await findMachine(file);
      expect(structureOf(made)).toEqual(structureOf(machine));
      expect(toCode(made)).toBe(code);
    });
  },
);

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
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder(), name), text);
});

async function lint(...words: readonly string[]): Promise<Ran> {
  return await runLine(['lint', '-C', folder(), ...words], {HOME: folder()});
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

test.each(
  rowsOf(`
--quiet ⇒ quorate lint needs modules
gone.ts ⇒ the file gone.ts does not exist
lamp.js none.ts ⇒ none.ts exports no XState machine
lamp.js:lmap ⇒ did you mean "lamp"?
quorums ⇒ did you mean "quorum"?
lamp.js --rule dead-ends ⇒ --rule: there is no rule "dead-ends"; did you mean "dead-end"?
lamp.js --ignore x ⇒ --ignore: there is no rule "x"; quorate help lint explains the rules
`),
)('%s could not run: exit code 2', async (line = '', message = '') => {
  const {code, out, err} = await lint(...wordsOf(line));
  expect([code, out]).toEqual([2, '']);
  expect(err.replaceAll(/\s+/g, ' ')).toContain(message);
});

test('the help explains every rule', async () => {
  const text = (await helpText('lint')).replaceAll(/\s+/g, ' ');
  for (const {name, description} of rules) expect(text).toContain(` ${name} ${description}`);
});
