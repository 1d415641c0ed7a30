import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {createRuntime, type RuntimeOptions} from '../../actors/index.ts';
import type {Run, Runtime} from '../../actors/runtime-api.ts';
import type {HumanDecision} from '../../machines/domain/human.ts';
import type {ProgressEvent} from '../../machines/domain/progress.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {
  act,
  ballot,
  call,
  isBallot,
  isPlanBallot,
  roundOf,
  writePlan,
} from '../support/agent-models.ts';
import {type Heard, type MockOpenAi, type Said, startMockOpenAi} from '../support/mock-openai.ts';

let workspace: string;
let server: MockOpenAi | undefined;
let runtime: Runtime | undefined;

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'quorate-wire-'));
});

afterEach(async () => {
  await runtime?.close();
  await server?.close();
  rmSync(workspace, {recursive: true});
});

type Agent = NonNullable<NonNullable<RuntimeOptions['config']>['agent']>;

async function begin(
  answer: (heard: Heard) => Said,
  {
    agent = {},
    reviewers = ['mock/a', 'mock/b', 'mock/c'],
    price,
  }: {agent?: Agent; reviewers?: string[]; price?: {input: number; output: number}} = {},
): Promise<Run> {
  server = await startMockOpenAi(answer);
  runtime = createRuntime({
    config: {
      agent: {
        exploration_model: 'mock/worker',
        decision_model: 'mock/worker',
        review_models: reviewers,
        ...agent,
      },
      quorum: {feedback_grace_ms: 300},
      providers: {mock: {kind: 'openai-compatible', base_url: server.baseUrl}},
      ...(price
        ? {prices: Object.fromEntries([...reviewers, 'mock/worker'].map((name) => [name, price]))}
        : {}),
    },
    env: {},
  });
  return runtime.start({form: 'agent', request: 'Write a note to note.txt', workspace});
}

interface Told {
  readonly result: RunResult;
  readonly events: readonly ProgressEvent[];
}

/** Follows a run to its end; each gate gets the next decision. */
async function follow(run: Run, decisions: HumanDecision[] = []): Promise<Told> {
  const events: ProgressEvent[] = [];
  for await (const event of run.events) {
    events.push(event);
    const decision = event.type === 'human.requested' ? decisions.shift() : undefined;
    if (decision) run.send({type: 'human.decided', ...decision});
  }
  return {result: await run.result, events};
}

function approveAll(heard: Heard): Said {
  return isBallot(heard) ? ballot('approve') : act(heard);
}

function rejectAll(heard: Heard): Said {
  return isBallot(heard) ? ballot('reject', 'never') : act(heard);
}

function rejectPlans(heard: Heard): Said {
  return isPlanBallot(heard) ? ballot('reject', 'not good enough') : approveAll(heard);
}

function isBallotOfC(heard: Heard): boolean {
  return isBallot(heard) && heard.model === 'c';
}

function note(): string {
  return readFileSync(join(workspace, 'note.txt'), 'utf8');
}

