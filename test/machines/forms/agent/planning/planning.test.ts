/** Planning: a plan with checked calls, within three drafts, or the reason why there is none. */

import {expect, test} from 'vitest';

import type {Plan} from '../../../../../machines/domain/plan.ts';
import {planningMachine} from '../../../../../machines/forms/agent/planning/planning.ts';
import {byHand} from '../../../../support/by-hand.ts';
import {calling, failing, saying} from '../../../events/outcomes.ts';
import {planningGround} from '../../../events/planning.ts';

const sound = calling('create_plan', {
  objective: 'read it',
  reasoning: '',
  tasks: [{id: 'a', description: 'read', tool: 'read_file', args: {path: 'x'}}],
});
const circular = calling('create_plan', {
  objective: 'read it',
  reasoning: '',
  tasks: [{id: 'a', description: 'read', depends_on: ['a']}],
});

const start = (given: {readonly given?: Plan} = {}) =>
  byHand(planningMachine, {
    ...planningGround,
    ...given,
    brief: {
      request: 'do it',
      background: [],
      rounds: [],
      runs: [],
      maxResults: 9000,
    },
  });

test('a draft with valid calls becomes the plan', () => {
  const planning = start();
  planning.settle('model', sound);
  expect(planning.requests('checkCalls')).toEqual([
    {calls: [{task: 'a', tool: 'read_file', args: {path: 'x'}}]},
  ]);
  planning.settle('check', {problems: []});
  expect(planning.output()).toMatchObject({kind: 'ready', plan: {objective: 'read it'}});
});

test('an invalid draft goes back with its problems', () => {
  const planning = start();
  planning.settle('model', circular);
  const messages = planning.requests('callModel').at(-1)?.transcript.messages;
  expect(messages?.at(-1)?.text).toContain('tasks depend on each other in a circle: a');
  expect(messages?.at(-1)?.text).toContain('Call create_plan once more');
});

test('a draft with invalid calls goes back with its problems and those of the drafts before', () => {
  const planning = start();
  planning.settle('model', circular);
  planning.settle('model', sound);
  planning.settle('check', {problems: ['task a: no path']});
  const messages = planning.requests('callModel').at(-1)?.transcript.messages ?? [];
  const prompts = messages.filter(({role}) => role === 'user').map(({text}) => text);
  expect(prompts).toHaveLength(3);
  expect(prompts[1]).toContain('in a circle');
  expect(prompts[2]).toContain('task a: no path');
});

test('the third draft is the last, for problems of any kind', () => {
  const planning = start();
  planning.settle('model', circular);
  planning.settle('model', sound);
  planning.settle('check', {problems: ['task a: no path']});
  planning.settle('model', circular);
  expect(planning.requests('callModel')).toHaveLength(3);
  const message = expect.stringMatching(
    /^No valid plan was made\. The errors in the last draft:\n.*in a circle: a$/,
  );
  expect(planning.output()).toMatchObject({
    kind: 'failed',
    failure: {code: 'invalid_plan', message},
  });
});

test('calls that stay invalid end the planning with the errors of the last draft', () => {
  const planning = start();
  for (const problem of ['task a: no path', 'task a: no file', 'task a: no folder']) {
    planning.settle('model', sound);
    planning.settle('check', {problems: [problem]});
  }
  expect(planning.output()).toEqual({
    kind: 'failed',
    failure: {
      code: 'invalid_plan',
      message: 'No valid plan was made. The errors in the last draft:\ntask a: no folder',
    },
  });
});

test('a rate limit during a repair is waited out', () => {
  const planning = start();
  planning.settle('model', saying('Let me think.'));
  planning.settle('model', failing('rateLimited'));
  planning.pass('retryDelay');
  planning.settle('model', sound);
  planning.settle('check', {problems: []});
  expect(planning.output()).toMatchObject({kind: 'ready'});
});

test('a model that calls no tool is quoted in the failure', () => {
  const planning = start();
  for (let draft = 0; draft < 3; draft += 1) planning.settle('model', saying('I will not.'));
  expect(planning.output()).toEqual({
    kind: 'failed',
    failure: {code: 'no_plan', message: 'I will not.'},
  });
});

test('an unavailable provider is waited for, and an outage does not count as a draft', () => {
  const planning = start();
  for (let outage = 0; outage < 4; outage += 1) {
    planning.settle('model', failing('billing'));
    expect(planning.requests('awaitResume').at(-1)).toMatchObject({code: 'billing'});
    planning.settle('resume', {resumed: true});
  }
  expect(planning.output()).toBeUndefined();
  expect(planning.open()).toEqual(['question/call/model']);
});

test.each([
  [[], {kind: 'ready', plan: {objective: 'read it'}}],
  [
    ['task a: no path'],
    {
      kind: 'failed',
      failure: {
        code: 'invalid_plan',
        message: 'The plan is not valid. Its errors:\ntask a: no path',
      },
    },
  ],
])('a given plan is checked like a draft, but no model repairs it: %j', (problems, output) => {
  const args = {path: 'x'};
  const task = {
    id: 'a',
    description: 'read',
    tool: 'read_file',
    args,
    context_mode: 'full',
  } as const;
  const planning = start({given: {objective: 'read it', reasoning: '', tasks: [task]}});
  expect(planning.requests('checkCalls')).toMatchObject([{calls: [{task: 'a'}]}]);
  planning.settle('check', {problems});
  expect(planning.requests('callModel')).toEqual([]);
  expect(planning.output()).toMatchObject(output);
});
