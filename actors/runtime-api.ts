/** The public API of a runtime, for the launcher and for every other program. */

import type {Failure} from '../machines/domain/failure.ts';
import type {HumanDecision, HumanQuestion} from '../machines/domain/human.ts';
import type {ContextMode} from '../machines/domain/interaction-form.ts';
import type {FileDiff} from '../machines/domain/patch.ts';
import type {RunResult} from '../machines/domain/result.ts';
import type {HilMode} from '../machines/domain/settings.ts';
import type {ProgressEvent} from '../machines/facts/progress.ts';
import type {Attachment} from '../machines/prompts/sections.ts';
import type {InterviewView, OpenAsk, KnownRespondent} from '../machines/questionnaire/answers.ts';
import type {Questionnaire} from '../machines/questionnaire/questionnaire.ts';
import type {InteractionNode} from '../machines/tree/interaction-tree.ts';
import type {RunForm} from './config/resolve.ts';
import type {ConfigInput} from './config/schema.ts';
import type {Position} from './engine/actor-tree.ts';
import type {History} from './history/history-api.ts';
import type {Inspection} from './inspect/inspection-api.ts';
import type {Entry, InteractionRow, Salvaged} from './journal/journal.ts';
import type {NewSubmission} from './journal/submissions.ts';
import type {Measuring} from './metrics/measuring.ts';
import type {Retention} from './sessions/prune.ts';
import type {UndoOptions, UndoReport} from './undo/undo-steps.ts';
import type {Verification, VerifyOptions} from './verify/exported-run.ts';

export interface StartOptions extends GivenOptions {
  /** A `command` runs unchanged and without a vote: starting it counts as approval. */
  readonly form: RunForm;
  /** The task, question or topic; for a command, the command line. */
  readonly request: string;
  /** Context from earlier work, quoted to its models as data. Absent: the context from its session. */
  readonly inherited?: string;
  /** For an agent: the first plan, in the shape of a result's plan. It is reviewed like any other plan. */
  readonly plan?: unknown;
  /** For a review: the diff, as returned by `readPatch`. */
  readonly diff?: readonly FileDiff[];
  /** For a review: binary files, and lock files that no policy has read, do not keep it from being approved. */
  readonly allowUnread?: boolean;
  /**
   * For an interview: the form to fill. Absent: the file in the workspace that the request names; a request that names no
   * file becomes a form with one required text field.
   */
  readonly questionnaire?: Questionnaire;
  /** For an interview that a server conducts: recorded with the opening, in one transaction. */
  readonly submission?: NewSubmission;
  /** For an interview: known facts about the person. Known answers are not asked for. */
  readonly respondent?: KnownRespondent;
}

export interface GivenOptions extends PlaceOptions {
  /**
   * The id of the session that the run joins: 1 to 64 letters, digits, `-` or `_`; the id of an earlier run is also allowed.
   * Absent: the run has its own session, named by the id of the run.
   */
  readonly session?: string;
  /** How much context it receives from the earlier runs of its session. Absent: the default of its form. */
  readonly contextMode?: ContextMode;
  /**
   * Texts that belong to the request, quoted to the models as data. When together they exceed
   * `context.max_attached_bytes`, they are cut in the middle, with a warning.
   */
  readonly attachments?: readonly Attachment[];
  /**
   * Settings that override the configuration of the runtime for this run. Models named here must be usable. Providers, prices,
   * secrets and the sandbox belong to the runtime and cannot be set here.
   */
  readonly settings?: ConfigInput;
}

export interface PlaceOptions extends ListenOptions {
  /**
   * Absolute or relative to the current folder. Must exist. Absent: the current folder. `null`, of a question: none. It is
   * then answered on any host of a shared journal, without other interactions, with tools that state that they reach `nothing` or the
   * `network`.
   */
  readonly workspace?: string | null;
}

export interface ListenOptions {
  /** Receives every progress event as it happens. An error that it throws is an uncaught exception; the run continues. */
  readonly onEvent?: (event: ProgressEvent) => void;
  /** The run is cancelled when this signal is aborted. */
  readonly signal?: AbortSignal;
}