describe('a panel over the wire', () => {
  test('a rejected plan is revised with the reasons, approved and run', async () => {
    const run = await begin((heard) =>
      isPlanBallot(heard) && roundOf(heard) === 1
        ? ballot('reject', 'say why first')
        : approveAll(heard),
    );
    const {result} = await follow(run);
    expect(result).toMatchObject({status: 'completed', exitCode: 0});
    expect(note()).toBe('hello\n');
    expect(result.reviews?.map(({kind, verdict}) => `${kind} ${verdict}`)).toEqual([
      'plan rejected',
      'plan approved',
      'action approved',
    ]);
    const revision = server?.heard.findLast(({tools}) => tools.includes('create_plan'));
    expect(revision?.text).toContain('say why first');
    expect(revision?.text).toContain('# Previous plan');
    expect(revision?.text).toContain('"objective": "Write a note"');
  });

  test('the planner reads what tools do and take; the judge, what was done; the result, what has changed', async () => {
    const {result} = await follow(await begin(approveAll));
    const planner = server?.heard.find(({tools}) => tools.includes('create_plan'));
    expect(planner?.text).toMatch(/\n\nwrite_file: .*\nArguments: .*"create_dirs"/);
    const judge = server?.heard.find(({tools}) => tools.includes('evaluate_result'));
    expect(judge?.text).toMatch(
      /Done:\n- write_file {"path":"note.txt".*}: succeeded\nChanged note.txt \+1 −0:\n(?:> .*\n)*?> \+hello/,
    );
    expect(result).toMatchObject({
      status: 'completed',
      changes: [{path: 'note.txt', added: 1, removed: 0}],
      tasks: [{calls: [{tool: 'write_file', status: 'succeeded'}]}],
    });
    expect(JSON.stringify(result.tasks)).not.toContain('"diff"');
  });

  test('a majority decides without a reviewer that hangs, and its request is aborted', async () => {
    const run = await begin(
      (heard) => (isBallot(heard) && heard.model === 'e' ? 'hang' : approveAll(heard)),
      {reviewers: ['mock/a', 'mock/b', 'mock/c', 'mock/d', 'mock/e']},
    );
    const {result} = await follow(run);
    expect(result.status).toBe('completed');
    expect(result.reviews?.[0]).toMatchObject({approved: true, early: true});
    expect(result.reviews?.[0]?.withdrawn).toContain('e');
    expect((await server?.hangUp)?.model).toBe('e');
  });

  test('a run costs what its replies took, and a withdrawn ballot what was sent of it', async () => {
    const price = {input: 3, output: 15};
    const replyUsd = (10 * price.input + 5 * price.output) / 1e6;
    const {result} = await follow(await begin(approveAll, {reviewers: ['mock/a'], price}));
    expect(result.usage.modelCalls).toBe(server?.heard.length);
    expect(result.usage.costUsd).toBeCloseTo(result.usage.modelCalls * replyUsd, 9);
    expect(result.usage).not.toHaveProperty('estimated');
    await runtime?.close();
    await server?.close();

    const run = await begin((heard) => (isBallotOfC(heard) ? 'hang' : approveAll(heard)), {price});
    const {usage} = (await follow(run)).result;
    const withdrawn = server?.heard.filter(isBallotOfC) ?? [];
    const sentUsd = withdrawn.reduce((sum, {text}) => sum + text.length * price.input, 0) / 1e6;
    const answered = usage.modelCalls - withdrawn.length;
    expect(withdrawn).not.toEqual([]);
    expect(usage.estimated).toBe(true);
    expect(usage.costUsd).toBeGreaterThan(answered * replyUsd);
    expect(usage.costUsd).toBeLessThan(answered * replyUsd + sentUsd);
  });

  test.each([
    ['prose', {text: 'APPROVE. I approve this plan.'}],
    [
      'a verdict that is none',
      call('cast_ballot', {verdict: 'approved', reasons: ['x'], confidence: 1}),
    ],
    ['no reason', call('cast_ballot', {verdict: 'approve', reasons: [' '], confidence: 1})],
    [
      'the ballot of another round',
      call('cast_ballot', {verdict: 'approve', reasons: ['x'], confidence: 1, round: 7}),
    ],
  ])('%s is no approval: the seats abstain and a person is asked', async (_, said) => {
    const run = await begin((heard) => (isBallot(heard) ? said : act(heard)));
    const {result} = await follow(run, [{decision: 'reject'}]);
    expect(result).toMatchObject({status: 'rejected', exitCode: 1});
    expect(result.reviews?.[0]).toMatchObject({
      verdict: 'noQuorum',
      summary: '[!!!]',
      degraded: true,
    });
    expect(existsSync(join(workspace, 'note.txt'))).toBe(false);
  });
});

/** First prose, then a rate limit, then the answer. */
function stumbling(isStumbler: (heard: Heard) => boolean) {
  let asked = 0;
  return (heard: Heard): Said => {
    if (!isStumbler(heard)) return approveAll(heard);
    asked += 1;
    if (asked === 1) return {text: 'I would say that it is fine.'};
    return asked === 2 ? {status: 429} : approveAll(heard);
  };
}

describe('a rate limit while an answer is mended', () => {
  test.each([
    ['a ballot', (heard: Heard) => isPlanBallot(heard) && heard.model === 'b'],
    ['an evaluation', (heard: Heard) => heard.tools.includes('evaluate_result')],
    ['a plan', (heard: Heard) => heard.tools.includes('create_plan')],
  ])('is waited out: %s counts, and the run completes', async (_, isStumbler) => {
    const run = await begin(stumbling(isStumbler), {reviewers: ['mock/a', 'mock/b']});
    const {result, events} = await follow(run);
    expect(result).toMatchObject({status: 'completed', exitCode: 0});
    expect(result.reviews?.[0]).toMatchObject({kind: 'plan', summary: '[●●]', degraded: false});
    expect(events.filter(({type}) => type === 'model.retried')).toMatchObject([{attempt: 1}]);
    expect(note()).toBe('hello\n');
  });
});

