/** A decision at the gate of a plan covers the calls that the plan spells out, nothing else, and not indefinitely. */

import {describe, expect, test} from 'vitest';

import type {AgentSettings, HilMode} from '../../../../machines/domain/settings.ts';
import {callHash} from '../../../../machines/domain/tool.ts';
import {decisionsIn} from '../../../../machines/facts/folds.ts';
import {agentMachine} from '../../../../machines/forms/agent/agent.ts';
import {byHand, type ByHand} from '../../../support/by-hand.ts';
import {oneRead, plansOf, runOnce, twoWrites, work, type Shape} from '../../events/agent-plans.ts';
import {calling, ran, ruling, saying} from '../../events/outcomes.ts';
import {policySeat, smallSettings} from '../../events/settings.ts';

const mildSeat = {...policySeat, veto: false};

function start(
  hilMode: HilMode = 'interactive',
  seat = mildSeat,
  maxReplans = 0,
  more: Partial<AgentSettings> = {},
): ByHand {
  const agent = {
    maxPlanRevisions: 1,
    maxParallelTasks: 1,
    maxIterations: 9,
    maxReplans,
    ...more,
  };
  const settings = smallSettings(hilMode, [seat], agent);
  const run = byHand(agentMachine, {request: 'do it', workspace: '/w', settings});
  run.settle('gathering/survey', {text: 'a survey', read: []});
  run.settle('gathering/turns', saying('it is small'));
  return run;
}

/** Drafts the plan with this number, and rejects it. */
function rejected(agent: ByHand, shape: Shape, number = 1): ByHand {
  agent.settle('planning/question', plansOf(shape).draft(number));
  agent.settle('planning/check', {problems: []});
  agent.settle('quorum', ruling('reject'));
  return agent;
}

function judge(agent: ByHand, verdict: object): void {
  agent.settle('evaluation/files', {missing: []});
  agent.settle('evaluation/', calling('evaluate_result', {...verdict}));
  if (agent.open().includes('closing/call/model')) agent.settle('closing/', saying(''));
}

const content = {successful: true, problems: []};
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
      judge(agent, {successful: false, problems: [{problem: 'it does not work'}]});
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
    expect.objectContaining({
      by: 'auto_reject',
      reason: expect.stringContaining('Revision limit'),
    }),
  );
  expect(agent.reports('human.decided')).toMatchObject([
    {by: 'auto_reject', reason: expect.stringContaining('Revision limit')},
  ]);
});
