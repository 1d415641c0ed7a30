/** The questions of a trace to a person at gates, each with its decision. */

import type {JsonObject} from '../../../../../machines/domain/json.ts';
import {factsOf, foldSteps, receivedIn} from './fold.ts';
import {objectIn, textIn} from './members.ts';

export interface Gate {
  /** Of the step that asked, or of the decision where nobody was asked. */
  readonly index: number;
  /** As a decision names it. */
  readonly gate: string;
  /** As in `HumanQuestion`, as it was asked last. Absent: nobody was asked. */
  readonly question?: JsonObject;
  readonly decided?: {readonly index: number; readonly decision: JsonObject};
}

/** In the order in which they began. */
export const gatesOf = foldSteps<Gate[]>(
  () => [],
  (gates, step, index) => {
    for (const {fact} of factsOf(step)) {
      if (fact['type'] === 'human.requested') takeQuestion(gates, fact, index);
      else if (fact['type'] === 'human.decided') takeDecision(gates, fact, index);
    }
    const event = receivedIn(step);
    if (event?.['type'] === 'human.decided') takeDecision(gates, event, index);
  },
);

function takeQuestion(gates: Gate[], fact: JsonObject, index: number): void {
  const gate = textIn(fact, 'gate');
  if (gate === undefined) return;
  const at = gates.findLastIndex((each) => each.gate === gate);
  const known = gates[at];
  const question = objectIn(fact, 'question') ?? {};
  if (!known) gates.push({index, gate, question});
  else if (!known.decided) gates[at] = {...known, question};
}

function takeDecision(gates: Gate[], decision: JsonObject, index: number): void {
  const gate = textIn(decision, 'gate');
  if (gate === undefined) return;
  const at = gates.findLastIndex((each) => each.gate === gate);
  const known = gates[at];
  const decided = {index, decision};
  if (!known) gates.push({index, gate, decided});
  else if (!known.decided) gates[at] = {...known, decided};
}
