/**
 * Settings that a person changes during a run: validated, journalled as one entry, applied from the next round, and replayed.
 */

import {describe, expect, test} from 'vitest';

import type {ConfigInput, RuntimeOptions} from '../../actors/index.ts';
import type {ResumeWith, Run} from '../../actors/runtime-api.ts';
import type {ModelOutcome} from '../../machines/domain/model.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {createScenario, cutJournal, reply, type Scenario, vote, work} from '../support/scenario.ts';

const revoked: ModelOutcome = {kind: 'auth', message: 'the key is revoked'};

async function resumed(
  {runtime}: Scenario,
  {interaction}: RunResult,
  settings: ResumeWith['settings'],
): Promise<RunResult> {
  return await (
    await runtime.resume(interaction, settings ? {settings} : {})
  ).result;
}

async function changesIn({runtime}: Scenario, {interaction}: RunResult) {
  const entries = await runtime.entries(interaction);
  return entries.flatMap((entry) =>
    entry.type === 'received' && entry.event['type'] === 'settings.changed' ? [entry.event] : [],
  );
}

function limited(): Scenario {
  return createScenario({config: {limits: {max_model_calls: 4}}});
}

describe('a run that a limit has suspended', () => {
  test('continues to its end with a higher one, and the journal holds only the changed limit', async () => {
    const scenario = limited();
    const first = await scenario.start().result;
    expect(first).toMatchObject({status: 'limited', resumable: true});
    const last = await resumed(scenario, first, {limits: {max_model_calls: 100}});
    expect(last).toMatchObject({status: 'completed', exitCode: 0});
    expect(await changesIn(scenario, first)).toEqual([
      {
        type: 'settings.changed',
        config: {limits: {max_model_calls: 100}},
        settings: {agent: {}, quorum: {}, ask: {}},
        limits: {maxModelCalls: 100},
      },
    ]);
  });

  test('keeps the higher one when it is resumed again', async () => {
    const scenario = limited();
    const first = await scenario.start().result;
    await resumed(scenario, first, {limits: {max_model_calls: 100}});
    const entries = await scenario.runtime.entries(first.interaction);
    const at = entries.findIndex(
      ({type, ...entry}) =>
        type === 'received' && 'event' in entry && entry.event['type'] === 'settings.changed',
    );
    const journal = cutJournal(first.interaction, entries.slice(0, at + 2));
    const again = createScenario({journal, config: {limits: {max_model_calls: 4}}});
    expect(await resumed(again, first, undefined)).toMatchObject({status: 'completed'});
  });

  test('has more time to run after its limit is raised', async () => {
    let isHanging = true;
    const scenario = createScenario({
      config: {limits: {timeout_ms: 300}},
      work: (request) =>
        isHanging && request.purpose === 'act' ? new Promise(() => {}) : work(request),
    });
    const first = await scenario.start().result;
    expect(first.summary).toContain('timeout_ms');
    isHanging = false;
    const calls = scenario.performed.models.length;
    expect(await resumed(scenario, first, undefined)).toMatchObject({status: 'limited'});
    expect(scenario.performed.models).toHaveLength(calls);
    const last = await resumed(scenario, first, {limits: {timeout_ms: 60_000}});
    expect(last).toMatchObject({status: 'completed'});
  });
});

describe('a run whose model is unavailable', () => {
  test.each(['explore', 'plan', 'act', 'evaluate'])(
    'calls the model that replaces it, from the same point: %s',
    async (purpose) => {
      const scenario = createScenario({
        work: (request) =>
          request.model === 'test/worker' && request.purpose === purpose ? revoked : work(request),
      });
      const first = await scenario.start().result;
      expect(first).toMatchObject({status: 'waiting', error: {code: 'auth'}});
      const agent = {exploration_model: 'test/x', decision_model: 'test/x'};
      const settings = {agent, ask: {model: 'test/x'}};
      expect(await resumed(scenario, first, settings)).toMatchObject({status: 'completed'});
      expect(scenario.performed.models).toContain(`test/x ${purpose}`);
    },
  );
});

describe('from the next round', () => {
  test('another rule and another panel vote', async () => {
    let isDown = true;
    const scenario = createScenario({
      work: (request) => (isDown && request.purpose === 'plan' ? revoked : work(request)),
    });
    const first = await scenario.start().result;
    isDown = false;
    const last = await resumed(scenario, first, {
      agent: {review_models: ['test/y', 'test/z']},
      quorum: {rule: 'unanimous'},
    });
    expect(last).toMatchObject({status: 'completed'});
    expect(last.reviews?.[0]).toMatchObject({rule: 'unanimous', seats: ['y', 'z']});
  });

  test('a vote that waits for models which are no longer on the panel continues without them', async () => {
    const scenario = createScenario({
      work: (request) => {
        if (request.purpose !== 'review-plan') return work(request);
        return request.model === 'test/x' ? vote('approve') : revoked;
      },
    });
    const first = await scenario.start().result;
    expect(first).toMatchObject({status: 'waiting', error: {code: 'auth'}});
    const last = await resumed(scenario, first, {agent: {review_models: ['test/x']}});
    expect(last).toMatchObject({status: 'completed'});
    expect(last.reviews?.slice(0, 2)).toMatchObject([
      {
        verdict: 'rejected',
        votes: [
          {model: 'x', approved: true},
          {abstainedBecause: 'no longer on the panel'},
          {abstainedBecause: 'no longer on the panel'},
        ],
      },
      {seats: ['x'], approved: true},
    ]);
  });
});

