/** What a tree has done, whether it has ended or not. */

import type {AnyActorRef, AnyMachineSnapshot} from 'xstate';

import type {FormOutput, FormParts, Placed} from '../domain/result.ts';
import type {Recorded} from '../facts/fact.ts';
import {roundsIn, denialsIn, netChanges, decisionsIn, withRefusals} from '../facts/folds.ts';
import {factsUnder, dialogueAround} from '../facts/record.ts';
import {formSoFar, formView} from '../forms/forms.ts';
import type {InterviewView} from '../questionnaire/answers.ts';
import type {InteractionContext, InteractionInput} from './children.ts';
import {endOf, type InteractionNode, interactionsIn} from './interaction-tree.ts';
import {unheardIn} from './news.ts';
import {interactionActor, interactionIn} from './path.ts';

/** Of the root actor of a tree that is at work: what its result would hold but for its end. Nothing without a root. */
export function soFar(root: AnyActorRef | undefined): FormParts {
  const interaction = root && topOf(root);
  return root && interaction ? withRecord(soFarIn(interaction), root) : {};
}

/** The interactions of the tree of a root actor as they are now, the root's first: it alone before there is an actor. */
export function interactionsOf(
  root: AnyActorRef | undefined,
  own: InteractionInput,
): readonly InteractionNode[] {
  return interactionsIn(own, root ? dialogueAround(root) : []);
}

/** An interview of the tree of a root actor as it stands; undefined for what is none, or is none any more. */
export function interviewAt(root: AnyActorRef | undefined, id: string): InterviewView | undefined {
  const interaction = root && interactionAt(topOf(root), id);
  const {children, context}: Partial<AnyMachineSnapshot> = interaction?.getSnapshot() ?? {};
  const {form: name}: Partial<InteractionContext> = context ?? {};
  const form: AnyActorRef | undefined = children?.['form'];
  return form && name ? formView(name, form) : undefined;
}

/** The actor of an interaction, at or below another's. */
function interactionAt(actor: AnyActorRef | undefined, id: string): AnyActorRef | undefined {
  const {children, context}: Partial<AnyMachineSnapshot> = actor?.getSnapshot() ?? {};
  const {id: own = '', running = []}: Partial<InteractionContext> = context ?? {};
  if (own === id) return actor;
  const way = running.find((child) => id === child.id || id.startsWith(`${child.id}.`));
  return way && interactionAt(children?.[interactionActor(way.id)], id);
}

function topOf(root: AnyActorRef): AnyActorRef | undefined {
  return treeOf(root).children['interaction'];
}

function treeOf(root: AnyActorRef): AnyMachineSnapshot {
  return root.getSnapshot();
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
  root: AnyActorRef,
): Parts & Pick<FormParts, 'changes' | 'reviews' | 'denied' | 'decisions' | 'interactions'> {
  const facts = factsUnder(root);
  const [reviews, denied, decisions] = [
    placed(facts, roundsIn),
    placed(facts, denialsIn),
    placed(withRefusals(facts), decisionsIn),
  ];
  const {root: own}: {readonly root: InteractionInput} = treeOf(root).context;
  const [, ...below] = interactionsOf(root, own);
  return {
    ...withChanges(parts, facts),
    ...(parts.reviews || reviews.length > 0 ? {reviews} : {}),
    ...(parts.denied || denied.length > 0 ? {denied} : {}),
    ...(decisions.length > 0 ? {decisions} : {}),
    ...(below.length > 0 ? {interactions: below.map(endOf)} : {}),
  };
}

/** What is read from facts, each with where in the tree it was told. */
function placed<Told extends object>(
  facts: readonly Recorded[],
  read: (facts: readonly Recorded[]) => readonly Told[],
): Placed<Told>[] {
  return facts.flatMap((fact) => {
    const interaction = interactionIn(fact.path, '');
    const told = read([fact]);
    return interaction === '' ? told : told.map((each) => Object.assign({}, each, {interaction}));
  });
}

/** What an interaction comes to, with what those below it changed, and what it did not hear. */
export function endOfInteraction(result: FormOutput, interaction: AnyActorRef): FormOutput {
  const unheard = unheardIn(interaction);
  const whole = withChanges(result, factsUnder(interaction));
  return unheard.length === 0 ? whole : {...whole, unheard};
}

/** Files that anybody changed. */
function withChanges<Parts extends FormParts>(
  parts: Parts,
  facts: readonly Recorded[],
): Parts & Pick<FormParts, 'changes'> {
  const changes = netChanges(facts);
  return parts.changes || changes.length > 0 ? {...parts, changes} : parts;
}