describe('three rejected plans', () => {
  test('open the human gate, and an approval runs the last plan', async () => {
    const {result, events} = await follow(await begin(rejectPlans), [{decision: 'approve'}]);
    const asked = events.find(({type}) => type === 'human.requested');
    expect(asked).toMatchObject({question: {kind: 'plan', allowed: ['approve', 'reject', 'edit']}});
    expect(result.reviews?.filter(({kind}) => kind === 'plan').map(({summary}) => summary)).toEqual(
      ['[○○○]', '[○○○]', '[○○○]'],
    );
    expect(result.status).toBe('completed');
    expect(note()).toBe('hello\n');
  });

  test('put a call to no vote that the person has allowed with its plan', async () => {
    const {result, events} = await follow(await begin(rejectAll), [{decision: 'approve'}]);
    expect(events.filter(({type}) => type === 'human.requested')).toHaveLength(1);
    expect(result).toMatchObject({status: 'completed', denied: []});
    expect(result.reviews?.map(({kind}) => kind)).toEqual(['plan', 'plan', 'plan']);
    expect(note()).toBe('hello\n');
  });

  test('end the run when the person rejects', async () => {
    const {result} = await follow(await begin(rejectPlans), [{decision: 'reject', reason: 'no'}]);
    expect(result).toMatchObject({status: 'rejected', exitCode: 1});
    expect(result.summary).toContain('no');
    expect(existsSync(join(workspace, 'note.txt'))).toBe(false);
  });

  test('let an edited plan run as it was edited', async () => {
    const plan = {
      objective: 'Write another note',
      reasoning: '',
      tasks: [
        {
          id: 'mine',
          description: 'Write it',
          tool: 'write_file',
          args: {path: 'note.txt', content: 'edited\n'},

          context_mode: 'full' as const,
        },
      ],
    };
    const {result} = await follow(await begin(rejectPlans), [{decision: 'edit', plan}]);
    expect(result.status).toBe('completed');
    expect(note()).toBe('edited\n');
  });

  test('are the end with auto_reject', async () => {
    const {result, events} = await follow(
      await begin(rejectPlans, {agent: {hil_mode: 'auto_reject'}}),
    );
    expect(result).toMatchObject({status: 'rejected', exitCode: 1});
    expect(events.some(({type}) => type === 'human.requested')).toBe(false);
  });

  test('are overruled by auto_approve, loudly', async () => {
    const {result, events} = await follow(
      await begin(rejectPlans, {agent: {hil_mode: 'auto_approve'}}),
    );
    expect(result.status).toBe('completed');
    expect(JSON.stringify(events.filter(({type}) => type === 'warning'))).toContain('auto_approve');
  });
});

/** Has no other plan, which is rejected. */
function stubborn(heard: Heard): Said {
  return heard.tools.includes('create_plan') ? call('create_plan', writePlan) : rejectPlans(heard);
}

test.each([
  ['interactive', [{decision: 'reject'} as const], 1],
  ['auto_reject', [], 0],
] as const)(
  'a planner without another plan is voted on once: %s',
  async (hilMode, decisions, asked) => {
    const run = await begin(stubborn, {agent: {hil_mode: hilMode}});
    const {result, events} = await follow(run, [...decisions]);
    const questions = events.filter(({type}) => type === 'human.requested');
    expect(questions).toHaveLength(asked);
    expect(result).toMatchObject({
      status: 'rejected',
      reviews: [{summary: '[○○○]'}],
      decisions: [{by: 'panel'}, {decision: 'reject'}],
    });
    expect(JSON.stringify(events)).toContain(
      'The planner came back with a plan that was rejected before',
    );
  },
);

const outside = {path: '../escaped.txt', content: 'x'};

