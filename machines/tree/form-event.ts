/** What every form's machine shares with the interaction that runs it. */

import type {Attachment} from '../domain/attachment.ts';
import type {FileDiff} from '../domain/patch.ts';
import type {Plan} from '../domain/plan.ts';
import type {HilMode, Settings, SettingsChange} from '../domain/settings.ts';

/** What a form is given. */
export interface FormInput {
  readonly request: string;
  /** Absolute path, links resolved. */
  readonly workspace: string;
  readonly settings: Settings;
  readonly attachments?: readonly Attachment[];
  /** What whoever asks lets it know, by context mode: data, never an instruction. Absent: nothing. */
  readonly inherited?: string;
  /** Of an agent: its first plan, in place of a model's. */
  readonly given?: Plan;
  /** Of a review: what is reviewed. */
  readonly diff?: readonly FileDiff[];
}

/** What a form hears from its interaction. */
export type FormEvent = {readonly type: 'user.cancel'} | SettingsChanged;

/** A person has changed settings in mid-run. */
export interface SettingsChanged {
  readonly type: 'settings.changed';
  readonly settings?: SettingsChange;
  /** As earlier versions told a change of the mode alone. */
  readonly hilMode?: HilMode;
}
