/** The code of a machine is a module that makes a machine with the same states and transitions. */

import {mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {parseSync} from 'rolldown/utils';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type AnyStateMachine, createMachine} from 'xstate';

import {findMachine} from '../../../cli/charts/machine-file.ts';
import {toCode} from '../../../diagrams/code/code.ts';
import {createNames} from '../../../diagrams/code/names.ts';
import {machines} from '../../../machines/index.ts';
import {isWritten, nodesOf, transitionsOf} from '../../../machines/testing/chart.ts';
import {hostile, japanese, large, order, single} from '../../diagrams/user-machines.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'code-'));
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'));
});

afterAll(() => rmSync(folder, {recursive: true}));

/** The structure of a chart, without its implementations. */
function structureOf({root}: AnyStateMachine): object[] {
  const names = createNames();
  return nodesOf(root).map((node) => ({
    id: node.id,
    path: node.path,
    type: node.type,
    history: node.history,
    defaults: node.type === 'history' ? node.config.target : undefined,
    initial: node.type === 'compound' ? node.initial.target.map(({id}) => id) : [],
    tags: node.tags,
    description: node.description,
    entry: node.entry.filter(isWritten).map((action) => names.action(action, node)),
    exit: node.exit.filter(isWritten).map((action) => names.action(action, node)),
    invoke: node.invoke.map((invoke) => [names.actor(invoke, node), invoke.id]),
    transitions: transitionsOf(node).map(
      ({eventType, guard, target, actions, reenter, description}) => ({
        eventType,
        guard: guard === undefined ? undefined : names.guard(guard, node),
        target: target?.map(({id}) => id),
        actions: actions.map((action) => names.action(action, node)),
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
      const file = join(folder, `machine-${index}.ts`);
      writeFileSync(file, code);
      const {machine: made} = await findMachine(file);
      expect(structureOf(made)).toEqual(structureOf(machine));
      expect(toCode(made)).toBe(code);
    });
  },
);
