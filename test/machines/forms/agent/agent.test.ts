/** An agent: only an approved plan runs, a person can end it at any moment, and its output states how it ended. */

import {describe, expect, test} from 'vitest';

import {asJson} from '../../../../machines/domain/json.ts';
import type {Seat} from '../../../../machines/domain/review.ts';
import type {AgentSettings, HilMode} from '../../../../machines/domain/settings.ts';
import {agentMachine} from '../../../../machines/forms/agent/agent.ts';
import {byHand, type ByHand} from '../../../support/by-hand.ts';
import {crash} from '../../../support/hand-performer.ts';
import {draftPlan, gather, judge, oneRead, plansOf, twoWrites} from '../../events/agent-plans.ts';
import {planOf} from '../../events/execution.ts';
import {broke, calling, failing, ran, ruling, saying} from '../../events/outcomes.ts';
import {modelSeat, policySeat, smallSettings} from '../../events/settings.ts';

/** The settings of an agent without configuration. */
const usual = {maxPlanRevisions: 3, maxReplans: 2, maxParallelTasks: 4, maxIterations: 50};

const plans = plansOf(oneRead);
const content = calling('evaluate_result', {successful: true, problems: []});
const notYet = calling('evaluate_result', {successful: false, problems: [{problem: 'more'}]});
const hopeless = calling('evaluate_result', {
  successful: false,
  problems: [],
  cancel_reason: 'it makes no sense',
});

function start(
  agent: Partial<AgentSettings> = {},
  hilMode: HilMode = 'interactive',
  panel: readonly Seat[] = [policySeat],
): ByHand {
  const settings = smallSettings(hilMode, panel, {...usual, ...agent});
  return byHand(agentMachine, {request: 'do it', workspace: '/w', settings});
}

function draft(agent: ByHand, number: number, from = plans): void {
  draftPlan(agent, from.draft(number));
}

function vote(agent: ByHand, verdict: 'approve' | 'reject' | 'abstain'): void {
  agent.settle('quorum', ruling(verdict));
}

/** Brings an agent to the point at which its first plan runs. */
function approved(agent = start()): ByHand {
  gather(agent);
  draft(agent, 1);
  vote(agent, 'approve');
  return agent;
}

const tasksRun = (agent: ByHand) => agent.requests('runTool').map(({args}) => args['path']);

test('an approved plan runs, and a result that is judged a success completes the agent', () => {
  const agent = approved();
  agent.settle('run', ran);
  judge(agent, content);
  expect(agent.output()).toMatchObject({
    status: 'completed',
    summary: 'plan-1\ndone\n1 of 1 task succeeded.',
    plan: {objective: 'plan-1'},
    tasks: [{id: 'plan-1-a', status: 'succeeded'}],
    reviews: [{kind: 'plan', approved: true}],
  });
});

test('each phase is reported when it is entered, with the vote on the result last', () => {
  const agent = judged();
  vote(agent, 'approve');
  expect(agent.reports('phase.changed').map((each) => Object(each).phase)).toEqual([
    'gathering',
    'planning',
    'reviewingPlan',
    'executing',
    'evaluating',
    'closing',
    'reviewingResult',
  ]);
});

test('the objective of a plan fills one line of the summary and cannot imitate its other lines', () => {
  const agent = start();
  gather(agent);
  const plan = planOf('plan-1\nAPPROVED [●●●]\n1 of 1 task succeeded.', oneRead('plan-1'));
  draftPlan(agent, calling('create_plan', asJson(plan)));
  vote(agent, 'approve');
  agent.settle('run', ran);
  judge(agent, content);
  expect(agent.output()).toMatchObject({
    summary: 'plan-1 APPROVED [●●●] 1 of 1 task succeeded.\ndone\n1 of 1 task succeeded.',
  });
});

/** A plan and two revisions, all of them rejected. */
function rejectedThrice(agent = start()): ByHand {
  gather(agent);
  for (const number of [1, 2, 3]) {
    draft(agent, number);
    vote(agent, 'reject');
  }
  return agent;
}

/** Two plans are rejected, and the first is proposed again. */
function proposedAgain(agent = start()): ByHand {
  gather(agent);
  for (const number of [1, 2]) {
    draft(agent, number);
    vote(agent, 'reject');
  }
  draft(agent, 1);
  return agent;
}

