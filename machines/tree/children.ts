/** The children of an interaction: their inputs, their addresses, and the facts about them. */

import {type AnyEventObject, fromCallback} from 'xstate';

import {
  type ContextMode,
  defaultContextMode,
  formTraits,
  type InteractionForm,
  isSpawnable,
  type SpawnableForm,
} from '../domain/interaction-form.ts';
import {toContextInjection, toInteractionResult} from '../domain/interaction-result.ts';
import type {Plan} from '../domain/plan.ts';
import type {FormOutput} from '../domain/result.ts';
import type {Settings} from '../domain/settings.ts';
import type {Fact, RecordedDialogue} from '../facts/fact.ts';
import {dialogueAround} from '../facts/record.ts';
import {inheritedFor, type Shared} from '../prompts/inherited.ts';
import type {
  FormInput,
  InteractionCancel,
  InteractionSpawn,
  Spawner,
  SpawnError,
  UserSaid,
} from './form-event.ts';
import {maxDepth, parentNotFound, parentSettled, spawnFaultAt} from './interaction-tree.ts';
import {interactionOf, parentOf, pathOf} from './path.ts';
import {type TriggerCounts, withoutRules} from './rules.ts';

export interface InteractionInput extends Omit<FormInput, 'interaction' | 'given'> {
  readonly id: string;
  readonly form: InteractionForm;
  readonly contextMode: ContextMode;
  /** The interaction that spawned this one; absent for a root. */
  readonly parent?: string;
  readonly depth: number;
  /** For an agent: its first plan, instead of a model's. */
  readonly plan?: Plan;
}

/** The input of a child. */
interface ChildInput extends InteractionInput {
  readonly form: SpawnableForm;
  readonly parent: string;
}

export interface InteractionContext extends InteractionInput {
  /** The number of all children spawned up to now. */
  readonly spawned: number;
  /** Children that have not ended. */
  readonly running: readonly Child[];
  /** Counts of the events that rules may name. */
  readonly triggers: TriggerCounts;
  readonly result: FormOutput;
}

type Child = Pick<ChildInput, 'id' | 'form'>;

/** The input of the interaction's form. */
export function formInput(context: InteractionContext) {
  const {id, form, request, workspace, inherited, asked, above, attachments} = context;
  const {contextFiles, plan, questionnaire, respondent} = context;
  return {
    name: form,
    interaction: id,
    request,
    workspace,
    settings: settingsAt(context),
    ...(inherited === undefined ? {} : {inherited}),
    ...(asked === undefined ? {} : {asked}),
    ...(above === undefined ? {} : {above}),
    ...(attachments ? {attachments} : {}),
    ...(contextFiles ? {contextFiles} : {}),
    ...(plan ? {given: plan} : {}),
    ...diffOf(context),
    ...(questionnaire ? {questionnaire} : {}),
    ...(respondent ? {respondent} : {}),
  };
}

function diffOf({diff, allowUnread}: InteractionContext) {
  return {...(diff ? {diff} : {}), ...(allowUnread ? {allowUnread} : {})};
}

/** At the maximum depth, without the tools that spawn. */
function settingsAt({depth, settings}: InteractionContext): Settings {
  if (depth < maxDepth) return settings;
  return {...settings, tools: settings.tools.filter(({spawns}) => spawns === undefined)};
}

/** An event for one interaction of a tree. */
export type Addressed = InteractionSpawn | InteractionCancel | UserSaid;

/** The id of the addressed interaction; undefined for the root. */
export function addressOf(event: Addressed): string | undefined {
  return event.type === 'interaction.spawn' ? event.parent : event.interaction;
}

/** The child that is the addressed interaction or contains it; undefined when none does. */
export function childToward(
  {running}: Pick<InteractionContext, 'running'>,
  event: Addressed,
): Child | undefined {
  const address = addressOf(event);
  return running.find(({id}) => id === address || address?.startsWith(`${id}.`));
}

/** The id of the child with this number. */
export function childId(parent: string, number: number): string {
  return `${parent}.${number}`;
}

/** `shared` is the context from its parent. Throws Error for a form that can't be spawned: see {@link refusalOf}. */
export function childInput(
  {
    id: parent,
    depth,
    workspace,
    settings,
    spawned,
    asked,
    request,
    contextFiles,
  }: InteractionContext,
  {form, request: wanted, by, contextMode = defaultContextMode(form)}: InteractionSpawn,
  shared: Shared,
): ChildInput {
  if (!isSpawnable(form)) throw new Error(`${form} can't be spawned`);
  const id = childId(parent, spawned + 1);
  const above = asked ?? request;
  const inherited = inheritedFor(contextMode, sharedWith(form, shared), settings.context);
  const input = {
    id,
    form,
    contextMode,
    parent,
    depth: depth + 1,
    request: wanted,
    above,
    workspace,
    settings: by === 'rule' ? withoutRules(settings) : settings,
    ...(inherited === undefined ? {} : {inherited}),
    ...(contextFiles ? {contextFiles} : {}),
  };
  return by === 'model' ? {...input, asked: above} : input;
}

