/** The gates of an agent, the advice that it awaits, and the messages that it receives. */

import {describe, expect, test} from 'vitest';

import type {AgentSettings, HilMode} from '../../../../machines/domain/settings.ts';
import {callHash} from '../../../../machines/domain/tool.ts';
import {decisionsIn} from '../../../../machines/facts/fact.ts';
import {agentMachine} from '../../../../machines/forms/agent/agent.ts';
import {treeMachine} from '../../../../machines/index.ts';
import type {Spawner} from '../../../../machines/tree/form-event.ts';
import {byHand, type ByHand} from '../../../support/by-hand.ts';
import {
  draftPlan,
  gather,
  judge,
  oneRead,
  plansOf,
  runOnce,
  twoWrites,
  work,
  type Shape,
} from '../../events/agent-plans.ts';
import {calling, ran, ruling, saying, allow, broke} from '../../events/outcomes.ts';
import {policySeat, smallSettings, modelSeat, treeInput} from '../../events/settings.ts';

const mildSeat = {...policySeat, veto: false};

function start(
  hilMode: HilMode = 'interactive',
  seat = mildSeat,
  maxReplans = 0,
  more: Partial<AgentSettings> = {},
): ByHand {
  const agent = {maxPlanRevisions: 1, maxParallelTasks: 1, maxIterations: 9, maxReplans, ...more};
  const settings = smallSettings(hilMode, [seat], agent);
  const run = byHand(agentMachine, {request: 'do it', workspace: '/w', settings});
  gather(run);
  return run;
}

/** Drafts the plan with this number, and rejects it. */
function rejected(agent: ByHand, shape: Shape, number = 1): ByHand {
  draftPlan(agent, plansOf(shape).draft(number));
  agent.settle('quorum', ruling('reject'));
  return agent;
}

const content = calling('evaluate_result', {successful: true, problems: []});
const shown = (args: object, more = {}) => ({kind: 'ready', args, preview: '+', ...more});
const actionVotes = (agent: ByHand) =>
  agent.requests('screenProposal').filter(({proposal}) => proposal.kind === 'action').length;

describe('a plan that the panel rejected and a person allowed', () => {
  test('runs the calls that it spells out, with exactly these arguments, without another vote', () => {
    const agent = rejected(start(), twoWrites);
    agent.settle('gate', {decision: 'approve'});
    for (const path of ['plan-1/a', 'plan-1/b']) {
      agent.settle('preview', shown({path}));
      agent.settle('run', ran);
    }
    expect(actionVotes(agent)).toBe(0);
    expect(agent.requests('runTool').map(({approval}) => approval)).toEqual(
      ['plan-1/a', 'plan-1/b'].map((path) => callHash('write_file', {path})),
    );
    judge(agent, content);
    expect(agent.output()).toMatchObject({
      status: 'completed',
      summary: expect.stringMatching(
        /^A person allowed the plan "plan-1", which the panel rejected\.\nplan-1\n/,
      ),
    });
  });

  test('does not have its finished calls judged again: the vote on the result leaves them out', () => {
    const agent = rejected(
      start('interactive', mildSeat, 0, {requireFinalReview: true}),
      twoWrites,
    );
    agent.settle('gate', {decision: 'approve'});
    for (const path of ['plan-1/a', 'plan-1/b']) {
      agent.settle('preview', shown({path}));
      agent.settle('run', ran);
    }
    judge(agent, content);
    expect(agent.requests('screenProposal').at(-1)?.proposal).toMatchObject({
      kind: 'result',
      facts: {calls: [], evidence: [{tool: 'write_file'}, {tool: 'write_file'}]},
    });
    agent.settle('quorum', ruling('approve'));
    const calls = [{status: 'succeeded', allowedBy: 'person'}];
    expect(agent.output()).toMatchObject({status: 'completed', tasks: [{calls}, {calls}]});
  });

  test('has the calls that it does not spell out voted on', () => {
    const agent = rejected(start(), work);
    agent.settle('gate', {decision: 'approve'});
    agent.settle('turns', calling('write_file', {path: 'x'}));
    agent.settle('preview', shown({path: 'x'}));
    expect(actionVotes(agent)).toBe(1);
  });

  test('covers a protected place that it names, and its edited calls after an edit', () => {
    const agent = rejected(start(), runOnce);
    agent.settle('gate', {decision: 'edit', plan: plansOf(runOnce).edited});
    agent.settle('check', {problems: []});
    agent.settle('preview', shown({command: 'edited/a'}, {protectedReason: 'it is under .git'}));
    expect(agent.requests('runTool')).toMatchObject([
      {args: {command: 'edited/a'}, allowedBy: 'person'},
    ]);
    agent.settle('run', ran);
    judge(agent, content);
    expect(agent.output()).toMatchObject({
      summary: expect.stringMatching(
        /^A person edited the plan "plan-1", which the panel rejected; the edited plan was not voted on\.\n/,
      ),
    });
  });

  test('is not put to a person a fourth time under another objective, and the summary says so', () => {
    const agent = start('interactive', mildSeat, 3);
    for (const number of [1, 2, 3]) {
      rejected(agent, work, number);
      agent.settle('gate', {decision: 'approve'});
      agent.settle('turns', saying('done'));
      const problems = [{problem: 'it does not work'}];
      judge(agent, calling('evaluate_result', {successful: false, problems}));
    }
    rejected(agent, work, 4);
    expect(agent.output()).toMatchObject({
      status: 'failed',
      summary: expect.stringMatching(
        /allowed at three gates and failed each time\. .*\n.*it does not work/,
      ),
    });
  });
});

