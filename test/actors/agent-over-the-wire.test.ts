import {existsSync} from 'node:fs';

import {describe, expect, test} from 'vitest';

import type {ConfigInput} from '../../actors/index.ts';
import type {HumanDecision} from '../../machines/domain/human.ts';
import {
  act,
  ballot,
  call,
  isBallot,
  isPlanBallot,
  roundOf,
  writePlan,
} from '../support/agent-models.ts';
import type {ReceivedRequest, Said} from '../support/mock-openai.ts';
import {follow, setWireStage, type WireStageOptions} from '../support/stage.ts';

interface Options {
  readonly agent?: ConfigInput['agent'];
  readonly price?: {input: number; output: number};
  /** Each gate receives the next one. */
  readonly decisions?: HumanDecision[];
}

async function play(
  say: NonNullable<WireStageOptions['say']>,
  {agent = {}, price, decisions = []}: Options = {},
) {
  const models = ['mock/worker', ...(agent?.review_models ?? ['mock/a', 'mock/b', 'mock/c'])];
  const prices = price && {prices: Object.fromEntries(models.map((name) => [name, price]))};
  const stage = await setWireStage({
    say,
    config: {
      agent: {exploration_model: 'mock/worker', ...agent},
      quorum: {feedback_grace_ms: 300},
      ...prices,
    },
  });
  const run = stage.start('Write a note to note.txt');
  const followed = await follow(run, ({type}) => {
    const decision = type === 'human.requested' ? decisions.shift() : undefined;
    if (decision) run.send({type: 'human.decided', ...decision});
  });
  return {...stage, ...followed};
}

function approveAll(received: ReceivedRequest): Said {
  return isBallot(received) ? ballot('approve') : act(received);
}

function rejectPlans(received: ReceivedRequest): Said {
  return isPlanBallot(received) ? ballot('reject', 'not good enough') : approveAll(received);
}

function isBallotOfC(received: ReceivedRequest): boolean {
  return isBallot(received) && received.model === 'c';
}

describe('a panel over the wire', () => {
  test('a rejected plan is revised with the reasons, approved and run', async () => {
    const {result, text, received} = await play((each) =>
      isPlanBallot(each) && roundOf(each) === 1
        ? ballot('reject', 'say why first')
        : approveAll(each),
    );
    expect(result).toMatchObject({status: 'completed', exitCode: 0});
    expect(text('note.txt')).toBe('hello\n');
    expect(result.reviews?.map(({kind, verdict}) => `${kind} ${verdict}`)).toEqual([
      'plan rejected',
      'plan approved',
      'action approved',
    ]);
    const revision = received.findLast(({tools}) => tools.includes('create_plan'));
    expect(revision?.text).toContain('say why first');
    expect(revision?.text).toContain('# Previous plan');
    expect(revision?.text).toContain('"objective": "Write a note"');
  });

  test('the planner reads the purpose and the arguments of tools, the judge the calls and their diffs, and the result lists the changes', async () => {
    const {result, received} = await play(approveAll);
    const planner = received.find(({tools}) => tools.includes('create_plan'));
    expect(planner?.text).toMatch(/\n\nwrite_file: .*\nArguments: .*"create_dirs"/);
    const judge = received.find(({tools}) => tools.includes('evaluate_result'));
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
    const {result, server} = await play(
      (received) => (isBallot(received) && received.model === 'e' ? 'hang' : approveAll(received)),
      {agent: {review_models: ['mock/a', 'mock/b', 'mock/c', 'mock/d', 'mock/e']}},
    );
    expect(result.status).toBe('completed');
    expect(result.reviews?.[0]).toMatchObject({approved: true, early: true});
    expect(result.reviews?.[0]?.withdrawn).toContain('e');
    expect((await server.hangUp).model).toBe('e');
  });

  test('a run costs the usage of its replies; a withdrawn ballot is estimated from its request', async () => {
    const price = {input: 3, output: 15};
    const replyUsd = (10 * price.input + 5 * price.output) / 1e6;
    const {result, received} = await play(approveAll, {agent: {review_models: ['mock/a']}, price});
    expect(result.usage.modelCalls).toBe(received.length);
    expect(result.usage.costUsd).toBeCloseTo(result.usage.modelCalls * replyUsd, 9);
    expect(result.usage).not.toHaveProperty('estimated');

    const hanging = await play((each) => (isBallotOfC(each) ? 'hang' : approveAll(each)), {price});
    const {usage} = hanging.result;
    const withdrawn = hanging.received.filter(isBallotOfC);
    const sentUsd = withdrawn.reduce((sum, {text}) => sum + text.length * price.input, 0) / 1e6;
    const answered = usage.modelCalls - withdrawn.length;
    expect(withdrawn).not.toEqual([]);
    expect(usage.estimated).toBe(true);
    expect(usage.costUsd).toBeGreaterThan(answered * replyUsd);
    expect(usage.costUsd).toBeLessThan(answered * replyUsd + sentUsd);
  });

  test('prose is not an approval: the seats abstain and a person is asked', async () => {
    const said = {text: 'APPROVE. I approve this plan.'};
    const {result, at} = await play((received) => (isBallot(received) ? said : act(received)), {
      decisions: [{decision: 'reject'}],
    });
    expect(result).toMatchObject({status: 'rejected', exitCode: 1});
    expect(result.reviews?.[0]).toMatchObject({
      verdict: 'noQuorum',
      summary: '[!!!]',
      degraded: true,
    });
    expect(existsSync(at('note.txt'))).toBe(false);
  });
});