describe('a rejected plan', () => {
  test('goes back to the planner with the reasons, and only its revision runs', () => {
    const agent = start();
    gather(agent);
    draft(agent, 1);
    vote(agent, 'reject');
    const request = agent.requests('callModel').at(-1);
    expect(JSON.stringify(request)).toContain('the rule says reject');
    draft(agent, 2);
    vote(agent, 'approve');
    expect(tasksRun(agent)).toEqual(['plan-2/a']);
    expect(agent.reports('plan.revised')).toMatchObject([{revision: 1}]);
  });

  test('is put to a person after the third rejection, with all three votes', () => {
    const agent = rejectedThrice();
    expect(agent.requests('askHuman')).toMatchObject([
      {kind: 'plan', plan: {objective: 'plan-3'}, history: [{round: 1}, {round: 2}, {round: 3}]},
    ]);
    agent.settle('gate', {decision: 'approve'});
    expect(tasksRun(agent)).toEqual(['plan-3/a']);
  });

  describe('that its planner proposes again', () => {
    test('is put to a person at once, without another vote', () => {
      const agent = proposedAgain();
      expect(agent.requests('screenProposal')).toHaveLength(2);
      expect(agent.requests('askHuman')).toMatchObject([
        {
          kind: 'plan',
          reason:
            'The planner proposed a plan that was rejected before. The panel rejected it, 1 to 0.',
          plan: {objective: 'plan-1'},
          history: [{round: 1}, {round: 2}],
        },
      ]);
      agent.settle('gate', {decision: 'approve'});
      expect(tasksRun(agent)).toEqual(['plan-1/a']);
    });

    test('is put to the person again for the same reason after an invalid edit', () => {
      const agent = proposedAgain();
      agent.settle('gate', {decision: 'edit', plan: {}});
      agent.settle('check', {problems: []});
      expect(agent.requests('askHuman').at(-1)).toMatchObject({
        reason: expect.stringMatching(
          /^The edited plan can't run: .*proposed a plan that was rejected/s,
        ),
        plan: {objective: 'plan-1'},
      });
    });

    test('ends the agent in auto_reject', () => {
      expect(proposedAgain(start({}, 'auto_reject')).output()).toMatchObject({
        status: 'rejected',
        reviews: [{title: 'plan-1'}, {title: 'plan-2'}],
      });
    });

    test('is voted on again if it only lacked votes', () => {
      const seats = [{...policySeat, veto: false}, modelSeat('test/a'), modelSeat('test/b')];
      const agent = start({}, 'interactive', seats);
      gather(agent);
      draft(agent, 1);
      agent.settle('screen', ruling('approve'));
      for (const seat of ['test%2Fa/', 'test%2Fa/', 'test%2Fb/', 'test%2Fb/']) {
        agent.settle(seat, saying('I can not say.'));
      }
      draft(agent, 1);
      expect(agent.requests('askHuman')).toEqual([]);
      expect(agent.reports('quorum.started')).toMatchObject([{round: 1}, {round: 2}]);
      expect(agent.reports('plan.revised')).toMatchObject([{revision: 1, isUnchanged: true}]);
    });
  });

  test('that a person edits runs only as edited', () => {
    const agent = rejectedThrice();
    agent.settle('gate', {decision: 'edit', plan: plans.edited});
    expect(agent.requests('checkCalls').at(-1)).toEqual({
      workspace: '/w',
      calls: [{task: 'edited-a', tool: 'read_file', args: {path: 'edited/a'}}],
    });
    expect(tasksRun(agent)).toEqual([]);
    agent.settle('check', {problems: []});
    expect(agent.reports('plan.revised').at(-1)).toMatchObject({by: 'person', plan: plans.edited});
    expect(tasksRun(agent)).toEqual(['edited/a']);
    agent.settle('run', ran);
    judge(agent, content);
    expect(agent.output()).toMatchObject({status: 'completed', plan: {objective: 'edited'}});
  });

  test.each([
    ['whose calls are invalid', plans.edited, ['task edited-a: no path'], 'task edited-a: no path'],
    ['that is not a plan', {}, [], 'objective'],
    [
      'that drops an unknown task',
      {...plans.edited, drops: [{task_id: 'x', reason: 'y'}]},
      [],
      'x is not a task that is still to be done',
    ],
  ])(
    'edited into one %s is put to the person again, with its problems',
    (_, plan, problems, said) => {
      const agent = rejectedThrice();
      agent.settle('gate', {decision: 'edit', plan});
      agent.settle('check', {problems});
      const [, again] = agent.requests('askHuman');
      expect(again).toMatchObject({
        kind: 'plan',
        plan: {objective: 'plan-3'},
        reason: expect.stringContaining(said),
      });
      agent.settle('gate', {decision: 'approve'});
      expect(tasksRun(agent)).toEqual(['plan-3/a']);
    },
  );

  test('that a person rejects as well ends the agent', () => {
    const agent = rejectedThrice();
    agent.settle('gate', {decision: 'reject', reason: 'no use'});
    expect(agent.output()).toMatchObject({
      status: 'rejected',
      summary: 'a person rejected the plan: no use.\n0 of 1 task succeeded.',
      tasks: [{status: 'skipped', output: 'not run'}],
    });
    expect(tasksRun(agent)).toEqual([]);
  });

  test('is not put to a person in auto_reject', () => {
    expect(rejectedThrice(start({}, 'auto_reject')).output()).toMatchObject({status: 'rejected'});
  });
});

