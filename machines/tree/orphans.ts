/** Interactions that stood below one that crashed: whoever runs the charts stops them with it. */

import type {AnyActorRef} from 'xstate';

import type {FormOutput} from '../domain/result.ts';
import {dialogueAround, tellRecord} from '../facts/record.ts';
import {performerOf} from '../ports.ts';
import {settledReport} from './children.ts';

const message = 'an interaction above it crashed';

const lost: FormOutput = {status: 'error', summary: message, error: {code: 'orphaned', message}};

/** Tells of those below an interaction which has ended that they ended with it, the last spawned first. */
export function tellLost(self: AnyActorRef, above: string): void {
  const dialogue = dialogueAround(self);
  const settled = new Set(
    dialogue.flatMap((told) => (told.type === 'interaction.settled' ? [told.id] : [])),
  );
  for (const told of dialogue.toReversed()) {
    if (told.type !== 'interaction.spawned' || settled.has(told.id)) continue;
    if (!told.id.startsWith(`${above}.`)) continue;
    tellRecord(self, {type: 'interaction.settled', id: told.id, result: lost});
    performerOf(self.system).report(settledReport(told, lost), self);
  }
}
