/** What every form's machine shares with the interaction that runs it. */

import type {InteractionForm} from '../domain/interaction-form.ts';
import type {ContextMode} from '../domain/interaction-form.ts';
import type {FileDiff} from '../domain/patch.ts';
import type {Plan} from '../domain/plan.ts';
import type {HilMode, Settings, SettingsChange} from '../domain/settings.ts';
import type {Attachment} from '../prompts/attachment.ts';
import type {Respondent} from '../questionnaire/answers.ts';
import type {Questionnaire} from '../questionnaire/questionnaire.ts';

/** What a form may be given: each names what it reads of it, and by which parts of the settings it goes. */
export interface FormInput<Part extends keyof Settings = keyof Settings> {
  /** The id of its interaction; absent for a form that runs alone. */
  readonly interaction?: string;
  readonly request: string;
  /** Absolute path, links resolved. */
  readonly workspace: string;
  readonly settings: Pick<Settings, Part>;
  /** What a person asked for, where a model worded the request. */
  readonly asked?: string;
  /** The request of the interaction above; absent for a root. */
  readonly above?: string;
  readonly attachments?: readonly Attachment[];
  /** What those above it, or before it, let it know, by context mode: data, never an instruction. Absent: nothing. */
  readonly inherited?: string;
  /** Of an agent: its first plan, in place of a model's. */
  readonly given?: Plan;
  /** Of a review: what is reviewed. */
  readonly diff?: readonly FileDiff[];
  /** Of an interview: the form; absent, the request names it. */
  readonly questionnaire?: Questionnaire;
  /** Of an interview: what is known of whom it talks with. */
  readonly respondent?: Respondent;
}

/** What a form hears from its interaction. */
export type FormEvent = {readonly type: 'user.cancel'} | SettingsChanged | FormChanged;

/** The form that an interview fills is not the one any more that it was opened with. */
export interface FormChanged {
  readonly type: 'form.changed';
  readonly questionnaire: Questionnaire;
}

/** A person has changed settings in mid-run. */
export interface SettingsChanged {
  readonly type: 'settings.changed';
  readonly settings?: SettingsChange;
  /** As earlier versions told a change of the mode alone. */
  readonly hilMode?: HilMode;
}

/** Who wants an interaction below another: a person, a model by a tool, a rule of the configuration. */
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
  /** Whoever asks waits for what it comes to: it is not told to the one above besides. */
  readonly isAwaited?: boolean;
  /** By which whoever asks knows it again. */
  readonly ref?: string;
}

/** Cancels an interaction, and all below it. */
export interface InteractionCancel {
  readonly type: 'interaction.cancel';
  readonly interaction: string;
}

/** A person's words to an interaction, or to the root: told at its next turn. */
export interface UserSaid {
  readonly type: 'user.said';
  readonly text: string;
  readonly interaction?: string;
}

/** Why there is no such interaction. */
export interface SpawnError {
  readonly code: 'maxDepthExceeded' | 'parentNotFound' | 'parentSettled' | 'formNotSpawnable';
  readonly message: string;
}