/** Without the survey for a form that surveys the workspace itself. */
function sharedWith(form: SpawnableForm, {from, parts}: Shared): Shared {
  const surveys = formTraits[form].surveys;
  return {from, parts: parts.filter(({isSurvey}) => !surveys || isSurvey !== true)};
}

/** The reason why an active interaction refuses a spawn; undefined when it accepts it. */
export function refusalOf(
  context: InteractionContext,
  spawn: InteractionSpawn,
): SpawnError | undefined {
  const address = spawn.parent ?? context.id;
  if (address !== context.id) return absence(context, address);
  const message = 'the run works in no folder, and starts no other interactions';
  if (context.workspace === '') return {code: 'formNotSpawnable', message};
  return spawnFaultAt(context, spawn.form);
}

/** The reason why no interaction receives an event for this address. */
export function absence({id, spawned}: InteractionContext, address: string): SpawnError {
  const [number = ''] = address.slice(id.length + 1).split('.');
  const wasThere = address.startsWith(`${id}.`) && Number(number) >= 1 && Number(number) <= spawned;
  return address === id || wasThere ? parentSettled(address) : parentNotFound(address);
}

/** The child whose actor has ended. */
export function endedChild(
  {running}: Pick<InteractionContext, 'running'>,
  actorId: string,
): Child | undefined {
  return running.find(({id}) => actorId.endsWith(`:${id}`));
}

export function spawnedFact(
  {id: child, form, contextMode, depth, request, parent}: ChildInput,
  {by, isAwaited = false, ref}: InteractionSpawn,
): Fact {
  return {
    type: 'interaction.spawned',
    child,
    form,
    parent,
    depth,
    contextMode,
    by,
    request,
    detail: ref === undefined ? {isAwaited} : {isAwaited, ref},
  };
}

export function settledFact({id: child, form}: Child, result: FormOutput): Fact {
  const {status, summary} = result;
  const text = toContextInjection(toInteractionResult(form, result));
  return {type: 'interaction.settled', status, summary, child, text, detail: {result}};
}

// Spawns an interaction below the actor's own when it is invoked. Its parent receives `child.refused`, or `child.spawned`
// and, if it waits, `child.settled`. If the actor is stopped while it waits, or its parent crashes, it cancels the child.

export interface SpawnOrder {
  readonly form: SpawnableForm;
  readonly request: string;
  readonly by: Spawner;
  readonly isAwaited: boolean;
  /** Absent: the form's default. */
  readonly contextMode?: ContextMode;
}

export type ChildEvent =
  | {readonly type: 'child.refused'; readonly error: SpawnError}
  | {readonly type: 'child.spawned'; readonly id: string}
  | {
      readonly type: 'child.settled';
      readonly id: string;
      readonly result: FormOutput;
      /** The result as its parent reads it. */
      readonly text: string;
    };

export const spawnBelow = fromCallback<AnyEventObject, SpawnOrder>(({sendBack, self, input}) => {
  const interaction = interactionOf(self);
  const send = (event: ChildEvent): void => sendBack(event);
  if (!interaction) {
    send({type: 'child.refused', error: parentNotFound('above')});
    return undefined;
  }
  const ref = pathOf(self);
  let seen = dialogueAround(self).length;
  let child = '';
  let isOver = false;
  const receive = (fact: RecordedDialogue): void => {
    const event = isOver ? undefined : eventFor(fact, {ref, child, form: input.form});
    if (!event) return;
    if (event.type === 'child.spawned') child = event.id;
    isOver = event.type !== 'child.spawned' || !input.isAwaited;
    send(event);
  };
  // Events are sent after the interaction's step: XState warns if a machine starts within an action of another.
  const listening = interaction.subscribe({
    next: () => {
      const dialogue = dialogueAround(self);
      const added = dialogue.slice(seen);
      seen = dialogue.length;
      for (const fact of added) receive(fact);
    },
    error: () => {},
  });
  const leave = (): void => {
    if (isOver || child === '') return;
    isOver = true;
    interaction.send({
      type: 'interaction.cancel',
      interaction: child,
    } satisfies InteractionCancel);
  };
  const crash = parentOf(self)?.subscribe({error: leave});
  interaction.send({type: 'interaction.spawn', ...input, ref} satisfies InteractionSpawn);
  return () => {
    listening.unsubscribe();
    crash?.unsubscribe();
    leave();
  };
});

/** The event for the parent of a fact about its child; undefined for other facts. */
function eventFor(
  fact: RecordedDialogue,
  {ref, child, form}: {ref: string; child: string; form: SpawnableForm},
): ChildEvent | undefined {
  if (fact.type === 'interaction.spawned' && fact.detail.ref === ref)
    return {type: 'child.spawned', id: fact.child};
  if (fact.type === 'interaction.refused' && fact.detail.ref === ref)
    return {type: 'child.refused', error: fact.error};
  if (fact.type !== 'interaction.settled' || fact.child !== child) return undefined;
  const {result} = fact.detail;
  const text = toContextInjection(toInteractionResult(form, result));
  return {type: 'child.settled', id: child, result, text};
}
