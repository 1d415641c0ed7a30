/** Interactions that stood below one that crashed: whoever runs the charts stops them with it. */

import type {AnyActorRef} from 'xstate';

import type {FormOutput} from '../domain/result.ts';
import {dialogueAround} from '../facts/record.ts';
import {reportFact} from '../facts/report.ts';
import {settledFact} from './children.ts';

const message = 'an interaction above it crashed';

const lost: FormOutput = {status: 'error', summary: message, error: {code: 'orphaned', message}};

/** Tells of those below an interaction which has ended that they ended with it, the last spawned first. */
export function tellLost(self: AnyActorRef, above: string): void {
  const dialogue = dialogueAround(self);
  const settled = new Set(
    dialogue.flatMap((told) => (told.type === 'interaction.settled' ? (told.child ?? []) : [])),
  );
  for (const told of dialogue.toReversed()) {
    if (told.type !== 'interaction.spawned' || settled.has(told.child)) continue;
    if (!told.child.startsWith(`${above}.`)) continue;
    reportFact(self, settledFact({id: told.child, form: told.form}, lost));
  }
}
