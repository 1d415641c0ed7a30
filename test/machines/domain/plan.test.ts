/** Plans, and the bounds of the texts that a model's answer may fill. */

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {z} from 'zod';

import {type Plan, planHash, readPlan, type Task} from '../../../machines/domain/plan.ts';
import {isVetoed, reasonsOf, type ReviewRound, vetoText} from '../../../machines/domain/review.ts';
import {changeSettings, replacedModels} from '../../../machines/domain/settings.ts';
import {bytesOf} from '../../../machines/domain/text-limits.ts';
import type {ToolInfo} from '../../../machines/domain/tool.ts';
import {toAbstention, toVote} from '../../../machines/panel/quorum.ts';
import {readBallot} from '../../../machines/questions/ballot.ts';
import {readEvaluation} from '../../../machines/questions/evaluation.ts';
import {maxFieldBytes, readBy} from '../../../machines/questions/reading.ts';
import {isDeep} from '../../support/depth.ts';
import {modelSeat, smallSettings} from '../events/settings.ts';

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

const endless = '長い話'.repeat(50_000);

function isCut(text = ''): boolean {
  const bytes = bytesOf(text);
  const isFull = bytes > maxFieldBytes / 2 && bytes <= maxFieldBytes;
  return isFull && /\[… \d+ characters cut …\]/.test(text);
}

test('the reasons of a ballot share one bound, and its suggested change has its own', () => {
  const reasons = Array.from({length: 19}, () => endless);
  const args = {verdict: 'reject', reasons, confidence: 1, suggested_change: endless};
  const ballot = readBallot(args, {round: 1});
  if (!ballot.ok) throw new Error(ballot.problems.join());
  expect(isCut(ballot.value.reasons.join('\n'))).toBe(true);
  expect(isCut(ballot.value.suggestedChange)).toBe(true);
  expect(ballot.value.reasons).toHaveLength(19);
});

test('each text of a plan is bounded separately; the arguments of its calls are not', () => {
  const task = {id: '1', description: endless, expected_outcome: endless, context_brief: endless};
  const call = {id: '2', description: 'write it', tool: 'write_file', args: {content: endless}};
  const value = {objective: endless, reasoning: endless, tasks: [task, call]};
  const tool = {
    name: 'write_file',
    risk: 'high',
    repeatability: 'checkable',
    timeoutMs: 1,
  } as const;
  const reading = readPlan(value, [tool]);
  if (!reading.ok) throw new Error(reading.problems.join());
  const [first, second] = reading.plan.tasks;
  expect(isCut(reading.plan.objective)).toBe(true);
  expect(isCut(reading.plan.reasoning)).toBe(true);
  expect(isCut(first?.description)).toBe(true);
  expect(isCut(first?.expected_outcome)).toBe(true);
  expect(isCut(first?.context_brief)).toBe(true);
  expect(second?.args).toEqual({content: endless});
  expect(readPlan(reading.plan, [tool])).toEqual(reading);
});

test('the problems of a refused plan or evaluation stay short for any input', () => {
  const named = {
    objective: 'o',
    reasoning: 'r',
    tasks: [{id: '1', description: 'd', tool: endless}],
  };
  const depending = {...named, tasks: [{id: '1', description: 'd', depends_on: [endless]}]};
  for (const value of [named, depending, {[endless]: 1}]) {
    const reading = readPlan(value, []);
    expect(reading.ok ? '' : reading.problems.join()).toMatch(/^.{10,5000}$/s);
  }
  const evaluation = readEvaluation({[endless]: 1});
  expect(evaluation.ok ? '' : evaluation.problems.join()).toMatch(/^.{10,5000}$/s);
});

test('the problems and the feedback of a judge are bounded', () => {
  const evaluation = readEvaluation({
    successful: false,
    problems: [{problem: endless}],
    feedback: endless,
  });
  if (!evaluation.ok) throw new Error(evaluation.problems.join());
  expect(isCut(evaluation.value.problems[0])).toBe(true);
  expect(isCut(evaluation.value.feedback)).toBe(true);
});

const decided: ReviewRound = {
  round: 1,
  kind: 'plan',
  title: 'a plan',
  proposalHash: 'the hash',
  rule: 'majority',
  seats: ['a', 'b', 'c'],
  weights: {a: 1, b: 1, c: 1},
  vetoes: [],
  participation: {cast: 2, required: 1},
  verdict: 'rejected',
  approved: false,
  votes: [],
  summary: '[○●!]',
  early: false,
  withdrawn: [],
  degraded: true,
  timestamp: 0,
};

test('an author receives each reason against the proposal, the suggested changes, and each seat that did not vote with the cause', () => {
  const reject = {verdict: 'reject', reasons: ['too risky', 'too long'], confidence: 1} as const;
  const votes = [
    toVote(modelSeat('a'), {...reject, suggestedChange: 'ask first'}),
    toVote(modelSeat('b'), {verdict: 'approve', reasons: ['fine'], confidence: 1}),
    toAbstention(modelSeat('c'), 'deadline passed'),
  ];
  expect(reasonsOf({...decided, votes})).toEqual([
    'a: too risky',
    'a: too long (suggests: ask first)',
    'c did not vote: deadline passed',
  ]);
});