function isPlanBallotOfB(received: ReceivedRequest): boolean {
  return isPlanBallot(received) && received.model === 'b';
}

/** First prose, then a rate limit, then the answer. */
function stumbling(isStumbler: (received: ReceivedRequest) => boolean) {
  let asked = 0;
  return (received: ReceivedRequest): Said => {
    if (!isStumbler(received)) return approveAll(received);
    asked += 1;
    if (asked === 1) return {text: 'I would say that it is fine.'};
    return asked === 2 ? {status: 429} : approveAll(received);
  };
}

describe('a rate limit while an invalid answer is being repaired', () => {
  test('is waited out: the ballot counts, and the run completes', async () => {
    const agent = {review_models: ['mock/a', 'mock/b']};
    const {result, events, text} = await play(stumbling(isPlanBallotOfB), {agent});
    expect(result).toMatchObject({status: 'completed', exitCode: 0});
    expect(result.reviews?.[0]).toMatchObject({kind: 'plan', summary: '[●●]', degraded: false});
    expect(events.filter(({type}) => type === 'model.retried')).toMatchObject([{attempt: 1}]);
    expect(text('note.txt')).toBe('hello\n');
  });
});

describe('three rejected plans', () => {
  test('let a person edit the plan, which runs as edited', async () => {
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
    const {result, text} = await play(rejectPlans, {decisions: [{decision: 'edit', plan}]});
    expect(result.status).toBe('completed');
    expect(text('note.txt')).toBe('edited\n');
  });

  test('are overruled by auto_approve, with a warning', async () => {
    const {result, events} = await play(rejectPlans, {agent: {hil_mode: 'auto_approve'}});
    expect(result.status).toBe('completed');
    expect(JSON.stringify(events.filter(({type}) => type === 'warning'))).toContain('auto_approve');
  });
});

const outside = {path: '../escaped.txt', content: 'x'};

describe('a plan that a policy refuses', () => {
  const plan = {
    ...writePlan,
    tasks: [{id: 'a', description: 'x', tool: 'write_file', args: outside}],
  };

  test('is sent to no model and returns to the planner with the rule', async () => {
    const {result, received} = await play((each) => {
      const isVetoed = each.text.includes('policy/scope: scope/outside-workspace');
      if (!each.tools.includes('create_plan') || isVetoed) return approveAll(each);
      return call('create_plan', plan);
    });
    expect(result.status).toBe('completed');
    expect(result.reviews?.[0]).toMatchObject({
      verdict: 'rejected',
      votes: [],
      screened: [{}, {policy: 'policy/scope', verdict: 'reject', rules: ['outside-workspace']}, {}],
    });
    expect(received.filter(isPlanBallot).map(roundOf)).toEqual([2, 2, 2]);
  });
});

describe('a model that misbehaves', () => {
  test('arguments that fit no tool are sent back, and the run fails when they stay invalid', async () => {
    const task = {id: 'a', description: 'x', tool: 'read_file', args: {sudo: true}};
    const plan = {...writePlan, tasks: [task]};
    const {result, received} = await play((each) =>
      each.tools.includes('create_plan') ? call('create_plan', plan) : approveAll(each),
    );
    expect(result).toMatchObject({
      status: 'failed',
      exitCode: 1,
      error: {code: 'invalid_plan'},
      summary: expect.stringMatching(
        /^No valid plan was made\. The errors in the last draft:\n.+\nNothing was run\.$/,
      ),
    });
    expect(received.filter(({tools}) => tools.includes('create_plan'))).toHaveLength(3);
  });

  test('a path outside the workspace is refused without asking the panel', async () => {
    const plan = {...writePlan, tasks: [{id: 'a', description: 'x', tool: 'write_file'}]};
    const {result, at} = await play(
      (received) => {
        if (received.tools.includes('create_plan')) return call('create_plan', plan);
        const isFirstTurn =
          received.tools.includes('write_file') && !received.text.includes('refused');
        return isFirstTurn ? call('write_file', outside) : approveAll(received);
      },
      {agent: {max_replans: 0}},
    );
    expect(result.status).toBe('failed');
    expect(existsSync(at('../escaped.txt'))).toBe(false);
    expect(result.reviews?.some(({kind}) => kind === 'action')).toBe(false);
  });
});
