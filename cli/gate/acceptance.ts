/** Passes a person's decisions to the gates, and warns after several approvals in a row. */

import {type HumanDecision, isApproval} from '../../machines/domain/human.ts';
import {t} from '../../machines/message.ts';
import {say, type Reader} from '../language.ts';
import type {OpenGates} from './open-gates.ts';

/** Approvals in a row before each warning. */
const cautionAfter = 5;

export type Accept = (
  gates: Pick<OpenGates, 'answer'>,
  gate: string,
  decision: HumanDecision,
) => void;

export function createAcceptance(note: (text: string) => void, reader: Reader): Accept {
  let approvals = 0;
  return (gates, gate, decision) => {
    if (!gates.answer(gate, decision))
      note(say(t`this was decided elsewhere in the meantime`, reader));
    approvals = isApproval(decision) ? approvals + 1 : 0;
    if (approvals > 0 && approvals % cautionAfter === 0) {
      note(say(t`${approvals} approvals in a row: /show shows the whole subject`, reader));
    }
  };
}