test('a vote without quorum puts the plan to a person at once', () => {
  const agent = start();
  gather(agent);
  draft(agent, 1);
  vote(agent, 'abstain');
  expect(agent.requests('askHuman')).toMatchObject([
    {
      kind: 'plan',
      reason: 'Quorum could not reach consensus. Too few reviewers voted on this plan.',
    },
  ]);
});

test('with confirm_execution an approved plan waits for a person', () => {
  const agent = approved(start({confirmExecution: true}));
  expect(tasksRun(agent)).toEqual([]);
  agent.settle('gate', {decision: 'approve'});
  expect(tasksRun(agent)).toEqual(['plan-1/a']);
});

test('a plan-only agent ends with its approved plan, and runs nothing', () => {
  const agent = approved(start({phaseScope: 'plan-only'}));
  expect(agent.output()).toMatchObject({
    status: 'completed',
    plan: {objective: 'plan-1'},
    tasks: [{status: 'pending'}],
  });
});

const moments: Readonly<Record<string, (agent: ByHand) => void>> = {
  gathering: () => {},
  planning: gather,
  reviewingPlan: (agent) => {
    gather(agent);
    draft(agent, 1);
  },
  awaitingHuman: (agent) => {
    gather(agent);
    draft(agent, 1);
    vote(agent, 'abstain');
  },
  executing: (agent) => void approved(agent),
  evaluating: (agent) => {
    approved(agent).settle('run', ran);
  },
};

describe.each(Object.entries(moments))('while it is %s', (phase, reach) => {
  test.each([[{type: 'user.cancel'}, 'cancelled', 'a person cancelled']])(
    '$type ends it and leaves nothing at work',
    (event, status, why) => {
      const agent = start();
      reach(agent);
      expect(agent.reports('phase.changed').at(-1)).toMatchObject({phase});
      agent.send(event);
      expect(agent.output()).toMatchObject({status, summary: expect.stringContaining(why)});
      expect(agent.open()).toEqual([]);
    },
  );
});

test('a cancel marks a running task as interrupted, and a waiting task as not reached', () => {
  const writes = plansOf(twoWrites);
  const agent = start({maxParallelTasks: 1});
  gather(agent);
  draft(agent, 1, writes);
  vote(agent, 'approve');
  agent.send({type: 'user.cancel'});
  expect(agent.output()).toMatchObject({
    tasks: [
      {status: 'failed', failure: {code: 'interrupted'}},
      {status: 'skipped', output: 'not reached'},
    ],
  });
});

describe('an insufficient result', () => {
  test('leads to a new plan from the results and the problems, which is voted on again', () => {
    const agent = approved();
    agent.settle('run', broke);
    judge(agent, notYet);
    const request = JSON.stringify(agent.requests('callModel').at(-1));
    expect(request).toContain('more');
    expect(request).toContain('it failed');
    draft(agent, 2);
    expect(tasksRun(agent)).toEqual(['plan-1/a']);
    vote(agent, 'approve');
    expect(tasksRun(agent)).toEqual(['plan-1/a', 'plan-2/a']);
  });

  test('is a failure when no replan is left, and the output lists every task', () => {
    const agent = approved(start({maxReplans: 0}));
    agent.settle('run', broke);
    judge(agent, notYet);
    expect(agent.output()).toMatchObject({status: 'failed', tasks: [{status: 'failed'}]});
  });

  test('is any result with a failed task, even if the judge is content', () => {
    const agent = approved(start({maxReplans: 0}));
    agent.settle('run', broke);
    judge(agent, content);
    expect(agent.output()).toMatchObject({status: 'failed', tasks: [{status: 'failed'}]});
  });

  test('cancels the agent when the judge gives a reason to cancel', () => {
    const agent = approved();
    agent.settle('run', ran);
    judge(agent, hopeless);
    expect(agent.output()).toMatchObject({
      status: 'cancelled',
      summary: expect.stringContaining('it makes no sense'),
    });
  });
});

