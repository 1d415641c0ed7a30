/** Results at the default settings, with models over the wire: no claim that contradicts the record is shown as done. */

import {describe, expect, test} from 'vitest';

import type {ConfigInput} from '../../actors/index.ts';
import {ballot, call, isBallot} from '../support/agent-models.ts';
import type {ReceivedRequest, Said} from '../support/mock-openai.ts';
import {setWireStage, type WireStageOptions} from '../support/stage.ts';

async function setTalk(say: WireStageOptions['say'], agent: ConfigInput['agent'] = {}) {
  const stage = await setWireStage({
    files: {'a.txt': 'port 8080\n'},
    ...(say ? {say} : {}),
    config: {agent: {exploration_model: 'mock/worker', ...agent}, ask: {model: 'mock/worker'}},
  });
  return {
    ...stage,
    run: async (form: 'agent' | 'ask' = 'agent') =>
      await stage.run('Fix the port in a.txt', {form}),
  };
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
  readonly onResult?: Said;
}

/** A judge that accepts everything. */
function agentSaying({report, isChecked = false, plan = {}, closing = '', onResult}: Words) {
  let plans = 0;
  return (received: ReceivedRequest): Said => {
    if (isBallot(received))
      return onResult && received.text.includes('# Proposal (result')
        ? onResult
        : ballot('approve');
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
    'The bug is corrected and covered by a new test.',
    'No problems remain.',
    'The database was migrated and the service restarted.',
    'I sent the e-mail to the customer.',
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

test('a closing answer that contradicts the record is replaced by the answer of the rules', async () => {
  const closing = 'I updated a.txt and all tests pass.';
  const talk = agentSaying({report: 'It is right.', plan: forWords, closing});
  const result = await (await setTalk(talk)).run();
  expect(result).toMatchObject({status: 'completed'});
  expect(result.answer).toBe('It is right.\nNothing was done: no tool was called.');
});

test('a result that the panel rejects keeps its answer and the reasons, after its replans', async () => {
  const words = {
    report: 'It is right.',
    plan: forWords,
    closing: 'Done.',
    onResult: ballot('reject', 'NOT-DONE'),
  };
  const agent = {require_final_review: true, max_replans: 1};
  const {run, received} = await setTalk(agentSaying(words), agent);
  const result = await run();
  expect(result).toMatchObject({status: 'failed', answer: 'Done.'});
  expect(result.summary).toContain('NOT-DONE');
  expect(result.evaluations).toHaveLength(2);
  const plannings = received.filter(({tools}) => tools.includes('create_plan'));
  expect(plannings.at(-1)?.text).toContain('NOT-DONE');
});

describe('an answer to a question', () => {
  const lie = 'The port is 8080. I updated a.txt.';

  test('that claims a change is corrected by its model', async () => {
    const {run} = await setTalk(({text}) =>
      text.startsWith('You correct an answer') ? {text: 'The port is 8080.'} : {text: lie},
    );
    const result = await run('ask');
    expect(result).toMatchObject({status: 'completed', answer: 'The port is 8080.'});
    expect(result.degraded).toBeUndefined();
  });

  test('that repeats the claim loses it and is degraded', async () => {
    const {run} = await setTalk(() => ({text: lie}));
    expect(await run('ask')).toMatchObject({
      status: 'completed',
      answer: 'The port is 8080.',
      degraded: true,
    });
  });
});
