/** Inputs and events between an interaction and the machine of its form. */

import type {AnyActorRef, AnyMachineSnapshot, MachineContext} from 'xstate';

import type {ContextMode, InteractionForm} from '../domain/interaction-form.ts';
import type {FileDiff} from '../domain/patch.ts';
import type {Plan} from '../domain/plan.ts';
import type {HilMode, Settings, SettingsChange} from '../domain/settings.ts';
import type {Recorded} from '../facts/fact.ts';
import {factsUnder} from '../facts/record.ts';
import type {Attachment, ContextFile} from '../prompts/sections.ts';
import type {KnownRespondent} from '../questionnaire/answers.ts';
import type {Questionnaire} from '../questionnaire/questionnaire.ts';

/** The input of a form. Each form selects the members and the parts of the settings that it uses. */
export interface FormInput<Part extends keyof Settings = keyof Settings> {
  /** The id of its interaction; absent for a form that runs alone. */
  readonly interaction?: string;
  readonly request: string;
  /** Absolute path, links resolved. */
  readonly workspace: string;
  readonly settings: Pick<Settings, Part>;
  /** The person's request, if a model worded `request`. */
  readonly asked?: string;
  /** The request of the parent; absent for a root. */
  readonly above?: string;
  readonly attachments?: readonly Attachment[];
  /** AGENTS.md and the like, in ascending order of precedence. Runs of earlier versions have none. */
  readonly contextFiles?: readonly ContextFile[];
  /** Context from its parents or earlier interactions, by context mode: data, never an instruction. Absent: none. */
  readonly inherited?: string;
  /** For an agent: its first plan, instead of a model's. */
  readonly given?: Plan;
  /** For a review: the diff under review. */
  readonly diff?: readonly FileDiff[];
  /** For a review: a person accepts that a part of the diff is not read. */
  readonly allowUnread?: boolean;
  /** For an interview: the form; absent: the request names it. */
  readonly questionnaire?: Questionnaire;
  /** For an interview: known facts about the respondent. */
  readonly respondent?: KnownRespondent;
}

/** Events that a form receives from its interaction. */
export type FormEvent = {readonly type: 'user.cancel'} | SettingsChanged | FormChanged;

/** The form that an interview fills has changed since the interview was opened. */
export interface FormChanged {
  readonly type: 'form.changed';
  readonly questionnaire: Questionnaire;
}

/** A person has changed settings during the run. */
export interface SettingsChanged {
  readonly type: 'settings.changed';
  readonly settings?: SettingsChange;
  /** The format of earlier versions for a change of only the mode. */
  readonly hilMode?: HilMode;
}

/** The origin of a spawn: a person, a model by a tool, a rule of the configuration. */
export type Spawner = 'person' | 'model' | 'rule';

/** Asks for an interaction below `parent`, or below the root. */
export interface InteractionSpawn {
  readonly type: 'interaction.spawn';
  readonly form: InteractionForm;
  readonly request: string;
  readonly by: Spawner;
  readonly parent?: string;
  /** Absent: the form's default. */
  readonly contextMode?: ContextMode;
  /** The spawner waits for the result, so the result is not also sent to the parent as a message. */
  readonly isAwaited?: boolean;
  /** Identifies the interaction for the spawner. */
  readonly ref?: string;
}

/** Cancels an interaction, and all below it. */
export interface InteractionCancel {
  readonly type: 'interaction.cancel';
  readonly interaction: string;
}

/** A person's message to an interaction, or to the root, which reads it at its next turn. */
export interface UserSaid {
  readonly type: 'user.said';
  readonly text: string;
  readonly interaction?: string;
}

/** The reason of a refused spawn. */
export interface SpawnError {
  readonly code: 'maxDepthExceeded' | 'parentNotFound' | 'parentSettled' | 'formNotSpawnable';
  readonly message: string;
}

// The current state of a form as data, for its partial result and for the context that its children receive.

export interface FormNow<State extends object> {
  readonly state: State;
  /** The state of its chart. */
  readonly at: Pick<AnyMachineSnapshot, 'value' | 'machine'>;
  /** Of the form and of all actors below it. */
  readonly facts: readonly Recorded[];
  /** Contexts of the actors inside it, depth first. */
  readonly inside: readonly MachineContext[];
}

/** Only the context and the state of a form. */
export function formState<State extends object>(
  form: AnyActorRef,
): Pick<FormNow<State>, 'state' | 'at'> {
  const {context, value, machine}: AnyMachineSnapshot = form.getSnapshot();
  return {state: context, at: {value, machine}};
}

/** The current state of a form, by its actor. `State` is the type of its context. */
export function formNow<State extends object>(form: AnyActorRef): FormNow<State> {
  return {
    ...formState<State>(form),
    facts: factsUnder(form),
    inside: contextsInside(form),
  };
}

/** Contexts of the charts inside an actor, depth first. */
export function contextsInside(actor: AnyActorRef): MachineContext[] {
  const {children}: Partial<AnyMachineSnapshot> = actor.getSnapshot();
  return Object.values<AnyActorRef | undefined>(children ?? {}).flatMap((child) => {
    const {context}: Partial<AnyMachineSnapshot> = child?.getSnapshot() ?? {};
    return child && context ? [[context], contextsInside(child)].flat() : [];
  });
}