describe('in auto_approve a plan that the panel rejected', () => {
  test('runs the calls that it spells out, except in protected places', () => {
    const agent = rejected(start('auto_approve'), twoWrites);
    agent.settle('preview', shown({path: 'plan-1/a'}));
    agent.settle('run', ran);
    expect(actionVotes(agent)).toBe(0);
    agent.settle('preview', shown({path: 'plan-1/b'}, {protectedReason: 'it is under .git'}));
    expect(actionVotes(agent)).toBe(1);
  });

  test('is rejected when it was vetoed', () => {
    const agent = rejected(start('auto_approve', {...policySeat, veto: true}), oneRead);
    expect(agent.output()).toMatchObject({
      status: 'rejected',
      summary: expect.stringContaining('only a person may overrule a veto'),
    });
  });
});

test('a mode that decides without a person records and reports the reason for the decision', () => {
  const agent = rejected(start('auto_reject'), oneRead);
  expect(decisionsIn(agent.facts())).toContainEqual(
    expect.objectContaining({by: 'auto_reject', reason: expect.stringContaining('Revision limit')}),
  );
  expect(agent.reports('human.decided')).toMatchObject([
    {by: 'auto_reject', reason: expect.stringContaining('Revision limit')},
  ]);
});

const plans = plansOf(oneRead);
const notYet = calling('evaluate_result', {
  successful: false,
  problems: [],
  feedback: 'look elsewhere',
});

/** An agent whose first plan is voted on. */
function startAdvice(): ByHand {
  const tree = byHand(
    treeMachine,
    treeInput('agent', smallSettings('interactive', [policySeat], {maxPlanRevisions: 3})),
    {isTree: true},
  );
  gather(tree);
  draftPlan(tree, plans.draft(1));
  return tree;
}

function spawn(tree: ByHand, by: Spawner): void {
  tree.send({type: 'interaction.spawn', form: 'ask', request: 'why?', by});
}

function answer(tree: ByHand, text: string): void {
  const child = 'interaction:root.1/form';
  tree.settle(`${child}/input`, allow);
  tree.settle(`${child}/turns/model`, saying(text));
  tree.settle(`${child}/output`, allow);
}

function phases(tree: ByHand): unknown[] {
  return tree.reports('phase.changed').map((report) => Reflect.get(Object(report), 'phase'));
}

function planning(tree: ByHand): readonly string[] {
  return tree
    .requests('callModel')
    .filter(({purpose}) => purpose === 'plan')
    .map(({transcript}) => transcript.messages[0]?.text ?? '');
}

test('a planner waits for an interaction that a rule spawned, and revises with its result in the prompt', () => {
  const tree = startAdvice();
  spawn(tree, 'rule');
  tree.settle('quorum', ruling('reject'));
  expect(phases(tree).at(-1)).toBe('awaitingAdvice');
  expect(tree.reports('phase.changed').at(-1)).toMatchObject({alias: 'counselling'});
  expect(planning(tree)).toHaveLength(1);
  answer(tree, 'the door is locked');
  expect(planning(tree).at(-1)).toContain('> [Ask Result]: the door is locked');
  expect(phases(tree).at(-1)).toBe('revising');
});