export interface ResumeWith extends ListenOptions {
  /**
   * Settings to change, in the shape of the configuration: models, panel, rule, mode and limits. `resume` rejects with AppError
   * `usage` for a setting that cannot change, `config` or `credentials` for an invalid value.
   */
  readonly settings?: ConfigInput;
  /**
   * Called with the entries of the run after this process has become its owner, before the run continues. If it rejects,
   * `resume` rejects with the same error and leaves the run unchanged.
   */
  readonly prepare?: (entries: readonly Entry[]) => Promise<void>;
  /**
   * The folder of the run, if it was moved. `resume` rejects with AppError `usage` for another folder while the recorded one
   * exists.
   */
  readonly workspace?: string;
}

export type {UndoOptions, UndoReport};

export type RunEvent =
  /**
   * `gate` is optional when exactly one gate is open. `digest` is a prefix of the SHA-256 of the question; a decision whose
   * digest does not match is refused.
   */
  | ({
      readonly type: 'human.decided';
      readonly gate?: string;
      readonly digest?: string;
    } & HumanDecision)
  /** Ends the run with the status `cancelled`. */
  | {readonly type: 'user.cancel'}
  /** Spawns an interaction below `parent`, by default below the root. */
  | {
      readonly type: 'interaction.spawn';
      /** `agent`, `ask`, `discuss` (also called `council`) or `interview`. */
      readonly form: string;
      readonly request: string;
      readonly parent?: string;
      /** Absent: the form's default. */
      readonly contextMode?: ContextMode;
    }
  /** Cancels an interaction and all of its descendants. */
  | {readonly type: 'interaction.cancel'; readonly interaction: string}
  /**
   * A message from a person to an interaction, by default to the root: its models receive it at their next turn. For an
   * interview, it is the answer to the open question.
   */
  | {readonly type: 'user.said'; readonly text: string; readonly interaction?: string}
  /** A reply to a question of an interview. `ask` is optional when exactly one question is open. */
  | {
      readonly type: 'person.replied';
      readonly text: string;
      readonly ask?: string;
      /** Answers this field, even if another field was asked about. */
      readonly field?: string;
    }
  /** Requests the question about a field, again or out of turn. */
  | {readonly type: 'person.replied'; readonly field: string; readonly ask?: string}
  /** Submits the answers of an interview that has presented them for confirmation. */
  | {readonly type: 'person.replied'; readonly confirms: true; readonly ask?: string}
  /** Replaces the form that the root, an interview, fills by another version. */
  | {readonly type: 'form.changed'; readonly questionnaire: Questionnaire}
  /** Takes effect at the next round. Limits, and the mode at an open human gate, take effect at once. */
  | {readonly type: 'settings.changed'; readonly settings: ConfigInput}
  | {readonly type: 'settings.changed'; readonly hilMode: HilMode};

/** Why a run is left. */
export type LeaveReason = 'waiting' | 'interrupted' | 'handedOver';

