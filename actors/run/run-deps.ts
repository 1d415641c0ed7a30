/** The parts of a runtime that one run uses. */

import type {JsonObject} from '../../machines/domain/json.ts';
import type {Settings} from '../../machines/domain/settings.ts';
import type {ConfigInput} from '../config/schema.ts';
import type {Inspector} from '../engine/actor-tree.ts';
import type {Journal} from '../journal/journal.ts';
import type {Price} from '../model/model.ts';
import type {Performers} from '../performers/performers.ts';
import type {Tooling} from '../performers/tooling.ts';
import type {WorkspaceLocks} from '../performers/workspace-locks.ts';
import type {RunRedactor} from '../secrets/redact.ts';
import type {OpenedInput} from './run-input.ts';

export interface RunDeps {
  readonly journal: Journal;
  /** Performers for the tooling that the run was opened with; undefined for a run that an older version opened. */
  readonly performersFor: (tooling: Tooling | undefined) => Performers;
  readonly locks: WorkspaceLocks;
  readonly redactor: RunRedactor;
  readonly priceOf: (model: string) => Price | undefined;
  /** The event that changes the settings `now` of a run of this form. Throws AppError `usage`, `config` or `credentials`. */
  readonly settingsEvent: (
    settings: ConfigInput,
    form: OpenedInput['form'],
    now: Settings,
  ) => JsonObject;
  readonly inspect?: Inspector | undefined;
}
