/** What a replan promises: work that failed is done over or dropped with a reason, and nobody judges without the past. */

import {expect, test} from 'vitest';

import type {Proposal} from '../../../../machines/domain/review.ts';
import {agentMachine} from '../../../../machines/forms/agent/agent.ts';
import {reviewMessage} from '../../../../machines/panel/prompt.ts';
import {byHand, type ByHand} from '../../../support/by-hand.ts';
import {planOf} from '../../events/execution.ts';
import {broke, calling, ran, ruling, saying} from '../../events/outcomes.ts';
import {policySeat, smallSettings} from '../../events/settings.ts';

const content = calling('evaluate_result', {successful: true, problems: []});

const first = planOf('first', [
  {id: 'look', description: 'look', tool: 'read_file', args: {path: 'a'}},
  {id: 'bad', description: 'run it', tool: 'read_file', args: {path: 'bad'}},
  {id: 'after', description: 'use it', depends_on: ['bad']},
]);
const other = {id: 'other', description: 'look elsewhere', tool: 'read_file', args: {path: 'b'}};
const forgetful = planOf('second', [other]);
const reason = 'the request does not ask for it';
const dropping = {...forgetful, drops: ['bad', 'after'].map((task_id) => ({task_id, reason}))};
const redoing = planOf('second', [
  {...other, id: 'bad-again', description: 'run it'},
  {...other, id: 'after-again', description: 'use what came of it', args: {path: 'c'}},
]);

/** An agent whose first plan failed in part, with this one as its second, approved. */
function replanned(second: object, maxReplans = 1): ByHand {
  const settings = smallSettings('interactive', [policySeat], {maxReplans, maxIterations: 9});
  const agent = byHand(agentMachine, {request: 'do it', workspace: '/w', settings});
  agent.settle('gathering/survey', {text: 'a survey', read: []});
  agent.settle('gathering/turns', saying('it is small'));
  plan(agent, first);
  agent.settle('task:look', {...ran, text: 'a holds 1'});
  agent.settle('task:bad', broke);
  judge(agent, {successful: false, problems: [{problem: 'it was not run'}], feedback: 'try b'});
  plan(agent, second);
  return agent;
}

function plan(agent: ByHand, draft: object): void {
  agent.settle('planning/question', calling('create_plan', {...draft}));
  agent.settle('planning/check', {problems: []});
  agent.settle('quorum', ruling('approve'));
}

function judge(agent: ByHand, verdict: object): void {
  agent.settle('evaluation/files', {missing: []});
  agent.settle('evaluation/', calling('evaluate_result', {...verdict}));
  if (agent.open().includes('closing/call/model')) agent.settle('closing/', saying(''));
}

function proposalIn(proposal: Proposal | undefined): Proposal {
  if (!proposal) throw new Error('nothing was proposed');
  return proposal;
}

function lastMessage(agent: ByHand): string {
  return agent.requests('callModel').at(-1)?.transcript.messages[0]?.text ?? '';
}

test('a replan that forgets what failed ends failed, however content its judge is', () => {
  const agent = replanned(forgetful);
  agent.settle('task:other', ran);
  agent.settle('evaluation/files', {missing: []});
  expect(lastMessage(agent)).toContain(
    'task bad failed: it failed; no later plan does it over or drops it with a reason',
  );
  agent.settle('evaluation/', content);
  expect(agent.output()).toMatchObject({
    status: 'failed',
    summary: expect.stringMatching(/task bad failed.*\n.*task after skipped.*\n2 of 4 tasks/),
  });
});

test('what a plan drops with a reason is voted on, told, and no failure', () => {
  const agent = replanned(dropping);
  const proposals = agent.requests('screenProposal').map(({proposal}) => proposal.text);
  expect(proposals.at(-1)).toContain(reason);
  agent.settle('task:other', ran);
  judge(agent, {successful: true, problems: []});
  expect(agent.output()).toMatchObject({
    status: 'completed',
    summary: expect.stringContaining(
      `2 of 4 tasks succeeded; bad was dropped: ${reason}; after was dropped: ${reason}.`,
    ),
    tasks: [
      {id: 'look', status: 'succeeded'},
      {id: 'bad', status: 'failed', dropped: reason},
      {id: 'after', status: 'skipped', dropped: reason},
      {id: 'other', status: 'succeeded'},
    ],
  });
});