export interface Run {
  readonly id: string;
  /** Resolves when the first entry of this process is durable. Rejects when that fails; `result` then reports it too. */
  readonly opened: Promise<void>;
  /**
   * The progress events; ends after the `result`. Any number of readers may iterate: each starts with the events so far (the
   * last 500, without streamed pieces of text) and reads at its own pace. A slow reader loses streamed pieces from 2,000 unread
   * events on, and its oldest events from 50,000 on; `seq` shows the gap.
   */
  readonly events: AsyncIterable<ProgressEvent>;
  /**
   * The place of an event in the journal, by which every process names the same event. Undefined for an event that only the
   * process of the run has, such as a streamed piece of text or a warning.
   */
  readonly positionOf: (event: ProgressEvent) => Position | undefined;
  /**
   * As `events`, but only those after the one at this place, in any process; without a place all. Undefined when some of them are no
   * longer kept, or are of an earlier process: `Runtime.follow` reads them from the journal.
   */
  readonly eventsAfter: (last?: Position) => AsyncIterable<ProgressEvent> | undefined;
  /** Never rejects for a failure of the run: its `status` reports it. */
  readonly result: Promise<RunResult>;
  /**
   * The current interactions of its tree: the root first, then in the order in which they were spawned. An interaction without
   * a result is at work, except the root, whose result is the run's.
   */
  readonly interactions: () => readonly InteractionNode[];
  /** The human gates that are open. */
  readonly gates: () => readonly OpenGate[];
  /** Questions of interviews that wait for a reply. */
  readonly asks: () => readonly OpenAsk[];
  /** The state of an interview of its tree, by default the root. Undefined when it is not an interview or has ended. */
  readonly interview: (interaction?: string) => InterviewView | undefined;
  /**
   * The activity in flight: keys of effects, timers, and the kinds of messages that are not yet delivered. Empty when the run
   * waits only for a person and has asked its questions.
   */
  readonly atWork: () => readonly string[];
  /**
   * Resolves with `asked` once the run waits only for a person, who has been asked, and with `ended` once it has ended or was
   * suspended. Never rejects.
   */
  readonly quiet: () => Promise<'asked' | 'ended'>;
  /** Model calls and tool calls in flight, each described together with its treatment when the run is resumed. */
  readonly underWay: () => readonly string[];
  /**
   * Throws AppError `nothing_waiting` for a decision when no such gate is open, for a reply when no question is open and for
   * a release when the run is not held, `usage` for an invalid event, `not_found` for a message to or a cancel of an interaction
   * that is not at work, and `maxDepthExceeded`, `parentNotFound`, `parentSettled` or `formNotSpawnable` for an interaction that
   * cannot be spawned.
   */
  readonly send: (event: RunEvent) => void;
  /**
   * Stops the run without ending it: calls in flight are aborted, and the run stays open in the journal. `result` resolves
   * with status `waiting`: exit 4 when a human gate is open or an interview asks and `why` is 'waiting', exit 130 when `why` is
   * 'interrupted'. A run suspends itself when all remaining work waits for a model that cannot be called, when its workspace is
   * missing as a tool is about to use it (both `waiting`, exit 2, `error` has the reason), or when it waits for a higher limit
   * (`limited`, exit 3). 'handedOver': as 'waiting' if it waits only for a person, else another process may claim it at once.
   */
  readonly suspend: (why: LeaveReason) => Promise<void>;
}

