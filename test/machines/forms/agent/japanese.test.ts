/** The reasons with which the engine ends an agent are in the language of the request. */

import {expect, test} from 'vitest';

import {agentMachine} from '../../../../machines/forms/agent/agent.ts';
import {byHand, type ByHand} from '../../../support/by-hand.ts';
import {oneRead, plansOf} from '../../events/agent-plans.ts';
import {ruling, saying} from '../../events/outcomes.ts';
import {policySeat, smallSettings} from '../../events/settings.ts';

function start(): ByHand {
  const settings = smallSettings('interactive', [policySeat], {maxPlanRevisions: 1});
  const agent = byHand(agentMachine, {request: '直してください', workspace: '/w', settings});
  agent.settle('gathering/survey', {text: '', read: []});
  agent.settle('gathering/turns', saying('ok'));
  return agent;
}

test('a rejection of the plan by a person is stated in Japanese', () => {
  const agent = start();
  agent.settle('planning/question', plansOf(oneRead).draft(1));
  agent.settle('planning/check', {problems: []});
  agent.settle('quorum', ruling('reject'));
  agent.settle('gate', {decision: 'reject', reason: '不要です'});
  expect(agent.output()).toMatchObject({
    status: 'rejected',
    summary: '人が計画を却下しました: 不要です\n1 件中 0 件のタスクが成功しました。',
  });
});

test('a cancel by a person is stated in Japanese', () => {
  const agent = start();
  agent.send({type: 'user.cancel'});
  expect(agent.output()).toMatchObject({
    status: 'cancelled',
    summary: '取り消し: 人が取り消しました。何も実行していません。',
  });
});