test('a suggested change that the reason already contains is not repeated', () => {
  const reasons = ['rule/x: "rm -rf ."; safer: delete single files'];
  const vote = toVote(modelSeat('a'), {
    verdict: 'reject',
    reasons,
    confidence: 1,
    suggestedChange: 'delete single files',
  });
  expect(reasonsOf({...decided, votes: [vote]})).toEqual([`a: ${reasons[0]}`]);
});

const refusal = {
  policy: 'policy/scope',
  verdict: 'reject',
  rules: ['bounds', 'working-dir'],
  reasons: ['scope/bounds: "b.md"', 'scope/working-dir: "/"'],
} as const;
const permit = {policy: 'policy/safety', verdict: 'approve', rules: [], reasons: ['fine']} as const;

test('an author receives the refusal of a policy without a vote, and that of a policy with a seat only once', () => {
  const screened = [permit, refusal];
  expect(reasonsOf({...decided, screened})).toEqual([
    'policy/scope: scope/bounds: "b.md"',
    'policy/scope: scope/working-dir: "/"',
  ]);
  const seat = {...modelSeat('policy/scope'), veto: true};
  const votes = [toVote(seat, {...refusal, confidence: 1})];
  const sitting = {...decided, screened, votes, seats: ['policy/scope'], vetoes: ['policy/scope']};
  expect(reasonsOf(sitting)).toHaveLength(2);
  expect(vetoText(sitting)).toBe('vetoed by policy/scope (bounds, working-dir)');
});

const against = {verdict: 'reject', reasons: ['no'], confidence: 1} as const;

test.each([
  ['nobody', {screened: [permit]}, undefined],
  ['a policy that screens', {screened: [permit, refusal]}, 'policy/scope (bounds, working-dir)'],
  ['a seat', {votes: [toVote(modelSeat('a'), against)], vetoes: ['a']}, 'a'],
  [
    'both',
    {screened: [refusal], votes: [toVote(modelSeat('a'), against)], vetoes: ['a']},
    'policy/scope (bounds, working-dir), a',
  ],
  [
    'a seat without the right to one',
    {votes: [toVote(modelSeat('a'), against)], vetoes: ['b']},
    undefined,
  ],
  ['silence', {votes: [toAbstention(modelSeat('a'), 'timeout')], vetoes: ['a']}, undefined],
])('a veto by %s is named with its rules', (_, more, who) => {
  const round: ReviewRound = {...decided, ...more};
  expect(vetoText(round)).toBe(who === undefined ? undefined : `vetoed by ${who}`);
  expect(isVetoed(round)).toBe(who !== undefined);
});

const settings = smallSettings('interactive', []);

const interview = {model: 'test/led', reviewer: 'test/judged', maxLoops: 10, maxFollowUps: 3};

test('a change of the interview model keeps the other interview settings', () => {
  const before = {...settings, interview};
  const after = changeSettings(before, {interview: {model: 'test/other'}});
  expect(after).toEqual({...settings, interview: {...interview, model: 'test/other'}});
  expect(replacedModels(before, after)).toEqual({'test/led': 'test/other'});
});

test('a run of an earlier version without interview settings stays without them', () => {
  expect(changeSettings(settings, {interview: {model: 'test/other'}})).toEqual(settings);
});

const schema = z.strictObject({tasks: z.array(z.strictObject({id: z.string(), size: z.number()}))});

function problemsWith(value: unknown): readonly string[] {
  const reading = readBy(schema, value);
  return reading.ok ? [] : reading.problems;
}

test('each problem is listed separately, and names its place', () => {
  expect(problemsWith({tasks: [{id: 'a', size: 1}, {id: 2}], more: 1})).toEqual([
    'tasks[1].id: expected string, received number',
    'tasks[1].size: expected number, but it is missing',
    'unknown key: "more"',
  ]);
});

test('a refused ballot lists its problems in plain words', () => {
  const said = readBallot({verdict: 'APPROVED!!', reasons: ['', 'no'], confidence: -1}, {round: 1});
  expect(said.ok ? [] : said.problems.join('\n')).toContain(
    'verdict: expected one of "approve", "reject", "abstain"\nreasons[0]: must not be empty',
  );
  const none = readBallot({verdict: 'reject', reasons: [], confidence: 1}, {round: 1});
  expect(none).toMatchObject({problems: ['reasons: must not be empty']});
});

test('the text of the problems stays short, even for many problems', () => {
  const tasks = Array.from({length: 10_000}, () => ({}));
  const text = problemsWith({tasks, ['x'.repeat(100_000)]: 1}).join('\n');
  expect(text).toContain('tasks[0].id: ');
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4 * 1024);
});
