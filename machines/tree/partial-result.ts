/** Partial and final results of a tree. */

import type {AnyActorRef, AnyMachineSnapshot} from 'xstate';

import type {FormOutput, FormParts, Placed} from '../domain/result.ts';
import {
  decisionsIn,
  denialsIn,
  netChanges,
  type Recorded,
  roundsIn,
  withRefusals,
} from '../facts/fact.ts';
import {factsUnder, dialogueAround} from '../facts/record.ts';
import {formPartialResult, formView} from '../forms/forms.ts';
import type {InterviewView} from '../questionnaire/answers.ts';
import type {InteractionContext, InteractionInput} from './children.ts';
import {interactionEnd, type InteractionNode, interactionsIn} from './interaction-tree.ts';
import {unreadIn} from './messages.ts';
import {interactionActor, interactionIn, underRoot} from './path.ts';

/** The partial result of an active tree, by its root actor: all members of the result except the end. Empty without a root. */
export function partialResult(root: AnyActorRef | undefined): FormParts {
  const interaction = root && topOf(root);
  return root && interaction ? withRecord(partialOfForm(interaction), root) : {};
}

/** The current interactions of the tree of a root actor, the root first; only the root before there is an actor. */
export function interactionsOf(
  root: AnyActorRef | undefined,
  own: InteractionInput,
): readonly InteractionNode[] {
  return interactionsIn(own, root ? dialogueAround(root) : []);
}

/**
 * The current state of an interview in the tree of a root actor; undefined for another form or an ended interaction. The root of
 * `id` has any name, by which the answers name their interview.
 */
export function interviewAt(root: AnyActorRef | undefined, id: string): InterviewView | undefined {
  const interaction = root && interactionAt(topOf(root), underRoot(id, rootInput(root).id));
  const {children, context}: Partial<AnyMachineSnapshot> = interaction?.getSnapshot() ?? {};
  const {form: name}: Partial<InteractionContext> = context ?? {};
  const form: AnyActorRef | undefined = children?.['form'];
  const view = form && name && formView(name, form);
  return view ? {...view, answers: {...view.answers, submission: id}} : undefined;
}

/** The actor of an interaction: the given one or one below it. */
function interactionAt(actor: AnyActorRef | undefined, id: string): AnyActorRef | undefined {
  const {children, context}: Partial<AnyMachineSnapshot> = actor?.getSnapshot() ?? {};
  const {id: own = '', running = []}: Partial<InteractionContext> = context ?? {};
  if (own === id) return actor;
  const next = running.find((child) => id === child.id || id.startsWith(`${child.id}.`));
  return next && interactionAt(children?.[interactionActor(next.id)], id);
}

function topOf(root: AnyActorRef): AnyActorRef | undefined {
  const {children}: AnyMachineSnapshot = root.getSnapshot();
  return children['interaction'];
}

function rootInput(root: AnyActorRef): InteractionInput {
  const {context}: {readonly context: {readonly root: InteractionInput}} = root.getSnapshot();
  return context.root;
}

function partialOfForm(interaction: AnyActorRef): FormParts {
  const {children, context}: AnyMachineSnapshot = interaction.getSnapshot();
  const {form: name}: InteractionContext = context;
  const form: AnyActorRef | undefined = children['form'];
  return form ? formPartialResult(name, form) : {};
}

/** The parts that a form reports, completed by facts of the whole tree. */
export function withRecord<Parts extends FormParts>(
  parts: Parts,
  root: AnyActorRef,
): Parts & Pick<FormParts, 'changes' | 'reviews' | 'denied' | 'decisions' | 'interactions'> {
  const facts = factsUnder(root);
  const own = rootInput(root);
  const [reviews, denied, decisions] = [
    placed(facts, own.id, roundsIn),
    placed(facts, own.id, denialsIn),
    placed(withRefusals(facts), own.id, decisionsIn),
  ];
  const [, ...below] = interactionsOf(root, own);
  return {
    ...withChanges(parts, facts),
    ...(parts.reviews || reviews.length > 0 ? {reviews} : {}),
    ...(parts.denied || denied.length > 0 ? {denied} : {}),
    ...(decisions.length > 0 ? {decisions} : {}),
    ...(below.length > 0 ? {interactions: below.map(interactionEnd)} : {}),
  };
}

/** Items computed from facts, each with the interaction that reported the fact. */
function placed<Item extends object>(
  facts: readonly Recorded[],
  root: string,
  read: (facts: readonly Recorded[]) => readonly Item[],
): Placed<Item>[] {
  return facts.flatMap((fact) => {
    const interaction = interactionIn(fact.path, root);
    const items = read([fact]);
    return interaction === root
      ? items
      : items.map((each) => Object.assign({}, each, {interaction}));
  });
}

/** The result of an interaction, with the changes of all interactions below it and its unread messages. */
export function completeResult(result: FormOutput, interaction: AnyActorRef): FormOutput {
  const unheard = unreadIn(interaction);
  const whole = withChanges(result, factsUnder(interaction));
  return unheard.length === 0 ? whole : {...whole, unheard};
}

/** Adds the files that were changed. */
function withChanges<Parts extends FormParts>(
  parts: Parts,
  facts: readonly Recorded[],
): Parts & Pick<FormParts, 'changes'> {
  const changes = netChanges(facts);
  return parts.changes || changes.length > 0 ? {...parts, changes} : parts;
}
