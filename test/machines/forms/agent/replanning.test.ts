/** A replan: failed work is redone or dropped with a reason, and its reviewers and judge read the earlier results. */

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

/** An agent whose first plan failed in part, and whose second plan, `second`, is approved. */
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

test('a replan that omits failed work ends failed, even if its judge approves', () => {
  const agent = replanned(forgetful);
  agent.settle('task:other', ran);
  agent.settle('evaluation/files', {missing: []});
  expect(lastMessage(agent)).toContain(
    'task bad failed: it failed; no later plan redoes it or drops it with a reason',
  );
  agent.settle('evaluation/', content);
  expect(agent.output()).toMatchObject({
    status: 'failed',
    summary: expect.stringMatching(/task bad failed.*\n.*task after skipped.*\n2 of 4 tasks/),
  });
});

test('a task that a plan drops with a reason is voted on and reported, and is not a failure', () => {
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

test('a reviewer of a replan reads the earlier results and the open work', () => {
  const agent = replanned(redoing);
  const [earlier, later] = agent.requests('screenProposal').map(({proposal}) => proposal);
  expect(earlier?.before).toBeUndefined();
  const {text: message} = reviewMessage(proposalIn(later), 1, [], []);
  expect(message).toContain('# Done so far\nTask look (succeeded): "look"\nResult:\n> a holds 1');
  expect(message).toContain('# Still to be done\n- bad: "run it"\n- after: "use it"');
});

test('a task that is redone by the same description, or by id, is done when the redoing task is', () => {
  const [again, after] = redoing.tasks;
  const agent = replanned({...redoing, tasks: [again, {...after, redoes: ['after']}]});
  for (const task of ['task:bad', 'task:after']) agent.settle(task, ran);
  judge(agent, {successful: true, problems: []});
  expect(agent.output()).toMatchObject({status: 'completed'});
});

test('a redoing task that fails leaves the original task open', () => {
  const agent = replanned(redoing);
  for (const task of ['task:bad-again', 'task:after-again']) agent.settle(task, broke);
  judge(agent, {successful: true, problems: []});
  expect(agent.output()).toMatchObject({status: 'failed'});
});

test.each([
  ['drops a finished task', {drops: [{task_id: 'look', reason}]}],
  ['drops an unknown task', {drops: [{task_id: 'none', reason}]}],
  ['reuses the id of a failed task', {tasks: [{...other, id: 'bad'}]}],
  ['drops without a reason', {drops: [{task_id: 'bad', reason: ' '}]}],
  [
    'drops a task that it redoes',
    {drops: [{task_id: 'bad', reason}], tasks: [{...other, redoes: ['bad']}]},
  ],
])('a replan that %s goes back to the planner', (_, change) => {
  const settled = () => replanned({...forgetful, ...change});
  expect(settled).toThrow('0 of planning/check are open');
});

test('the planner and the judge read all results and all feedback, and the planner reads the open work', () => {
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

test('the reason for a replan is reported, and kept in the output', () => {
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

test('the output does not depend on the order in which tasks end', () => {
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
