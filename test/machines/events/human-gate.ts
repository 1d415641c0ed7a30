/** Human gates to explore: every answer, allowed or not, in every mode, with the mode changed meanwhile. */

import {
  type HumanDecision,
  type HumanQuestion,
  type HumanQuestionKind,
} from '../../../machines/domain/human.ts';
import type {HilMode} from '../../../machines/domain/settings.ts';
import {humanGateMachine} from '../../../machines/human-gate.ts';
import {crash} from '../../support/hand-performer.ts';
import type {Scenario} from '../../support/played.ts';

export const hilModes: readonly HilMode[] = ['interactive', 'auto_reject', 'auto_approve'];
export const questionKinds: readonly HumanQuestionKind[] = [
  'plan',
  'confirmation',
  'action',
  'protected',
  'result',
  'in-doubt',
];

export const decisions: readonly HumanDecision[] = [
  {decision: 'approve'},
  {decision: 'reject', reason: 'no'},
  {decision: 'edit', plan: {objective: 'another', reasoning: '', tasks: []}},
  {decision: 'retry'},
  {decision: 'done'},
  {decision: 'fail'},
];

/** The decision that allows a command permanently. */
export const lasting: HumanDecision = {decision: 'always'};

export function gateScenario(hilMode: HilMode, kind: HumanQuestionKind): Scenario {
  const question: HumanQuestion = {
    kind,
    request: 'do it',
    reason: 'nobody else can',
    proposalHash: 'the hash',
    history: [],
    allowed: ['approve', 'reject'],
  };
  return {
    machine: humanGateMachine,
    input: {question},
    hilMode,
    outcomes: () => [...decisions, lasting, crash],
    messages: hilModes.map((mode) => ({type: 'settings.changed', hilMode: mode})),
  };
}
