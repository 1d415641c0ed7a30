/** Slips of the charts that explored worlds have shown, each in the shortest run that shows it. */

import {expect, test} from 'vitest';
import type {AnyEventObject} from 'xstate';

import type {AgentSettings, HilMode} from '../../machines/domain/settings.ts';
import {
  agentMachine,
  askMachine,
  executionMachine,
  taskMachine,
  toolCallMachine,
  turnLoopMachine,
} from '../../machines/index.ts';
import {withBug} from '../support/buggy.ts';
import {crash} from '../support/puppet.ts';
import {failOnWarnings} from '../support/warnings.ts';
import {type Scenario, startWorld, type World} from '../support/world.ts';
import {oneRead, plansOf, runOnce, type Shape, writeThenRead} from './events/agent-plans.ts';
import {executingAgents} from './events/agent.ts';
import {type Answers, answering} from './events/answers.ts';
import {asks} from './events/ask.ts';
import {quietly} from './events/crashes.ts';
import {executions} from './events/execution.ts';
import {gateScenario} from './events/human-gate.ts';
import {calling, callingAll, ran, ruling, saying} from './events/outcomes.ts';
import {policySeat, smallSettings} from './events/settings.ts';
import {turnLoops} from './events/turn-loop.ts';
import {listIn, requestsOf, valueIn} from './laws-record.ts';

failOnWarnings();

type Place = Omit<Scenario, 'machine'>;

function withAnswers(scenario: Place, answers: Answers): Place {
  const ours = answering(answers);
  return {
    ...scenario,
    outcomes: (...asked) => {
      const own = ours(...asked);
      return own.length > 0 ? own : scenario.outcomes(...asked);
    },
  };
}

/** Takes first moves until something is open whose path ends so, or until there are none. */
function runUntil(scenario: Scenario, end: string): World {
  const world = startWorld(scenario);
  const isThere = () => end !== '' && world.open().some((path) => path.endsWith(end));
  for (let [move] = world.moves(); move && !isThere(); [move] = world.moves()) world.apply(move);
  return world;
}

function runOut(scenario: Scenario): World {
  return runUntil(scenario, '');
}

function send(world: World, event: AnyEventObject): void {
  world.apply({type: 'send', event});
}

function agentOf(
  shape: Shape,
  answers: Answers = {},
  agent: Partial<AgentSettings> = {},
  hilMode: HilMode = 'interactive',
): Scenario {
  const {draft} = plansOf(shape);
  const plan: Answers = {plan: (before) => [draft(before + 1)]};
  return {
    ...withAnswers(quietly(executingAgents), {...plan, ...answers}),
    machine: agentMachine,
    input: {
      request: 'do it',
      workspace: '/w',
      settings: smallSettings(hilMode, [policySeat], agent),
    },
  };
}

test('a gate that loses its person does not approve', () => {
  const world = startWorld(gateScenario('auto_approve', 'protected'));
  world.apply({type: 'settle', path: 'subject/person', port: 'askHuman', outcome: crash});
  expect(world.output()).toMatchObject({decision: {decision: 'reject'}});
});

test('after a person has gone back to interactive, no mode answers for them', () => {
  const answers = {'review-action': [ruling('abstain')], 'ask-action': [{decision: 'reject'}]};
  const world = runUntil(agentOf(runOnce, answers, {}, 'auto_approve'), '/review/preview');
  send(world, {type: 'settings.changed', hilMode: 'interactive'});
  for (let [move] = world.moves(); move; [move] = world.moves()) world.apply(move);
  expect(requestsOf(world.happenings, 'runTool')).toEqual([]);
});

test('a limit lets no answer pass that the guardrails have not seen', () => {
  const place = withAnswers(quietly(asks), {ask: [saying('secret')]});
  const world = runUntil({...place, machine: askMachine}, 'subject/output');
  send(world, {type: 'limit.hit', limit: 'max_cost_usd'});
  expect(valueIn(world.output(), 'answer')).toBeUndefined();
});

function isOfFirstTask(holder: unknown): boolean {
  return valueIn(holder, 'task') === 'a';
}

test('the lock is free again when its holder has crashed', () => {
  const toolCall = withBug(toolCallMachine, {at: 'xstate.done.actor.run', isIn: isOfFirstTask});
  const world = runOut({
    ...quietly(executions, 'three risky'),
    machine: executionMachine.provide({
      actors: {task: taskMachine.provide({actors: {toolCall}})},
    }),
  });
  expect(world.status()).toBe('done');
});

test.each(['user.cancel', 'limit.hit'])(
  'a task that was at work at %s is not told as not run',
  (type) => {
    const world = runUntil(agentOf(writeThenRead), '/call/run');
    send(world, {type, limit: 'max_cost_usd'});
    expect(listIn(world.output(), 'tasks')[0]).not.toMatchObject({output: 'not run'});
  },
);

test('the third identical call of one reply does not run', () => {
  const [x, y] = [{path: 'x'}, {path: 'y'}];
  const reply = callingAll(['read_file', x], ['read_file', x], ['read_file', x], ['read_file', y]);
  const world = runOut({
    ...withAnswers(quietly(turnLoops, 'repeats itself'), {
      act: (before) => [before === 0 ? reply : saying('done')],
    }),
    machine: turnLoopMachine,
  });
  expect(requestsOf(world.happenings, 'runTool').length).toBeLessThan(3);
});

test('a task whose words are "not reached" is told after replanning', () => {
  const world = runOut(
    agentOf(oneRead, {
      runTool: (before) => [{kind: 'succeeded', text: before === 0 ? 'not reached' : 'done'}],
      evaluate: (before) => [calling('evaluate_result', {successful: before > 0, problems: []})],
    }),
  );
  const told = listIn(world.output(), 'tasks').map((task) => valueIn(task, 'id'));
  expect(told).toEqual(['plan-1-a', 'plan-2-a']);
});

test('a result that a person rejects is not told as a rejected plan', () => {
  const answers = {'review-result': [ruling('abstain')], 'ask-result': [{decision: 'reject'}]};
  const world = runOut(agentOf(oneRead, answers, {requireFinalReview: true}));
  expect(valueIn(world.output(), 'summary')).not.toContain('rejected the plan');
});

test('no model is asked when no time is left', () => {
  const world = runOut({
    ...quietly(turnLoops, 'out of time'),
    outcomes: answering({act: [calling('read_file', {path: 'x'})], runTool: [ran]}),
    machine: turnLoopMachine,
  });
  expect(requestsOf(world.happenings, 'callModel')).toHaveLength(1);
});
