/** Passes a person's decisions to the gates, with a word of caution after many approvals. */

import {type HumanDecision, isApproval} from '../../machines/domain/human.ts';
import type {OpenGates} from './open-gates.ts';

/** Approvals in a row before the word of caution. */
const cautionAfter = 5;

export type Accept = (
  gates: Pick<OpenGates, 'answer'>,
  gate: string,
  decision: HumanDecision,
) => void;

export function createAcceptance(note: (text: string) => void): Accept {
  let approvals = 0;
  return (gates, gate, decision) => {
    if (!gates.answer(gate, decision)) note('this was decided elsewhere in the meantime');
    approvals = isApproval(decision) ? approvals + 1 : 0;
    if (approvals > 0 && approvals % cautionAfter === 0) {
      note(`${approvals} approvals in a row: /show shows all of what you decide on`);
    }
  };
}
