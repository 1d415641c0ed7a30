import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {type Plan, planHash, readPlan, type Task} from '../../../machines/domain/plan.ts';
import type {ToolInfo} from '../../../machines/domain/tool.ts';
import {isDeep} from '../../support/depth.ts';

const tools: readonly ToolInfo[] = ['read_file', 'run_command'].map((name) => ({
  name,
  risk: 'high',
  repeatability: 'once',
  timeoutMs: 1_000,
}));

const words = fc.string({minLength: 1, maxLength: 12}).map((text) => `x${text}x`);
const json = fc
  .dictionary(words, fc.jsonValue({maxDepth: 2}))
  .map((value) => JSON.parse(JSON.stringify(value)));

/** Tasks as a model gives them: ids from a small set, so that repeats, unknown ids and cycles are common. */
const drafts = fc.array(
  fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    description: fc.constant('do it'),
    depends_on: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'gone'), {maxLength: 3}),
  }),
  {minLength: 1, maxLength: 6},
);
type Draft = typeof drafts extends fc.Arbitrary<infer T> ? T : never;

function read(tasks: unknown, settled: readonly string[] = []) {
  return readPlan({objective: 'an objective', reasoning: '', tasks}, tools, {settled, open: []});
}

function problemsOf(tasks: unknown, settled?: readonly string[]): string {
  const reading = read(tasks, settled);
  return reading.ok ? '' : reading.problems.join('\n');
}

/** Returns true when a walk along dependencies can take as many steps as there are tasks. */
function hasCycle(tasks: Draft): boolean {
  const steps = tasks.map((task) =>
    tasks.flatMap((next, i) => (task.depends_on.includes(next.id) ? [i] : [])),
  );
  let walkers = [...tasks.keys()];
  for (const _ of tasks) walkers = [...new Set(walkers.flatMap((at) => steps[at] ?? []))];
  return walkers.length > 0;
}

describe('a plan from a model', () => {
  test('is refused exactly when ids repeat or are taken, or dependencies are unknown or cyclic', () => {
    fc.assert(
      fc.property(drafts, fc.subarray(['gone', 'e']), (tasks, settled) => {
        const ids = tasks.map(({id}) => id);
        const repeats = new Set(ids).size < ids.length;
        const isTaken = ids.some((id) => settled.includes(id));
        const known = new Set([...ids, ...settled]);
        const unknown = tasks.some((task) => task.depends_on.some((id) => !known.has(id)));
        const problems = problemsOf(tasks, settled);
        expect(problems.includes('is used twice')).toBe(repeats);
        expect(problems.includes('is used by a task that has ended')).toBe(isTaken);
        expect(problems.includes('not in the plan')).toBe(unknown);
        expect(problems.includes('in a circle')).toBe(hasCycle(tasks));
        expect(read(tasks, settled).ok).toBe(problems === '');
      }),
      {numRuns: isDeep ? 1_000 : 150},
    );
  });

  test('is refused with problems that name the task', () => {
    const task = {id: 'a', description: 'do it'};
    expect(problemsOf([{...task, tool: 'rm'}])).toContain('task a names the tool rm');
    expect(problemsOf([{...task, args: {path: 'x'}}])).toContain('task a has arguments');
    expect(problemsOf([{...task, depends_on: ['b']}])).toContain('task a depends on b');
    expect(problemsOf([{...task, depends_on: ['a']}])).toContain('in a circle: a');
    expect(problemsOf([{...task, agent: 'ghost'}])).toContain('agent');
  });

  test('may number its tasks, and spaces around ids are ignored', () => {
    const reading = read([
      {id: 1, description: 'first'},
      {id: ' 2 ', description: 'second', depends_on: [1]},
      {id: '3', description: 'third', depends_on: [' 2']},
    ]);
    expect(reading).toMatchObject({
      ok: true,
      plan: {tasks: [{id: '1'}, {id: '2', depends_on: ['1']}, {id: '3', depends_on: ['2']}]},
    });
  });

  test('of ten thousand tasks is refused', () => {
    const many = Array.from({length: 10_000}, (_, i) => ({id: `${i}`, description: 'do it'}));
    expect(read(many).ok).toBe(false);
  });

  test('is refused without an exception for any invalid data', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (value, tasks) => {
        expect(readPlan(value, tools).ok).toBe(false);
        expect(read([tasks]).ok).toBe(false);
      }),
    );
  });

  test('does not overflow on arguments nested a hundred thousand deep', () => {
    let deep: unknown = {};
    for (let i = 0; i < 100_000; i += 1) deep = {deep};
    const reading = read([{id: 'a', description: 'do it', tool: 'read_file', args: {deep}}]);
    expect(reading.ok).toBeTypeOf('boolean');
  });
});

