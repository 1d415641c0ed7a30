/** Rules over the wire: an interaction is spawned after a number of events, its result is used, and a crash changes nothing. */

import {describe, expect, test} from 'vitest';

import type {ConfigInput, Journal} from '../../actors/index.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {act, ballot, call, isBallot, isPlanBallot} from '../support/agent-models.ts';
import type {ReceivedRequest, Said} from '../support/mock-openai.ts';
import {setUpWire} from '../support/over-the-wire.ts';
import {
  answer,
  createScenario,
  cutJournal,
  cutsOf,
  reply,
  type Scenario,
  work,
} from '../support/scenario.ts';

const wire = setUpWire();

interface Followed {
  readonly result: RunResult;
  readonly spawned: readonly Extract<ProgressEvent, {type: 'interaction.spawned'}>[];
}

async function follow(
  say: (received: ReceivedRequest) => Said,
  spawn: NonNullable<ConfigInput['spawn']>,
  agent: ConfigInput['agent'] = {},
): Promise<Followed> {
  await wire.serve(say);
  const runtime = await wire.open({
    config: {
      agent: {
        exploration_model: 'mock/worker',
        decision_model: 'mock/worker',
        review_models: ['mock/a', 'mock/b', 'mock/c'],
        max_plan_revisions: 5,
        hil_mode: 'auto_reject',
        ...agent,
      },
      ask: {model: 'mock/asked'},
      quorum: {feedback_grace_ms: 1},
      spawn,
    },
  });
  const run = runtime.start({
    form: 'agent',
    request: 'Write a note to note.txt',
    workspace: wire.workspace(),
  });
  const spawned: Followed['spawned'][number][] = [];
  for await (const event of run.events)
    if (event.type === 'interaction.spawned') spawned.push(event);
  return {result: await run.result, spawned};
}

/** Replies of all models that do not reject. */
function speak(received: ReceivedRequest): Said {
  if (received.model === 'asked') return {text: 'Ask for a shorter one.'};
  if (received.tools.includes('rank_answers')) {
    const reviews = ['Response A', 'Response B'].map((label) => ({
      label,
      assessment: 'clear',
      strengths: [],
      weaknesses: [],
      score: 5,
    }));
    return call('rank_answers', {ranking: ['Response A', 'Response B'], reviews});
  }
  if (received.tools.includes('conclude')) {
    const conclusion = 'The note wants a date.';
    return call('conclude', {conclusion, key_points: [], agreements: [], disagreements: []});
  }
  if (received.tools.length === 0) return {text: `A date, says ${received.model}.`};
  return isBallot(received) ? ballot('approve') : act(received);
}

/** Each reviewer rejects `times` proposals for which `isBad` is true. */
function rejecting(
  times: number,
  isBad: (received: ReceivedRequest) => boolean,
): (received: ReceivedRequest) => Said {
  const left = new Map<string, number>();
  return (received) => {
    const more = left.get(received.model) ?? times;
    if (!isBallot(received) || !isBad(received) || more === 0) return speak(received);
    left.set(received.model, more - 1);
    return ballot('reject', 'not yet');
  };
}

const prompts = (tool: string): string[] =>
  wire
    .received()
    .filter(({tools}) => tools.includes(tool))
    .map(({text}) => text);

describe('over the wire', () => {
  test('two rejected plans spawn one discussion, whose conclusion the planner reads before its next plan', async () => {
    const {result, spawned} = await follow(rejecting(4, isPlanBallot), [
      {when: 'plan.rejected:2', form: 'discuss', request: 'What is wrong with these plans?'},
    ]);
    expect(result).toMatchObject({
      status: 'completed',
      interactions: [
        {id: `${result.interaction}.1`, form: 'discuss', by: 'rule', status: 'completed'},
      ],
    });
    expect(spawned).toMatchObject([
      {
        form: 'discuss',
        by: 'rule',
        contextMode: 'full',
        request: 'What is wrong with these plans?',
      },
    ]);
    const conclusion = '[Discuss Result (3 models)]: The note wants a date.';
    const drafts = prompts('create_plan');
    expect(drafts).toHaveLength(5);
    expect(drafts.map((text) => text.includes(conclusion))).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
  });
});

describe('a crash', () => {
  const spawn = [
    {when: 'plan.rejected', form: 'ask', request: 'What do they want?'},
    {when: 'action.rejected', form: 'discuss', request: 'What would be less?'},
  ] as const;

  function scenario(journal?: Journal): Scenario {
    return createScenario({
      ...(journal ? {journal} : {}),
      config: {
        spawn: [...spawn],
        ask: {model: 'test/worker'},
        discuss: {participants: ['test/x'], moderator: 'test/y'},
      },
      work: (request) => {
        if (request.purpose === 'conclude') {
          const rest = {key_points: [], agreements: [], disagreements: []};
          return reply('conclude', {conclusion: 'a little', ...rest});
        }
        const isTalk = request.purpose === 'ask' || request.purpose === 'discuss';
        return isTalk ? answer('a little') : work(request);
      },
    });
  }

  test('leads to the same tree and the same end at any entry', {timeout: 120_000}, async () => {
    const whole = scenario();
    const {interaction, interactions, status} = await whole.start().result;
    expect(status).toBe('completed');
    expect(interactions).toMatchObject([
      {form: 'ask', by: 'rule', status: 'completed'},
      {form: 'discuss', by: 'rule', status: 'completed'},
    ]);
    const entries = await whole.runtime.entries(interaction);
    for (const kept of cutsOf(entries)) {
      const again = scenario(cutJournal(interaction, entries.slice(0, kept)));
      const run = await again.runtime.resume(interaction);
      for await (const {type} of run.events) {
        // A person decides about a call in doubt that must not be repeated.
        if (type === 'human.requested') run.send({type: 'human.decided', decision: 'retry'});
      }
      const end = await run.result;
      expect({kept, status: end.status, interactions: end.interactions}).toEqual({
        kept,
        status,
        interactions,
      });
    }
  });
});
