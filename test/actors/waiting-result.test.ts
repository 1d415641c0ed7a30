/** A run that waits for a person reports all its questions, not only the first. */

import {expect, test} from 'vitest';

import {nextTurn} from '../../actors/engine/slices.ts';
import {createMemoryJournal, type Journal} from '../../actors/index.ts';
import {Ledger} from '../../actors/run/ledger.ts';
import {suspendedResult, suspensionAt} from '../../actors/run/run-result.ts';
import type {OpenGate, Run} from '../../actors/runtime-api.ts';
import {answerLines, continueLines, waitingLines} from '../../cli/render/result/waiting.ts';
import type {HumanQuestion} from '../../machines/domain/human.ts';
import type {ModelOutcome} from '../../machines/domain/model.ts';
import {createScenario, laterJournal, reply, vote, work} from '../support/scenario.ts';
import {setStage} from '../support/stage.ts';

function asks(name: string): HumanQuestion {
  return {
    kind: 'protected',
    request: 'write',
    reason: `only a person may allow ${name}`,
    allowed: ['approve', 'reject'],
    preview: `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+${name}`,
    history: [],
    proposalHash: name.repeat(64),
  };
}

const ledger = new Ledger({maxCostUsd: 1, maxModelCalls: 1, timeoutMs: 1}, () => undefined);
const facts = {id: 'x', form: 'agent', workspace: '/w', ledger} as const;
const course = {parts: {}, aborted: []};

function gateOf(question: HumanQuestion, interaction = 'x'): OpenGate {
  return {gate: question.reason, interaction, question};
}

function waitingFor(...gates: readonly OpenGate[]) {
  return suspendedResult(suspensionAt({gates, asks: []}), facts, course);
}

test('the result has all open questions, each with its subject', () => {
  const {waiting, summary} = waitingFor(...['a', 'b', 'c'].map((name) => gateOf(asks(name))));
  expect(waiting).toMatchObject({
    workspace: '/w',
    digest: 'a'.repeat(64),
    others: ['b', 'c'].map((name) => ({
      workspace: '/w',
      question: {reason: `only a person may allow ${name}`},
      diff: `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+${name}`,
      digest: name.repeat(64),
    })),
  });
  expect(summary).toBe(
    'Waiting for a person: only a person may allow a; also: only a person may allow b; also: only a person may allow c',
  );
  expect(waiting && answerLines('x', waiting)).toContain(
    `also waiting: protected: only a person may allow b (sha256 ${'b'.repeat(8)})`,
  );
});

test('a single question has no others', () => {
  const {waiting, summary} = waitingFor(gateOf(asks('a')));
  expect(waiting).not.toHaveProperty('others');
  expect(summary).toBe('Waiting for a person: only a person may allow a');
});

test('a question of an interaction below the root names that interaction, in any position', () => {
  const {waiting} = waitingFor(
    gateOf(asks('a'), 'x.1.2'),
    gateOf(asks('b')),
    gateOf(asks('c'), 'x.3'),
  );
  expect(waiting).toMatchObject({
    interaction: 'x.1.2',
    others: [{digest: 'b'.repeat(64)}, {interaction: 'x.3'}],
  });
  expect(waiting?.others?.[0]).not.toHaveProperty('interaction');
  const lines = waiting ? waitingLines('x', waiting) : [];
  expect(lines[0]).toBe('waiting for a person: protected (1.2): only a person may allow a');
  expect(lines.join('\n')).toContain(", for the interaction 1.2 below the run's own\n");
  expect(lines).toContain(
    `also waiting: protected (3): only a person may allow c (sha256 ${'c'.repeat(8)})`,
  );
});

const twoChanges = {
  objective: 'Change both',
  reasoning: 'r',
  tasks: ['left', 'right'].map((what) => ({
    id: what,
    description: `change ${what}`,
    tool: 'change',
    args: {what},
  })),
};

/** Two changes in parallel: the panel abstains on both; it votes on the right one only after `onLeftAsked`. */
function undecided(journal: Journal, pauses: number) {
  const left = Promise.withResolvers<void>();
  let failures = 0;
  const scenario = createScenario({
    journal,
    work: async (request) => {
      if (request.purpose === 'plan') return reply('create_plan', twoChanges);
      if (request.purpose === 'review-plan') return vote('approve');
      if (request.purpose !== 'review-action') return work(request);
      const isRight = request.transcript.messages[0]?.text.includes('"what": "right"') === true;
      if (!isRight) return vote('abstain');
      await left.promise;
      failures += 1;
      return failures > pauses ? vote('abstain') : busy;
    },
  });
  return {...scenario, onLeftAsked: () => left.resolve()};
}

const busy: ModelOutcome = {kind: 'network', message: 'no answer', retryAfterMs: 50};

async function asked(run: Run): Promise<void> {
  for await (const {type} of run.events) if (type === 'human.requested') return;
}

test.each([
  ['the journal answers later', laterJournal(), 0],
  ['the calls for one of them fail and are made again', createMemoryJournal(), 3],
])(
  'a run is at work until all its questions are asked, also when %s',
  async (_, journal, pauses) => {
    const {start, onLeftAsked} = undecided(journal, pauses);
    const run = start();
    await asked(run);
    onLeftAsked();
    expect(await run.quiet()).toBe('asked');
    await run.suspend('waiting');
    expect(await run.quiet()).toBe('ended');
    const {waiting} = await run.result;
    expect(waiting?.question.preview).toContain('left');
    expect(waiting?.others).toMatchObject([
      {question: {preview: expect.stringContaining('right')}},
    ]);
  },
);

test('a run works on a decision from the moment it is sent', async () => {
  const {start, onLeftAsked, performed} = undecided(laterJournal(), 0);
  const run = start();
  onLeftAsked();
  while (run.gates().length < 2) await nextTurn();
  const [first] = run.gates();
  expect(run.atWork()).toEqual([]);
  run.send({type: 'human.decided', gate: first?.gate ?? '', decision: 'approve'});
  expect(await run.quiet()).toBe('asked');
  await run.suspend('waiting');
  expect(performed.tools).toHaveLength(1);
  expect((await run.result).waiting).not.toHaveProperty('others');
});

test('on a narrow terminal the commands that answer are complete, with their meaning below', () => {
  const {waiting} = waitingFor(gateOf(asks('a')));
  const lines = waiting ? answerLines('79djehdsjuci', waiting, {width: 60}) : [];
  expect(lines).toContain('quorate resume 79djehdsjuci --decision reject');
  expect(lines).toContain('    Do not run it; --reason TEXT says why');
  const commands = lines.filter((line) => line.startsWith('quorate'));
  expect(Math.max(...commands.map((line) => line.length))).toBeLessThanOrEqual(60);
});

test('a model that rejects every request is named with the setting and the option that replace it', async () => {
  const gone: ModelOutcome = {kind: 'unsupported', message: 'test/a: the provider has no model a'};
  const result = await setStage({say: () => gone}).run('What is two and two?', {form: 'ask'});
  expect(result).toMatchObject({
    status: 'waiting',
    exitCode: 2,
    error: {message: `${gone.message}; to use another model, set ask.model`},
  });
  expect(continueLines(result)[0]).toBe(
    `when this is fixed, continue with: quorate resume ${result.interaction} -m ask=MODEL`,
  );
});