test('who votes on a plan for the rest is told what was done and what is still open', () => {
  const agent = replanned(redoing);
  const [earlier, later] = agent.requests('screenProposal').map(({proposal}) => proposal);
  expect(earlier?.before).toBeUndefined();
  const message = reviewMessage(proposalIn(later), 1, [], []);
  expect(message).toContain('# Done so far\nTask look (succeeded): "look"\nResult:\n> a holds 1');
  expect(message).toContain('# Still to be done\n- bad: "run it"\n- after: "use it"');
});

test('what a plan does over by the same words, or by name, is done when that is', () => {
  const [again, after] = redoing.tasks;
  const agent = replanned({...redoing, tasks: [again, {...after, redoes: ['after']}]});
  for (const task of ['task:bad', 'task:after']) agent.settle(task, ran);
  judge(agent, {successful: true, problems: []});
  expect(agent.output()).toMatchObject({status: 'completed'});
});

test('a task that was to do another over and failed leaves it open', () => {
  const agent = replanned(redoing);
  for (const task of ['task:bad-again', 'task:after-again']) agent.settle(task, broke);
  judge(agent, {successful: true, problems: []});
  expect(agent.output()).toMatchObject({status: 'failed'});
});

test.each([
  ['drops what is done', {drops: [{task_id: 'look', reason}]}],
  ['drops what there is not', {drops: [{task_id: 'none', reason}]}],
  ['has a task with the id of one that failed', {tasks: [{...other, id: 'bad'}]}],
  ['drops without a reason', {drops: [{task_id: 'bad', reason: ' '}]}],
  [
    'drops what it does over',
    {drops: [{task_id: 'bad', reason}], tasks: [{...other, redoes: ['bad']}]},
  ],
])('a replan that %s goes back to the planner', (_, change) => {
  const settled = () => replanned({...forgetful, ...change});
  expect(settled).toThrow('0 of planning/check are open');
});

test('the planner and the judge read all results, all feedback and what is still to be done', () => {
  const agent = replanned(forgetful, 2);
  const asked = agent.requests('callModel').filter(({purpose}) => purpose === 'plan');
  const message = asked.at(-1)?.transcript.messages[0]?.text ?? '';
  expect(message).toContain('# Still to be done\n- bad: "run it"\n- after: "use it"');
  agent.settle('task:other', ran);
  agent.settle('evaluation/files', {missing: []});
  for (const text of ['a holds 1', 'it was not run', 'try b']) {
    expect(message).toContain(text);
    expect(lastMessage(agent)).toContain(text);
  }
  agent.settle(
    'evaluation/',
    calling('evaluate_result', {successful: false, problems: [{problem: 'and c'}]}),
  );
  for (const text of ['a holds 1', 'it was not run', 'try b', 'and c']) {
    expect(lastMessage(agent)).toContain(text);
  }
});

test('why it replans is reported, and kept in the result', () => {
  const agent = replanned(dropping);
  const why = {
    successful: false,
    feedback: 'try b',
    problems: expect.arrayContaining(['it was not run']),
  };
  expect(agent.reports('result.judged')).toMatchObject([{...why, isReplanned: true}]);
  agent.settle('task:other', ran);
  judge(agent, {successful: true, problems: []});
  expect(agent.output()).toMatchObject({evaluations: [why, {successful: true}]});
});

test('equal runs have equal results, whichever task ended last', () => {
  const two = planOf('first', [
    {id: 'a', description: 'look at a', tool: 'read_file', args: {path: 'a'}},
    {id: 'b', description: 'look at b', tool: 'read_file', args: {path: 'b'}},
  ]);
  const end = (order: readonly string[]): unknown => {
    const settings = smallSettings('interactive', [policySeat]);
    const agent = byHand(agentMachine, {request: 'do it', workspace: '/w', settings});
    agent.settle('gathering/survey', {text: 'a survey', read: []});
    agent.settle('gathering/turns', saying('it is small'));
    plan(agent, two);
    for (const id of order) agent.settle(`task:${id}`, {...ran, text: `it was ${id}`});
    judge(agent, {successful: true, problems: []});
    return agent.output();
  };
  expect(end(['b', 'a'])).toEqual(end(['a', 'b']));
});
