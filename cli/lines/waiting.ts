/** What a suspended run waits for, and how to go on with it. */

import type {OpenGate} from '../../actors/runtime-api.ts';
import {decisionChoices} from '../decision.ts';
import {oneLine} from './text.ts';

export function continueLines(id: string): string[] {
  return [`suspended; continue with: quorate resume ${oneLine(id)}`];
}

/** Each open question and how to answer it without a terminal. */
export function gateLines(id: string, gates: readonly OpenGate[]): string[] {
  return gates.flatMap(({question}) => [
    `waiting for a person: ${question.kind}: ${oneLine(question.reason, 300)}`,
    `  it decides on sha256 ${oneLine(question.proposalHash, 13)}`,
    `  decide with: quorate resume ${oneLine(id)} --decision ${decisionChoices(question)}`,
  ]);
}

export function waitingLines(id: string, gates: readonly OpenGate[]): string[] {
  const name = oneLine(id);
  return [
    ...gateLines(id, gates),
    `  look at it with: quorate show ${name}`,
    `  be asked on a terminal with: quorate resume ${name}`,
  ];
}