/** Valid plans: each task depends only on tasks before it. */
const plans: fc.Arbitrary<Plan> = fc
  .record({
    objective: words,
    reasoning: fc.string(),
    parameters: fc.option(json, {nil: undefined}),
    tasks: fc.array(
      fc.record({
        description: words,
        tool: fc.option(fc.constantFrom('read_file', 'run_command'), {nil: undefined}),
        args: fc.option(json, {nil: undefined}),
        before: fc.array(fc.nat(), {maxLength: 3}),
        expected_outcome: fc.option(words, {nil: undefined}),
        timeout_ms: fc.option(fc.integer({min: 1, max: 3_600_000}), {nil: undefined}),
        context_mode: fc.constantFrom<Task['context_mode']>('full', 'projected', 'fresh'),
        context_brief: fc.option(words, {nil: undefined}),
      }),
      {minLength: 1, maxLength: 8},
    ),
  })
  .map(({objective, reasoning, parameters, tasks}) => ({
    objective,
    reasoning,
    parameters,
    tasks: tasks.map(({before, args, ...task}, i) =>
      Object.assign(task, {
        id: `${i}`,
        args: task.tool ? args : undefined,
        depends_on:
          i === 0 || before.length === 0 ? undefined : [...new Set(before.map((n) => `${n % i}`))],
      }),
    ),
  }))
  .map((plan) => JSON.parse(JSON.stringify(plan)));

describe('a plan as data', () => {
  test('reads back as the same plan with the same hash, also through JSON text', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const data: unknown = JSON.parse(JSON.stringify(plan));
        const reading = readPlan(data, tools);
        expect(reading).toEqual({ok: true, plan});
        expect(reading.ok && planHash(reading.plan)).toBe(planHash(plan));
      }),
    );
  });

  test('has another hash when a description differs', () => {
    fc.assert(
      fc.property(plans, words, (plan, text) => {
        const changed = {...plan, tasks: plan.tasks.map((task) => ({...task, description: text}))};
        fc.pre(plan.tasks.some(({description}) => description !== text));
        expect(planHash(changed)).not.toBe(planHash(plan));
      }),
    );
  });
});

test('redoing a task that has succeeded is further work, not a redo', () => {
  const ground = {settled: ['done'], open: ['bad'], used: ['done', 'bad']};
  const again = (redoes: readonly string[]) => {
    const tasks = [{id: 1, description: 'do it', redoes}];
    return readPlan({objective: 'an objective', reasoning: '', tasks}, tools, ground);
  };
  const task = {id: '1', description: 'do it', context_mode: 'full'};
  expect(again(['done'])).toMatchObject({ok: true, plan: {tasks: [task]}});
  expect(again(['done'])).not.toHaveProperty('plan.tasks.0.redoes');
  expect(again(['done', 'bad'])).toMatchObject({plan: {tasks: [{...task, redoes: ['bad']}]}});
  expect(again(['unknown'])).toMatchObject({ok: false});
});

test('a task that redoes another task has its own id', () => {
  const ground = {settled: ['done'], open: ['bad'], used: ['done', 'bad', 'dropped']};
  const problems = (id: string) => {
    const tasks = [{id, description: 'do it', redoes: ['bad']}];
    const reading = readPlan({objective: 'an objective', reasoning: '', tasks}, tools, ground);
    return reading.ok ? [] : reading.problems;
  };
  expect(problems('bad')).toEqual([
    'the task id bad is used by a task of an earlier plan; choose another id, and name bad in redoes if the task redoes that one',
  ]);
  expect(problems('dropped')).toEqual([
    'the task id dropped is used by a task of an earlier plan; choose another id',
  ]);
  expect(problems('done')).toHaveLength(1);
  expect(problems('new')).toEqual([]);
});
