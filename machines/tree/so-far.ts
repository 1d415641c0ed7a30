/** What a tree has done, whether it has ended or not. */

import type {AnyActorRef, AnyMachineSnapshot} from 'xstate';

import type {FormParts} from '../domain/result.ts';
import {agentSoFar} from '../forms/agent/outcome.ts';
import {stepsTaken} from '../forms/ask/outcome.ts';
import type {InteractionContext} from './interaction.ts';
import {decisionsIn, denialsIn, factsUnder, type Recorded, roundsIn, stepsIn} from './record.ts';

/** Of the root actor of a tree that is at work: what its result would hold but for its end. Nothing without a root. */
export function soFar(root: AnyActorRef | undefined): FormParts {
  const tree: AnyMachineSnapshot | undefined = root?.getSnapshot();
  const interaction: AnyActorRef | undefined = tree?.children['interaction'];
  return root && interaction ? withRecord(formSoFar(interaction), factsUnder(root)) : {};
}

function formSoFar(interaction: AnyActorRef): FormParts {
  const {children, context}: AnyMachineSnapshot = interaction.getSnapshot();
  const {form: kind}: InteractionContext = context;
  const form: AnyActorRef | undefined = children['form'];
  if (!form) return {};
  const facts = factsUnder(form);
  return kind === 'ask'
    ? stepsTaken(stepsIn(facts))
    : agentSoFar(form.getSnapshot().context, facts);
}

/** A form tells of itself; the tree, of all that happened in it. */
export function withRecord<Parts extends FormParts>(
  parts: Parts,
  facts: readonly Recorded[],
): Parts & Pick<FormParts, 'reviews' | 'denied' | 'decisions'> {
  const [reviews, denied, decisions] = [roundsIn(facts), denialsIn(facts), decisionsIn(facts)];
  return {
    ...parts,
    ...(parts.reviews || reviews.length > 0 ? {reviews} : {}),
    ...(parts.denied || denied.length > 0 ? {denied} : {}),
    ...(decisions.length > 0 ? {decisions} : {}),
  };
}