/** A run whose first plan is in review. */
async function inReview(config: RuntimeOptions['config']): Promise<[Scenario, Run]> {
  const scenario = createScenario(config ? {config} : {});
  const run = scenario.start();
  await until(run, 'quorum.started');
  return [scenario, run];
}

describe('in a running run', () => {
  test('a requested ensemble drafts the next plan only', async () => {
    let rejections = 2;
    const scenario = createScenario({
      config: {agent: {review_models: ['test/x', 'test/y']}},
      work: (request) => {
        const {purpose} = request;
        if (purpose === 'score-plan') return reply('score_plan', {score: 7, reasons: ['r']});
        if (purpose === 'plan') return reply('create_plan', planned(String(rejections)));
        if (purpose !== 'review-plan') return work(request);
        if (request.model === 'test/x') rejections -= 1;
        return vote(rejections >= 0 ? 'reject' : 'approve');
      },
    });
    const run = scenario.start();
    await until(run, 'quorum.started');
    run.send({type: 'settings.changed', settings: {agent: {consensus_level: 'ensemble'}}});
    expect(await run.result).toMatchObject({status: 'completed'});
    const planners = scenario.performed.models.filter((call) => call.endsWith(' plan'));
    expect(planners).toEqual([
      'test/worker plan',
      'test/x plan',
      'test/y plan',
      'test/worker plan',
    ]);
  });

  test('a change may build on an earlier one, whether or not that has taken effect', async () => {
    const [scenario, run] = await inReview(undefined);
    const change = (agent: object): void => run.send({type: 'settings.changed', settings: {agent}});
    expect(() => change({strategy: 'debate'})).toThrow(/solo with debate is a contradiction/);
    change({consensus_level: 'ensemble'});
    change({strategy: 'debate'});
    expect(() => change({consensus_level: 'solo'})).toThrow(/solo with debate is a contradiction/);
    run.send({type: 'user.cancel'});
    expect(await changesIn(scenario, await run.result)).toMatchObject([
      {settings: {agent: {consensusLevel: 'ensemble'}}},
      {settings: {agent: {strategy: 'debate'}}},
    ]);
  });

  test('a rule is validated against the current panel, and a panel against the current rule', async () => {
    const [, run] = await inReview({agent: {review_models: ['test/x']}});
    const change = (settings: ConfigInput): void => run.send({type: 'settings.changed', settings});
    expect(() => change({quorum: {rule: 'at_least:2'}})).toThrow(/at_least:2 needs 2 seats/);
    change({agent: {review_models: ['test/x', 'test/y']}});
    change({quorum: {rule: 'at_least:2'}});
    expect(() => change({agent: {review_models: ['test/z']}})).toThrow(/at_least:2 needs 2 seats/);
    run.send({type: 'user.cancel'});
    await run.result;
  });

  test('a weight stays when a veto is added', async () => {
    const [scenario, run] = await inReview(undefined);
    run.send({type: 'settings.changed', settings: {quorum: {weights: {x: 3}}}});
    run.send({type: 'settings.changed', settings: {quorum: {veto: ['y']}}});
    run.send({type: 'user.cancel'});
    const [, last] = await changesIn(scenario, await run.result);
    expect(last).toMatchObject({
      settings: {
        panel: [
          {id: 'x', weight: 3, veto: false},
          {id: 'y', weight: 1, veto: true},
          {id: 'z', weight: 1, veto: false},
        ],
      },
    });
  });

  test('the rule of a run in which policy reviewers vote alone does not change', async () => {
    const scenario = createScenario({config: {agent: {phase_scope: 'fast'}}});
    const run = scenario.start();
    await until(run, 'phase.changed');
    const other = createScenario({journal: scenario.journal});
    await run.suspend('interrupted');
    const {interaction} = await run.result;
    const again = await other.runtime.resume(interaction, {
      settings: {quorum: {rule: 'at_least:1'}},
    });
    again.send({type: 'user.cancel'});
    expect(await changesIn(other, await again.result)).toMatchObject([
      {settings: {quorum: {rule: 'unanimous'}}},
    ]);
  });

  test('the participants of a discussion also take part in its debates, unless debates have their own', async () => {
    const [scenario, run] = await inReview(undefined);
    const change = (settings: ConfigInput): void => run.send({type: 'settings.changed', settings});
    change({discuss: {participants: ['test/z', 'test/y']}});
    change({debate: {models: ['test/x', 'test/y'], max_rounds: 2}});
    change({discuss: {participants: ['test/y', 'test/z'], moderator: 'test/x'}});
    run.send({type: 'user.cancel'});
    expect(await changesIn(scenario, await run.result)).toMatchObject([
      {settings: {debate: sides('z', 'y')}},
      {settings: {debate: {...sides('x', 'y'), maxRounds: 2}}},
      {settings: {discuss: {moderator: {model: 'test/x'}}, debate: sides('x', 'y')}},
    ]);
  });
});