test('a planner waits before a replan as well', () => {
  const tree = startAdvice();
  tree.settle('quorum', ruling('approve'));
  spawn(tree, 'rule');
  tree.settle('run', broke);
  tree.settle('evaluation/files', {missing: []});
  tree.settle('evaluation/', notYet);
  expect(phases(tree).at(-1)).toBe('awaitingAdvice');
  answer(tree, 'the door is locked');
  expect(planning(tree).at(-1)).toContain('> [Ask Result]: the door is locked');
});

test('a planner does not wait for an interaction that a person spawned', () => {
  const tree = startAdvice();
  spawn(tree, 'person');
  tree.settle('quorum', ruling('reject'));
  expect(planning(tree)).toHaveLength(2);
  expect(phases(tree)).not.toContain('awaitingAdvice');
});

test('a planner does not wait for an interaction that has ended, and an approved plan does not wait at all', () => {
  const ended = startAdvice();
  spawn(ended, 'rule');
  answer(ended, 'the door is locked');
  ended.settle('quorum', ruling('reject'));
  expect(planning(ended).at(-1)).toContain('> [Ask Result]: the door is locked');
  const approved = startAdvice();
  spawn(approved, 'rule');
  approved.settle('quorum', ruling('approve'));
  expect(phases(approved).at(-1)).toBe('executing');
});

test('a cancel ends the agent and the interaction that it waits for', () => {
  const tree = startAdvice();
  spawn(tree, 'rule');
  tree.settle('quorum', ruling('reject'));
  tree.send({type: 'user.cancel'});
  expect(tree.open()).toEqual([]);
});

/** An agent whose plans the panel rejects until a person is asked. */
function startAtGate(more: Partial<AgentSettings> = {}): ByHand {
  const tree = byHand(
    treeMachine,
    treeInput('agent', smallSettings('interactive', [mildSeat], {maxPlanRevisions: 1, ...more})),
    {isTree: true},
  );
  gather(tree);
  return rejected(tree, oneRead);
}

const shorter = {decision: 'revise', reason: 'only read the second file'};

