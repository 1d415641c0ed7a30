/** Passes a person's decisions to the gates, and warns after several approvals in a row. */

import {type HumanDecision, isApproval} from '../../machines/domain/human.ts';
import type {Reader} from '../language.ts';
import type {OpenGates} from './open-gates.ts';
import {gateTexts} from './texts.ts';

/** Approvals in a row before each warning. */
const cautionAfter = 5;

export type Accept = (
  gates: Pick<OpenGates, 'answer'>,
  gate: string,
  decision: HumanDecision,
) => void;

export function createAcceptance(note: (text: string) => void, reader: Reader): Accept {
  const {caution, elsewhere} = gateTexts(reader);
  let approvals = 0;
  return (gates, gate, decision) => {
    if (!gates.answer(gate, decision)) note(elsewhere);
    approvals = isApproval(decision) ? approvals + 1 : 0;
    if (approvals > 0 && approvals % cautionAfter === 0) {
      note(caution(approvals));
    }
  };
}
