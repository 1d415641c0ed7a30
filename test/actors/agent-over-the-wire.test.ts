/** Agents over the wire: their panels, models that misbehave, honest results, and odd names. */

import {existsSync} from 'node:fs';

import {describe, expect, onTestFinished, test} from 'vitest';

import type {ConfigInput} from '../../actors/index.ts';
import type {HumanDecision} from '../../machines/domain/human.ts';
import {
  act,
  ballot,
  call,
  isBallot,
  isPlanBallot,
  revised,
  roundOf,
  writePlan,
} from '../support/agent-models.ts';
import {type ReceivedRequest, type Said, startMockOpenAi} from '../support/mock-openai.ts';
import {follow, setStage, setWireStage, type WireStageOptions} from '../support/stage.ts';

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

const outside = {path: '../escaped.txt', content: 'x'};

describe('a model that misbehaves', () => {
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

async function setTalk(say: WireStageOptions['say'], agent: ConfigInput['agent'] = {}) {
  const stage = await setWireStage({
    files: {'a.txt': 'port 8080\n'},
    ...(say ? {say} : {}),
    config: {agent: {exploration_model: 'mock/worker', ...agent}, ask: {model: 'mock/worker'}},
  });
  return {...stage, run: async () => await stage.run('Fix the port in a.txt')};
}

/** A later plan has tasks of its own. */
function planOf(number: number, own: object): object {
  return {
    ...own,
    objective: 'Fix the port',
    reasoning: 'one file',
    tasks: [{id: `fix-${number}`, description: `Fix the port, attempt ${number}`}],
  };
}

const look = {command: 'wc -c a.txt'};
const forWords = {asks_for_change: false};

interface Words {
  readonly report: string;
  /** The worker looks at the file by a command before it reports. */
  readonly isChecked?: boolean;
  /** Members of the plan. */
  readonly plan?: object;
  readonly closing?: string;
}

/** A judge that accepts everything. */
function agentSaying({report, isChecked = false, plan = {}, closing = ''}: Words) {
  let plans = 0;
  return (received: ReceivedRequest): Said => {
    if (isBallot(received)) return ballot('approve');
    if (received.tools.includes('create_plan')) {
      plans += 1;
      return call('create_plan', planOf(plans, plan));
    }
    if (received.tools.includes('evaluate_result'))
      return call('evaluate_result', {successful: true, problems: []});
    if (received.text.startsWith('You answer a request')) return {text: closing};
    if (!received.tools.includes('write_file')) return {text: 'A small folder.'};
    if (isChecked && !received.text.includes('10 a.txt')) return call('run_command', look);
    return {text: report};
  };
}

describe('a worker that called nothing', () => {
  test.each([
    ['I wrote the file hello.txt and all tests pass.', 'hello.txt'],
    ['Fixed. The previously failing spec succeeds now; verified locally.', 'verified locally'],
    ['hello.txt を作成し、すべてのテストが通りました。', 'hello.txt'],
  ])('and reports %j fails after its replans, with the claim named', async (report, claim) => {
    const {run, received} = await setTalk(agentSaying({report}));
    const result = await run();
    expect(result).toMatchObject({status: 'failed', exitCode: 1});
    expect(result.evaluations).toHaveLength(3);
    expect(result.summary).toContain(claim);
    expect(result.answer).toContain('Nothing was done');
    const plannings = received.filter(({tools}) => tools.includes('create_plan'));
    expect(plannings.at(-1)?.text).toContain('the record contradicts a claim');
  });

  test.each([
    'The failing test has been repaired in src/a.ts, and CI is green.',
    'Der Port stimmt, und alle Tests laufen durch.',
    'Nothing has to be changed.',
  ])(
    'and reports %j fails, whatever its judge says, and the report is not repeated',
    async (report) => {
      const {run} = await setTalk(agentSaying({report}), {max_replans: 0});
      const result = await run();
      expect(result).toMatchObject({status: 'failed', exitCode: 1});
      expect(result.summary).toContain('no call changed or checked anything');
      expect(result.answer).toBe('Nothing was done: no tool was called.');
    },
  );

  test('after a check, and says so completes', async () => {
    const words = {report: 'Nothing has to be changed.', isChecked: true};
    const result = await (await setTalk(agentSaying(words))).run();
    expect(result).toMatchObject({status: 'completed', exitCode: 0});
    expect(result.answer).toContain('Nothing has to be changed.');
  });
});

test('the closing answer of the decision model is the answer of the result', async () => {
  const closing = 'The port was already right; nothing was changed.';
  const talk = agentSaying({report: 'It is right.', plan: forWords, closing});
  const {run, received} = await setTalk(talk);
  expect(await run()).toMatchObject({status: 'completed', answer: closing});
  const asked = received.find(({text}) => text.startsWith('You answer a request'));
  expect(asked).toMatchObject({tools: []});
  expect(asked?.text).toContain('Done: no call was made.');
});

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
const oddPlan = {
  objective: 'Write four notes',
  reasoning: 'they are asked for',
  tasks: names.map((id, at) => ({
    id,
    description: `Write the note ${id}`,
    tool: 'write_file',
    args: {path: `${at}.txt`, content: `${id}\n`},
    depends_on: names.slice(0, at),
  })),
};

function speak({tools, text, model}: ReceivedRequest): Said {
  if (tools.includes('create_plan')) return call('create_plan', revised(oddPlan, text));
  if (tools.includes('cast_ballot')) return ballot('approve', model);
  return call('evaluate_result', {successful: true, problems: []});
}

test('a run has them as names of its provider, its seats and its tasks', async () => {
  const reviewers = names.map((name) => `constructor/${name}`);
  const models = await startMockOpenAi(speak);
  onTestFinished(models.close);
  const {run, text} = setStage({
    config: {
      agent: {
        exploration_model: 'constructor/worker',
        decision_model: 'constructor/worker',
        review_models: reviewers,
      },
      discuss: {participants: reviewers.slice(0, 3), moderator: 'constructor/worker'},
      quorum: {feedback_grace_ms: 1, rule: 'unanimous'},
      providers: {constructor: {base_url: models.baseUrl}},
    },
  });
  const wish = 'Write four notes to 0.txt, 1.txt, 2.txt and 3.txt';
  const {status, tasks, reviews} = await run(wish);
  expect({status, tasks}).toMatchObject({
    status: 'completed',
    tasks: names.map((id) => ({id, status: 'succeeded'})),
  });
  expect(names.map((_, at) => text(`${at}.txt`))).toEqual(names.map((name) => `${name}\n`));
  const [round] = reviews ?? [];
  expect(round).toMatchObject({approved: true, seats: names, degraded: false});
  expect(round?.votes).toHaveLength(names.length);
  for (const name of names)
    expect(round?.votes).toContainEqual(
      expect.objectContaining({verdict: 'approve', reasons: [name]}),
    );
});