describe('a person who asks for another plan', () => {
  test('has it drafted with the words, which are part of the request, and voted on', () => {
    const tree = startAtGate();
    tree.settle('gate', shorter);
    expect(phases(tree).at(-1)).toBe('revising');
    const prompt = planning(tree).at(-1) ?? '';
    expect(prompt).toMatch(/# Said meanwhile \([^]*only read the second file/);
    expect(prompt).toContain('wants another');
    draftPlan(tree, plans.draft(2));
    expect(tree.requests('screenProposal').at(-1)?.proposal.facts.request).toContain(
      'only read the second file',
    );
    tree.settle('quorum', ruling('approve'));
    expect(phases(tree).at(-1)).toBe('executing');
    expect(tree.reports('human.decided')).toMatchObject([{by: 'person', decision: 'revise'}]);
    expect(tree.reports('user.said')).toMatchObject([{text: 'only read the second file'}]);
    expect(tree.facts().filter(({type}) => type === 'messages.read')).not.toEqual([]);
  });

  test('has it revised as often as the first plan: earlier rejections count no more', () => {
    const tree = startAtGate({maxPlanRevisions: 2});
    rejected(tree, oneRead, 2);
    tree.settle('gate', shorter);
    rejected(tree, oneRead, 3);
    expect(phases(tree).at(-1)).toBe('revising');
    expect(planning(tree).at(-1)).not.toContain('wants another');
    rejected(tree, oneRead, 4);
    expect(tree.requests('askHuman')).toHaveLength(2);
    tree.settle('gate', {decision: 'reject'});
    expect(tree.output()).toMatchObject({status: 'rejected'});
  });

  test('is asked again when the planner repeats a plan that was rejected', () => {
    const tree = startAtGate();
    tree.settle('gate', shorter);
    draftPlan(tree, plans.draft(1));
    expect(tree.requests('askHuman').at(-1)?.reason).toContain('was rejected before');
  });

  test('has a plan that waits only for the confirmation drafted again', () => {
    const settings = smallSettings('interactive', [policySeat], {confirmExecution: true});
    const tree = byHand(treeMachine, treeInput('agent', settings), {isTree: true});
    gather(tree);
    draftPlan(tree, plans.draft(1));
    tree.settle('quorum', ruling('approve'));
    tree.settle('gate', shorter);
    draftPlan(tree, plans.draft(2));
    tree.settle('quorum', ruling('approve'));
    tree.settle('gate', {decision: 'approve'});
    expect(phases(tree).at(-1)).toBe('executing');
  });
});

test('a person who does not take a result has more work planned, which counts for no limit', () => {
  const tree = byHand(
    treeMachine,
    treeInput(
      'agent',
      smallSettings('interactive', [mildSeat], {requireFinalReview: true, maxReplans: 0}),
    ),
    {isTree: true},
  );
  gather(tree);
  draftPlan(tree, plans.draft(1));
  tree.settle('quorum', ruling('approve'));
  tree.settle('call/run', ran);
  judge(tree, content);
  tree.settle('closing/', saying(''));
  tree.settle('quorum', ruling('abstain'));
  tree.settle('gate', {decision: 'revise', reason: 'read the third file, too'});
  expect(planning(tree).at(-1)).toContain('A person did not accept this result');
  expect(planning(tree).at(-1)).toContain('read the third file, too');
  draftPlan(tree, plans.draft(2));
  tree.settle('quorum', ruling('approve'));
  tree.settle('call/run', ran);
  judge(tree, content);
  tree.settle('closing/', saying(''));
  tree.settle('quorum', ruling('approve'));
  expect(tree.output()).toMatchObject({status: 'completed'});
});

const ballot = calling('cast_ballot', {verdict: 'approve', reasons: ['fine'], confidence: 1});

function plannedAgent(): ByHand {
  const settings = smallSettings('interactive', [modelSeat('judge')]);
  return byHand(treeMachine, treeInput('agent', settings), {isTree: true});
}

/** The first message of the last request to a model. */
function lastPrompt(tree: ByHand): string {
  return tree.requests('callModel').at(-1)?.transcript.messages[0]?.text ?? '';
}

function readCounts(tree: ByHand): readonly number[] {
  return tree.facts().flatMap((fact) => (fact.type === 'messages.read' ? [fact.count] : []));
}

test('the explorer, the planner, the panel, the judge and the panel for the result read the messages up to then', () => {
  const tree = plannedAgent();
  tree.send({type: 'settings.changed', settings: {agent: {requireFinalReview: true}}});
  const say = (text: string) => tree.send({type: 'user.said', text});
  say('first');
  gather(tree);
  expect(lastPrompt(tree)).toContain('first');
  say('second');
  draftPlan(tree, plans.draft(1));
  expect(lastPrompt(tree)).toMatch(/first[^]*second/v);
  tree.settle('quorum/poll', ballot);
  say('third');
  tree.settle('call/run', ran);
  tree.settle('evaluation/files', {missing: []});
  expect(lastPrompt(tree)).toMatch(/first[^]*second[^]*third/v);
  say('fourth');
  tree.settle('evaluation/', content);
  tree.settle('closing/call/model', saying('It is done.'));
  expect(lastPrompt(tree)).toMatch(/first[^]*second[^]*third[^]*fourth/v);
  expect(readCounts(tree)).toEqual([1, 1, 2, 3, 4]);
});

function startJapanese(): ByHand {
  const settings = smallSettings('interactive', [policySeat], {maxPlanRevisions: 1});
  const agent = byHand(agentMachine, {request: '直してください', workspace: '/w', settings});
  gather(agent);
  return agent;
}

test('a rejection of the plan by a person is stated in Japanese', () => {
  const agent = startJapanese();
  rejected(agent, oneRead);
  agent.settle('gate', {decision: 'reject', reason: '不要です'});
  expect(agent.output()).toMatchObject({
    status: 'rejected',
    summary: '人が計画を却下しました: 不要です\n1 件中 0 件のタスクが成功しました。',
  });
});

test('a cancel by a person is stated in Japanese', () => {
  const agent = startJapanese();
  agent.send({type: 'user.cancel'});
  expect(agent.output()).toMatchObject({
    status: 'cancelled',
    summary: '取り消し: 人が取り消しました。何も実行していません。',
  });
});