describe('a plan that a policy refuses', () => {
  const plan = {
    ...writePlan,
    tasks: [{id: 'a', description: 'x', tool: 'write_file', args: outside}],
  };

  test('is put to no model, and goes back with the rule', async () => {
    const run = await begin((heard) => {
      const isVetoed = heard.text.includes('policy/scope: scope/outside-workspace');
      if (!heard.tools.includes('create_plan') || isVetoed) return approveAll(heard);
      return call('create_plan', plan);
    });
    const {result} = await follow(run);
    expect(result.status).toBe('completed');
    expect(result.reviews?.[0]).toMatchObject({
      verdict: 'rejected',
      votes: [],
      screened: [{}, {policy: 'policy/scope', verdict: 'reject', rules: ['outside-workspace']}, {}],
    });
    expect(server?.heard.filter(isPlanBallot).map(roundOf)).toEqual([2, 2, 2]);
  });

  test.each(['auto_approve', 'auto_reject'] as const)(
    'is rejected by %s, never approved',
    async (mode) => {
      const run = await begin(
        (heard) =>
          heard.tools.includes('create_plan') ? call('create_plan', plan) : approveAll(heard),
        {agent: {hil_mode: mode}},
      );
      const {result} = await follow(run);
      expect(result).toMatchObject({status: 'rejected', exitCode: 1});
      expect(server?.heard.filter(isPlanBallot)).toEqual([]);
    },
  );
});

describe('a model that misbehaves', () => {
  test.each([
    ['a cyclic plan', {...writePlan, tasks: [{id: 'a', description: 'x', depends_on: ['a']}]}],
    ['an unknown tool', {...writePlan, tasks: [{id: 'a', description: 'x', tool: 'format_disk'}]}],
    [
      'arguments that fit no tool',
      {...writePlan, tasks: [{id: 'a', description: 'x', tool: 'read_file', args: {sudo: true}}]},
    ],
    ['no tasks', {objective: 'x', reasoning: 'x', tasks: []}],
    [
      'a task id that is used twice',
      {...writePlan, tasks: ['x', 'y'].map((description) => ({id: 't1', description}))},
    ],
  ])('%s is sent back, and the run fails when it stays so', async (_, plan) => {
    const run = await begin((heard) =>
      heard.tools.includes('create_plan') ? call('create_plan', plan) : approveAll(heard),
    );
    const {result} = await follow(run);
    expect(result).toMatchObject({
      status: 'failed',
      exitCode: 1,
      error: {code: 'invalid_plan'},
      summary: expect.stringMatching(
        /^No valid plan was made\. The errors in the last draft:\n.+\nNothing was run\.$/,
      ),
    });
    expect(server?.heard.filter(({tools}) => tools.includes('create_plan'))).toHaveLength(3);
  });

  test('prose instead of a plan ends the run with those words', async () => {
    const run = await begin((heard) =>
      heard.tools.includes('create_plan') ? {text: 'I would rather not.'} : approveAll(heard),
    );
    const {result} = await follow(run);
    expect(result).toMatchObject({
      status: 'failed',
      error: {code: 'no_plan', message: 'I would rather not.'},
    });
  });

  test('the third identical call in a row ends the task', async () => {
    const run = await begin(
      (heard) => {
        if (heard.tools.includes('create_plan')) {
          return call('create_plan', {
            ...writePlan,
            tasks: [{id: 'a', description: 'look around'}],
          });
        }
        if (heard.tools.includes('write_file')) return call('glob_search', {pattern: '*'});
        return approveAll(heard);
      },
      {agent: {max_replans: 0}},
    );
    const {result} = await follow(run);
    expect(result).toMatchObject({status: 'failed', exitCode: 1});
    expect(result.tasks?.[0]).toMatchObject({status: 'failed', failure: {code: 'repeated_call'}});
  });

  test('a path out of the workspace is refused, and the panel is not even asked', async () => {
    const plan = {...writePlan, tasks: [{id: 'a', description: 'x', tool: 'write_file'}]};
    const run = await begin(
      (heard) => {
        if (heard.tools.includes('create_plan')) return call('create_plan', plan);
        const isFirstTurn = heard.tools.includes('write_file') && !heard.text.includes('refused');
        return isFirstTurn ? call('write_file', outside) : approveAll(heard);
      },
      {agent: {max_replans: 0}},
    );
    const {result} = await follow(run);
    expect(result.status).toBe('failed');
    expect(existsSync(join(workspace, '../escaped.txt'))).toBe(false);
    expect(result.reviews?.some(({kind}) => kind === 'action')).toBe(false);
  });
});
