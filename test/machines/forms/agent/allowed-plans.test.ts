/** Plans with a command that no reviewer can judge, and rules of a person that allow a command permanently. */

import {expect, test} from 'vitest';

import type {AllowRule} from '../../../../machines/domain/allow-rule.ts';
import {agentMachine} from '../../../../machines/forms/agent/agent.ts';
import {byHand, type ByHand} from '../../../support/by-hand.ts';
import {calling, inDoubt, ruling, saying, unknowing} from '../../events/outcomes.ts';
import {policySeat, runCommand, smallSettings} from '../../events/settings.ts';

const shell = {
  ...runCommand,
  reaches: 'network',
  runs: {argument: 'command', language: 'shell', folder: 'working_dir'},
} as const;
const rule = {folder: '/w', command: 'npm run deploy', match: 'exact'} as const;

/** An agent that awaits the vote on a plan with these commands. */
function planned(
  commands: readonly string[],
  allow: readonly AllowRule[] = [],
  confirmExecution = false,
): ByHand {
  const seats = [policySeat];
  const settings = {
    ...smallSettings('interactive', seats, {confirmExecution}),
    tools: [shell],
    allow,
  };
  const agent = byHand(agentMachine, {request: 'do it', workspace: '/w', settings});
  agent.settle('gathering/survey', {text: 'a survey', read: []});
  agent.settle('gathering/turns', saying('it is small'));
  const tasks = commands.map((command, index) => ({
    id: `t${index}`,
    description: 'run it',
    tool: 'run_command',
    args: {command},
    depends_on: index === 0 ? [] : [`t${index - 1}`],
  }));
  const plan = {objective: 'deploy it', reasoning: 'it was asked for', tasks};
  agent.settle('planning/question', calling('create_plan', plan));
  agent.settle('planning/check', {problems: []});
  return agent;
}

function judged(agent: ByHand): readonly unknown[] {
  return agent.requests('screenProposal').flatMap(({proposal}) => proposal.facts.calls);
}

test('a plan that no policy can judge is put to a person, who may allow its only command permanently', () => {
  const agent = planned(['npm run deploy']);
  agent.settle('quorum', unknowing('deploy'));
  expect(agent.requests('askHuman')).toMatchObject([
    {
      kind: 'plan',
      reason: `Quorum could not reach consensus. Nobody has judged this plan: policy/safety can't judge "deploy".`,
      lasting: {folder: '/w', command: 'npm run deploy'},
      allowed: ['approve', 'always', 'reject', 'edit'],
    },
  ]);
  agent.settle('gate', {decision: 'always'});
  expect(agent.reports('rule.made')).toMatchObject([{rule}]);
  expect(agent.reports('phase.changed').at(-1)).toMatchObject({phase: 'executing'});
});

test('a plan with several commands cannot be allowed permanently', () => {
  const agent = planned(['npm run deploy', 'npm run clean']);
  agent.settle('quorum', unknowing('deploy'));
  expect(agent.requests('askHuman')).toMatchObject([{allowed: ['approve', 'reject', 'edit']}]);
});

test('reviewers do not judge permanently allowed commands, only the rest of the plan', () => {
  expect(judged(planned(['npm run deploy']))).toMatchObject([{args: {command: 'npm run deploy'}}]);
  expect(judged(planned(['npm run deploy'], [rule]))).toEqual([]);
  expect(judged(planned(['npm run deploy', 'rm x'], [rule]))).toMatchObject([
    {args: {command: 'rm x'}},
  ]);
});

test('a plan that was judged does not offer a permanent permission', () => {
  const agent = planned(['npm run deploy'], [], true);
  agent.settle('quorum', ruling('approve'));
  expect(agent.requests('askHuman')).toMatchObject([
    {kind: 'confirmation', allowed: ['approve', 'reject', 'edit']},
  ]);
});

test('a call that a person allowed with the plan is put to a person again after an equal call was in doubt', () => {
  const agent = planned(['npm run deploy', 'npm run deploy'], [], true);
  const ready = {kind: 'ready', args: {command: 'npm run deploy'}, preview: '$ npm run deploy'};
  agent.settle('quorum', ruling('approve'));
  agent.settle('gate', {decision: 'approve'});
  agent.settle('preview', ready);
  agent.settle('run', inDoubt);
  agent.settle('person', {decision: 'done'});
  agent.settle('preview', ready);
  expect(agent.requests('runTool')).toHaveLength(1);
  agent.settle('quorum', ruling('approve'));
  expect(agent.requests('askHuman').at(-1)).toMatchObject({kind: 'protected'});
});