/** An agent whose successful result awaits its vote. */
function judged(): ByHand {
  const agent = approved(start({requireFinalReview: true}));
  agent.settle('run', ran);
  judge(agent, content);
  return agent;
}

describe('a result that needs a vote', () => {
  test('and is approved completes the run', () => {
    const agent = judged();
    vote(agent, 'approve');
    expect(agent.output()).toMatchObject({status: 'completed'});
  });

  test('and is rejected leads to a new plan with the reasons of the panel while replans are left', () => {
    const agent = judged();
    vote(agent, 'reject');
    const request = agent.requests('callModel').at(-1);
    expect(request?.purpose).toBe('plan');
    expect(JSON.stringify(request)).toContain('the rule says reject');
    draft(agent, 2);
    vote(agent, 'approve');
    agent.settle('run', ran);
    judge(agent, content);
    vote(agent, 'approve');
    expect(agent.output()).toMatchObject({
      status: 'completed',
      evaluations: [
        {successful: false, problems: [expect.stringContaining('the rule says reject')]},
        {successful: true},
      ],
    });
  });

  test('and is rejected without a replan left fails with the answer and the reasons', () => {
    const agent = approved(start({requireFinalReview: true, maxReplans: 0}));
    agent.settle('run', ran);
    agent.settle('evaluation/files', {missing: []});
    agent.settle('evaluation/', content);
    agent.settle('closing/', saying('The port is 8080.'));
    vote(agent, 'reject');
    expect(agent.output()).toMatchObject({
      status: 'failed',
      answer: 'The port is 8080.',
      summary: expect.stringMatching(/^The panel rejected the result\.\n- .*the rule says reject/),
      evaluations: [{successful: false}],
    });
  });

  test('is voted on together with the closing answer', () => {
    const agent = approved(start({requireFinalReview: true}));
    agent.settle('run', ran);
    agent.settle('evaluation/files', {missing: []});
    agent.settle('evaluation/', content);
    agent.settle('closing/', saying('The port is 8080.'));
    const {proposal} = agent.requests('screenProposal').at(-1) ?? {};
    expect(proposal?.shown).toContain('> The port is 8080.');
    expect(proposal?.facts.claims).toContain('The port is 8080.');
  });

  test('and is vetoed names the policy with the veto', () => {
    const vetoing = {...policySeat, veto: true};
    const agent = approved(
      start({requireFinalReview: true, maxReplans: 0}, 'interactive', [vetoing]),
    );
    agent.settle('run', ran);
    judge(agent, content);
    agent.settle('quorum', ruling('reject', ['mass-delete']));
    expect(agent.output()).toMatchObject({
      status: 'failed',
      summary: expect.stringContaining('The result was vetoed by policy/safety (mass-delete).'),
    });
  });

  test('is put to a person when too few seats vote', () => {
    const agent = judged();
    vote(agent, 'abstain');
    expect(agent.requests('askHuman')).toMatchObject([{kind: 'result'}]);
    agent.settle('gate', {decision: 'reject', reason: 'no'});
    expect(agent.output()).toMatchObject({
      status: 'failed',
      summary: expect.stringContaining('a person rejected the result: no'),
    });
  });
});

test('tasks beyond the iteration limit wait until the limit is raised', () => {
  const agent = start({maxIterations: 1});
  gather(agent);
  draft(agent, 1, plansOf(twoWrites));
  vote(agent, 'approve');
  agent.settle('preview', {kind: 'refused', code: 'outside', message: 'no'});
  expect(agent.open()).toEqual(['execution/resume']);
  agent.send({type: 'settings.changed', settings: {agent: {maxIterations: 2}}});
  agent.settle('resume', {resumed: true});
  agent.settle('preview', {kind: 'refused', code: 'outside', message: 'no'});
  expect(agent.reports('task.started')).toMatchObject([{task: 'plan-1-a'}, {task: 'plan-1-b'}]);
  expect(agent.reports('phase.changed').at(-1)).toMatchObject({phase: 'evaluating'});
});

test('an agent waits for an unavailable provider', () => {
  const down = start();
  gather(down);
  down.settle('planning', failing('auth'));
  expect(down.open()).toEqual(['planning/question/call/resume']);
  const late = approved();
  late.settle('run', ran);
  judge(late, failing('auth'));
  expect(late.open()).toEqual(['evaluation/question/call/resume']);
});

test('a bug in a performer is an error, never a success', () => {
  const bug = start();
  bug.settle('survey', crash);
  expect(bug.output()).toMatchObject({status: 'error', error: {code: 'internal'}});
});
