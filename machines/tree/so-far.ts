/** What a tree has done, whether it has ended or not. */

import type {AnyActorRef, AnyMachineSnapshot} from 'xstate';

import type {FormParts} from '../domain/result.ts';
import {formSoFar} from '../forms/forms.ts';
import type {InteractionContext} from './interaction.ts';
import {decisionsIn, denialsIn, factsUnder, type Recorded, roundsIn} from './record.ts';

/** Of the root actor of a tree that is at work: what its result would hold but for its end. Nothing without a root. */
export function soFar(root: AnyActorRef | undefined): FormParts {
  const tree: AnyMachineSnapshot | undefined = root?.getSnapshot();
  const interaction: AnyActorRef | undefined = tree?.children['interaction'];
  return root && interaction ? withRecord(soFarIn(interaction), factsUnder(root)) : {};
}

function soFarIn(interaction: AnyActorRef): FormParts {
  const {children, context}: AnyMachineSnapshot = interaction.getSnapshot();
  const {form: name}: InteractionContext = context;
  const form: AnyActorRef | undefined = children['form'];
  return form ? formSoFar(name, form) : {};
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
