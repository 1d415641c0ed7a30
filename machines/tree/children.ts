/** The children of an interaction: their inputs, their addresses, and the facts about them. */

import type {InteractionForm} from '../domain/interaction-form.ts';
import {
  defaultContextMode,
  formTraits,
  isSpawnable,
  type SpawnableForm,
} from '../domain/interaction-form.ts';
import type {ContextMode} from '../domain/interaction-form.ts';
import {toContextInjection, toInteractionResult} from '../domain/interaction-result.ts';
import type {Plan} from '../domain/plan.ts';
import type {FormOutput} from '../domain/result.ts';
import type {Settings} from '../domain/settings.ts';
import type {Fact} from '../facts/fact.ts';
import {inheritedFor, type Shared} from '../prompts/inherited.ts';
import type {
  FormInput,
  InteractionCancel,
  InteractionSpawn,
  SpawnError,
  UserSaid,
} from './form-event.ts';
import {maxDepth, parentNotFound, parentSettled, spawnFaultAt} from './interaction-tree.ts';
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
  return address === context.id ? spawnFaultAt(context, spawn.form) : absence(context, address);
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