export interface Runtime extends History, Inspection, Measuring, Retention {
  /**
   * Checks the resources of the tools of a new run in the workspace, or of the open run `run`, such as a database.
   * Rejects with AppError `config` when one is not available; a run without it ends as `error`. `entries` are the entries of
   * the run, if the caller has already read them.
   */
  readonly ready: (
    options?: PlaceOptions & {readonly run?: string; readonly entries?: readonly Entry[]},
  ) => Promise<void>;
  /**
   * Returns at once; the run opens asynchronously. Throws AppError `usage`, `config` or `credentials` for options with which a
   * run cannot start.
   */
  readonly start: (options: StartOptions) => Run;
  /** `start` with the form `agent`: plans a task, has the plan voted on, and carries it out. */
  readonly agent: (task: string, options?: GivenOptions) => Run;
  /** `start` with the form `ask`: answers a question with read-only tools. */
  readonly ask: (question: string, options?: GivenOptions) => Run;
  /**
   * Continues an open run; open questions are asked again. Rejects with AppError `not_found`, `busy`, `divergence` or
   * `journal_corrupt`, and with `usage`, `config` or `credentials` when its workspace or a model that it calls next is missing;
   * the run is then unchanged.
   */
  readonly resume: (id: string, options?: ResumeWith) => Promise<Run>;
  /**
   * Cancels a run of any process: a live run receives the request; a run without a process is taken over and closed, even if it
   * is damaged or of another version. An interaction below a run (`RUN.2`) is cancelled with all of its descendants as soon as
   * its run is at work. Resolves with `'told'` when another process, or the run later, carries out the request. Rejects with
   * AppError `not_found` for an interaction that does not exist or has ended.
   */
  readonly cancel: (id: string) => Promise<RunResult | 'told'>;
  /**
   * Follows a run that another process performs, or none: its events are those of its journal, in which new ones appear within
   * about a second. `suspend` stops following. `send` leaves the event for the process of the run, which ignores one that comes too
   * late, with a warning. `from`: the number of entries whose events are left out; the questions that are open after them are
   * reported again. Rejects with AppError `not_found`, or `journal_corrupt`.
   */
  readonly follow: (
    id: string,
    options?: Pick<ListenOptions, 'onEvent'> & {readonly from?: number},
  ) => Promise<Run>;
  /**
   * Leaves an event of a person for a run that another process performs, or that a worker continues with it. Rejects as `follow`
   * does and as `Run.send` throws, and with AppError `usage` for an event that the journal can't relay: `always`, and in a journal
   * that one machine alone has all but cancels.
   */
  readonly relay: (id: string, event: RunEvent) => Promise<void>;
  /**
   * Reverts the file changes of a run, ended or not: each file that still has the content that the run wrote gets back its
   * earlier content, or is deleted if it did not exist. Idempotent. Rejects with AppError `not_found`, `busy` while the run, or
   * another one in its folder, is at work, or `usage` when the folder is missing.
   */
  readonly undo: (id: string, options?: UndoOptions) => Promise<UndoReport>;
  /** The top-level interactions in the journal, newest first. */
  readonly interactions: () => Promise<readonly InteractionRow[]>;
  /** The sessions in the journal with their top-level interactions, newest first. */
  readonly sessions: (query?: SessionQuery) => Promise<readonly SessionRow[]>;
  /**
   * Continues every open run of a session, and returns the runs that cannot continue with their errors. Rejects with AppError
   * `not_found` for a session that does not exist.
   */
  readonly resumeSession: (id: string, options?: ListenOptions) => Promise<ResumedSession>;
  /** The entries of a run. Rejects with AppError `journal_corrupt` when they are damaged: see `salvage`. */
  readonly entries: (id: string) => Promise<readonly Entry[]>;
  /** The readable entries of a run, damaged or not. */
  readonly salvage: (id: string) => Promise<Salvaged>;
  /**
   * Checks the chain of a run, its end, a replay, the statements that are always true, and its signatures. Performs and writes
   * nothing. Rejects with AppError `not_found`, or `usage` for an invalid key.
   */
  readonly verify: (id: string, options?: VerifyOptions) => Promise<Verification>;
  /**
   * Records a new run and performs nothing: a worker claims it. Resolves with its id. Rejects with AppError `usage` where no other
   * process can claim it, and as `start` throws.
   */
  readonly record: (options: StartOptions) => Promise<string>;
  /** Rejects with AppError `not_found` for an unknown run. */
  readonly stateOf: (id: string) => Promise<RunState>;
  /** Suspends live runs, and closes the runtime's own journal. `start` and `resume` then fail with AppError `usage`. */
  readonly close: () => Promise<void>;
}

/**
 * `suspended` and `waiting` (for a person) were left in order; the process of a `crashed` run has died. `outdated`: recorded by
 * other charts, which these can't replay. `damaged`: its journal was altered. None of these can be resumed, nor can one that is
 * `imported`: an earlier version has taken it from another journal.
 */
export type RunState =
  | 'running'
  | 'waiting'
  | 'suspended'
  | 'crashed'
  | 'imported'
  | 'outdated'
  | 'damaged'
  | 'ended';

export interface SessionRow {
  readonly id: string;
  /** When its latest root was opened. */
  readonly openedAt: number;
  /** When the latest entry of any root was written. */
  readonly updatedAt: number;
  /** Its top-level interactions, oldest first, numbered from 1. At least one. */
  readonly roots: readonly InteractionRow[];
}

export interface SessionQuery {
  /**
   * Words that must all occur in the session, in any letter case: in an id, or in the request, the folder or the answer of one
   * of its roots.
   */
  readonly search?: string;
  /** Selects sessions with a root that works in this folder. Absolute or relative to the current folder. */
  readonly workspace?: string;
}

export interface ResumedSession {
  readonly id: string;
  /** The roots that continue, oldest first. */
  readonly runs: readonly Run[];
  /** The open roots that cannot continue, each with its error. They are unchanged. */
  readonly left: readonly {readonly id: string; readonly error: Failure}[];
}

/** A question that waits for a person. */
export interface OpenGate {
  /** The key of its effect. */
  readonly gate: string;
  /** The interaction that asks. */
  readonly interaction: string;
  readonly question: HumanQuestion;
}
