/** What every form's machine shares with the interaction that runs it. */

import type {HilMode, SettingsChange} from '../domain/settings.ts';

/** What a form hears from its interaction. */
export type FormEvent = {readonly type: 'user.cancel'} | SettingsChanged;

/** A person has changed settings in mid-run. */
export interface SettingsChanged {
  readonly type: 'settings.changed';
  readonly settings?: SettingsChange;
  /** As earlier versions told a change of the mode alone. */
  readonly hilMode?: HilMode;
}