test('the lead of an interview follows the decision model, and the reviewer follows the lead, unless set otherwise', async () => {
  const [scenario, run] = await inReview({interview: {max_loops: 5}});
  const change = (interview: ConfigInput['interview']): void =>
    run.send({type: 'settings.changed', settings: {interview}});
  const decide = (model: string): void =>
    run.send({type: 'settings.changed', settings: {agent: {decision_model: model}}});
  decide('test/z');
  change({model: 'test/y', max_follow_ups: 1});
  change({reviewer: 'test/z'});
  change({model: 'test/x'});
  decide('test/y');
  run.send({type: 'user.cancel'});
  const changes = await changesIn(scenario, await run.result);
  expect(changes.map(({settings}) => settings)).toMatchObject([
    {interview: {model: 'test/z', reviewer: 'test/z'}},
    {interview: {model: 'test/y', reviewer: 'test/y', maxFollowUps: 1}},
    {interview: {model: 'test/y', reviewer: 'test/z'}},
    {interview: {model: 'test/x', reviewer: 'test/z'}},
    {agent: {decisionModel: 'test/y'}},
  ]);
  expect(changes.at(-1)?.['settings']).not.toHaveProperty('interview');
});

describe('an invalid change is refused, and the run does not change:', () => {
  test.each<[ConfigInput, string, string]>([
    [
      {agent: {phase_scope: 'fast'}},
      'usage',
      'agent.phase_scope cannot change in an open run: it keeps the value from the start of the run; set it for the next run',
    ],
    [{agent: {strategy: 'debate'}}, 'config', 'agent.strategy: solo with debate'],
    [
      {agent: {consensus_level: 'ensemble', review_models: ['test/x']}},
      'usage',
      'agent.consensus_level: an ensemble needs two models on the panel (agent.review_models), and there is one',
    ],
    [{database: {path: 'x.db'}}, 'usage', 'database.path'],
    [
      {spawn: [{when: 'plan.rejected', form: 'ask', request: 'Why?'}]},
      'usage',
      'spawn cannot change in an open run',
    ],
    [{}, 'usage', 'no setting'],
    [{quorum: {rule: 'most'}}, 'config', 'quorum.rule'],
    [{agent: {decision_model: 'nobody/m'}}, 'config', 'nobody'],
  ])('%j', async (settings, code, words) => {
    const scenario = createScenario({config: {limits: {max_model_calls: 2}}});
    const first = await scenario.start().result;
    const before = await scenario.runtime.entries(first.interaction);
    await expect(scenario.runtime.resume(first.interaction, {settings})).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words),
    });
    expect(await scenario.runtime.entries(first.interaction)).toEqual(before);
  });

  test.each([
    ['an invalid plan', {type: 'human.decided', decision: 'edit', plan: {}}],
    ['a plan with an unknown tool', editing({id: 'a', description: 'a', tool: 'fly'})],
    ['an event of the charts', {type: 'xstate.stop'}],
    ['a value that JSON cannot hold', {type: 'user.cancel', why: 1n}],
    ['an unknown mode', {type: 'settings.changed', hilMode: 'unknown'}],
    ['invalid settings', {type: 'settings.changed', settings: 7}],
  ])('%s', async (_, event) => {
    const scenario = createScenario({
      config: {agent: {max_plan_revisions: 1}},
      work: (request) => (request.purpose === 'review-plan' ? vote('reject') : work(request)),
    });
    const run = scenario.start();
    await untilAsked(run);
    const before = await scenario.runtime.entries(run.id);
    expect(() => Reflect.apply(run.send, run, [event])).toThrow(
      expect.objectContaining({name: 'AppError'}),
    );
    expect(await scenario.runtime.entries(run.id)).toEqual(before);
    run.send({type: 'user.cancel'});
    expect(await run.result).toMatchObject({status: 'cancelled'});
  });
});

function editing(...tasks: readonly object[]): object {
  return {type: 'human.decided', decision: 'edit', plan: {objective: 'o', reasoning: 'r', tasks}};
}

/** The sides of a debate. */
function sides(a: string, b: string): object {
  return {proponent: {id: a}, opponent: {id: b}};
}

const untilAsked = async (run: Run): Promise<void> => await until(run, 'human.requested');

async function until({events}: Run, type: ProgressEvent['type']): Promise<void> {
  for await (const event of events) if (event.type === type) return;
}

/** A plan that differs from all others. */
function planned(nth: string): object {
  const tasks = [{id: 'a', description: 'look', tool: 'look', args: {at: nth}}];
  return {objective: 'o', reasoning: 'r', asks_for_change: false, tasks};
}
