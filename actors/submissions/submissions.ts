/**
 * Forms that are filled by conversation, for a server. Each submission is a run of the form `interview`; it is stored in its
 * journal, and is in memory only while it is used.
 */

import {setTimeout as wait} from 'node:timers/promises';

import {AppError} from '../../machines/domain/app-error.ts';
import type {KnownRespondent} from '../../machines/questionnaire/answers.ts';
import {
  type Questionnaire,
  questionnaireDigest,
} from '../../machines/questionnaire/questionnaire.ts';
import type {Awaitable} from '../journal/journal.ts';
import {createToken, hashToken} from '../journal/node-crypto.ts';
import type {
  NewSubmission,
  Page,
  SubmissionRecord,
  SubmissionRecords,
} from '../journal/submissions.ts';
import type {Run, Runtime} from '../runtime-api.ts';
import {type Awake, createAwake, type Follow, isQuiet, untilQuiet} from './awake.ts';
import {createSpeaking, type Outcome, type Speaking} from './speaking.ts';
import {createReader, type Read, requireRecord, type Standing} from './standing.ts';

export interface SubmissionsOptions {
  readonly runtime: Runtime;
  readonly records: SubmissionRecords;
  /** The current version of a form, by the name under which it is served; undefined when there is none any more. */
  readonly findForm: (name: string) => Promise<Questionnaire | undefined>;
  /** The number of entries of a submission, where other servers work on it, too. Absent: there are none. */
  readonly lengthOf?: ((id: string) => Awaitable<number>) | undefined;
  /** The workspace of the runs. Absolute. */
  readonly workspace: string;
  /** How long a respondent waits for the next question. */
  readonly patienceMs: number;
  /** How long a submission stays in memory when it is not used. */
  readonly idleMs: number;
  /** The largest number of submissions that are used at once. */
  readonly most: number;
}

export interface Opened {
  readonly standing: Standing;
  /** The token of the respondent: returned only once. */
  readonly token: string;
}

/** Operations reject with AppError `not_found` for an unknown submission, `busy` while another process has it. */
export interface Submissions {
  readonly open: (
    name: string,
    form: Questionnaire,
    respondent: KnownRespondent,
  ) => Promise<Opened>;
  readonly read: (id: string) => Promise<Standing>;
  /** As `read`, for followers: the submission is read once after each change for all of them. */
  readonly readFollowed: (id: string) => Promise<Standing>;
  readonly say: Speaking['say'];
  readonly confirm: (id: string) => Promise<Outcome>;
  /** Calls back when the standing may have changed. Returns a function that stops it. */
  readonly follow: Follow;
  /** Removes the submission, its journal and its receipts. */
  readonly erase: (id: string) => Promise<void>;
  readonly list: (form: string, page: Page) => Promise<readonly SubmissionRecord[]>;
  /** Suspends all submissions. */
  readonly close: () => Promise<void>;
}

export function createSubmissions(options: SubmissionsOptions): Submissions {
  const {runtime, records, workspace, patienceMs} = options;
  const board = createBoard(options.lengthOf);
  const onEvent = (id: string) => (): void => board.notify(id);
  const awake = createAwake({
    ...options,
    onRest: (run) => void note(run, records),
    wake: async (id) => {
      const {form} = await requireRecord(id, records);
      const run = await runtime.resume(id, {onEvent: onEvent(id)});
      sendChangedForm(run, await options.findForm(form));
      return run;
    },
  });
  const read = createReader({...options, awake});
  const speaking = createSpeaking({...options, awake, read});
  return {
    read,
    readFollowed: async (id) => await board.shared(id, read),
    ...speaking,
    follow: board.follow,
    list: async (form, page) => await records.list(form, page),
    open: async (name, questionnaire, respondent) => {
      const token = createToken();
      const submission = {form: name, tokenHash: hashToken(token)};
      const run = await begin(questionnaire, {runtime, respondent, workspace, board, submission});
      awake.adopt(run);
      await awake.use(run.id, async () => await untilQuiet(run, patienceMs));
      return {standing: await read(run.id), token};
    },
    erase: async (id) => {
      await requireRecord(id, records);
      await eraseRun(id, runtime, awake);
      board.notify(id);
    },
    close: awake.close,
  };
}

interface Beginning {
  readonly runtime: Runtime;
  readonly respondent: KnownRespondent;
  readonly workspace: string;
  readonly board: Board;
  readonly submission: NewSubmission;
}

async function begin(
  questionnaire: Questionnaire,
  {runtime, respondent, workspace, board, submission}: Beginning,
): Promise<Run> {
  const run: Run = runtime.start({
    form: 'interview',
    request: questionnaire.title,
    questionnaire,
    respondent,
    workspace,
    submission,
    onEvent: ({interaction}) => board.notify(interaction),
  });
  await run.opened;
  return run;
}

/** Ignores a run that is gone: another process, or an erase that was interrupted, may have removed it. */
async function eraseRun(id: string, runtime: Runtime, awake: Awake): Promise<void> {
  await awake.rest(id);
  try {
    await runtime.erase(id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
  }
}

/** A woken run continues with the current version of its form. */
function sendChangedForm(run: Run, form: Questionnaire | undefined): void {
  const filled = run.interview()?.questionnaire;
  if (!form || !filled || questionnaireDigest(form) === questionnaireDigest(filled)) return;
  run.send({type: 'form.changed', questionnaire: form});
}

async function note(run: Run, records: SubmissionRecords): Promise<void> {
  const state = run.interview()?.state;
  if (state !== undefined && isQuiet(run))
    await records.update(run.id, {state, updatedAt: Date.now()});
}

interface Board {
  readonly notify: (id: string) => void;
  /** The standing since the last change; read by `read` for the first that asks. */
  readonly shared: (id: string, read: Read) => Promise<Standing>;
  readonly follow: Follow;
}

/** How often a followed submission is looked at, for changes by other servers. */
const lookMs = 500;

function createBoard(lengthOf: SubmissionsOptions['lengthOf']): Board {
  const listeners = new Map<string, Set<() => void>>();
  const standings = new Map<string, Promise<Standing>>();
  const notify = (id: string): void => {
    standings.delete(id);
    for (const listener of listeners.get(id) ?? []) listener();
  };
  /** Until nobody follows the submission any more. */
  const look = async (id: string, known: number): Promise<void> => {
    await wait(lookMs, undefined, {ref: false});
    if (!listeners.has(id)) return;
    const length = await lengthAt(id, known);
    if (length !== known) notify(id);
    void look(id, length);
  };
  /** Of a journal that can't be reached, as before. */
  const lengthAt = async (id: string, known: number): Promise<number> => {
    try {
      return (await lengthOf?.(id)) ?? known;
    } catch {
      return known;
    }
  };
  return {
    notify,
    shared: async (id, read) => {
      const known = standings.get(id);
      if (known) return await known;
      const standing = read(id);
      if (listeners.has(id)) standings.set(id, standing);
      return await standing;
    },
    follow: (id, onChange) => {
      const ofId = listeners.get(id) ?? new Set();
      if (lengthOf && !listeners.has(id)) void look(id, 0);
      listeners.set(id, ofId.add(onChange));
      return () => {
        ofId.delete(onChange);
        if (ofId.size > 0 || listeners.get(id) !== ofId) return;
        listeners.delete(id);
        standings.delete(id);
      };
    },
  };
}
