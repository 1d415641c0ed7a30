/** Interactions below a crashed one, which are stopped with it. */

import type {AnyActorRef} from 'xstate';

import type {FormOutput} from '../domain/result.ts';
import {dialogueAround, reportFact} from '../facts/record.ts';
import {settledFact} from './children.ts';

const message = 'an interaction above it crashed';

const lost: FormOutput = {status: 'error', summary: message, error: {code: 'orphaned', message}};

/** Reports the end of all active interactions below an ended one, the last spawned first. */
export function reportLost(self: AnyActorRef, above: string): void {
  const dialogue = dialogueAround(self);
  const settled = new Set(
    dialogue.flatMap((fact) => (fact.type === 'interaction.settled' ? (fact.child ?? []) : [])),
  );
  for (const fact of dialogue.toReversed()) {
    if (fact.type !== 'interaction.spawned' || settled.has(fact.child)) continue;
    if (!fact.child.startsWith(`${above}.`)) continue;
    reportFact(self, settledFact({id: fact.child, form: fact.form}, lost));
  }
}
