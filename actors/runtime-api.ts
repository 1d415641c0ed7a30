/** The library's shape: what the launcher and every other program sees of a runtime. */

import type {Failure} from '../machines/domain/failure.ts';
import type {HumanDecision} from '../machines/domain/human.ts';
import type {ContextMode} from '../machines/domain/interaction-form.ts';
import type {FileDiff} from '../machines/domain/patch.ts';
import type {RunResult} from '../machines/domain/result.ts';
import type {HilMode} from '../machines/domain/settings.ts';
import type {ProgressEvent} from '../machines/facts/progress.ts';
import type {Attachment} from '../machines/prompts/attachment.ts';
import type {InterviewView, OpenAsk, Respondent} from '../machines/questionnaire/answers.ts';
import type {Questionnaire} from '../machines/questionnaire/questionnaire.ts';
import type {InteractionNode} from '../machines/tree/interaction-tree.ts';
import type {RunForm} from './config/resolve.ts';
import type {ConfigInput} from './config/schema.ts';
import type {Entry, InteractionRow, Salvaged} from './journal/journal.ts';
import type {OpenGate} from './run/open-gate.ts';
import type {UndoOptions, UndoReport} from './undo/undo-report.ts';

export interface StartOptions extends GivenOptions {
  /** A `command` is run as it is, without a vote: whoever starts it has approved it. */
  readonly form: RunForm;
  /** Of a command: the command line. */
  readonly request: string;
  /** What it may know of what came before, quoted to its models as data. Absent: what its session has to tell. */
  readonly inherited?: string;
  /** Of an agent: the plan to begin with, in the shape of a result's; it is reviewed as any other. */
  readonly plan?: unknown;
  /** Of a review: what `readPatch` made of a diff. */
  readonly diff?: readonly FileDiff[];
  /**
   * Of an interview: the form. Absent: the file in the workspace that the request names; a request that names none is a form
   * by itself, of one required text.
   */
  readonly questionnaire?: Questionnaire;
  /** Of an interview: what is known of whom it talks with. What is known is not asked. */
  readonly respondent?: Respondent;
}

export interface GivenOptions extends PlaceOptions {
  /**
   * The id of the session that the run joins: 1 to 64 letters, digits, `-` or `_`; also that of an earlier run. Absent:
   * a session of its own, by the id of the run.
   */
  readonly session?: string;
  /** How much it is told of the earlier runs of its session. Absent: the default of its form. */
  readonly contextMode?: ContextMode;
  /**
   * What the request is about, quoted to the models as data. Beyond `context.max_attached_bytes`, all together, it is cut
   * in the middle, with a warning.
   */
  readonly attachments?: readonly Attachment[];
  /**
   * Where this run differs from the configuration of the runtime, in its words; what is named here must be usable. Providers,
   * prices and secrets are the runtime's own.
   */
  readonly settings?: ConfigInput;
}

export interface PlaceOptions extends ListenOptions {
  /** Absolute or relative to the current folder. Must exist. Absent: the current folder. */
  readonly workspace?: string;
}

export interface ListenOptions {
  /** Hears every progress event as it happens. What it throws is an uncaught exception; the run goes on. */
  readonly onEvent?: (event: ProgressEvent) => void;
  /** Cancels the run when it is aborted. */
  readonly signal?: AbortSignal;
}

export interface ResumeWith extends ListenOptions {
  /**
   * What changes from here on, in the words of the configuration: models, panel, rule, mode and limits. Rejects with AppError
   * `usage` for what can't change, `config` or `credentials` for what makes no sense.
   */
  readonly settings?: ConfigInput;
  /**
   * Given the entries of the run once it is this process's, before it goes on. What it rejects with, `resume` rejects with,
   * and leaves the run as it was.
   */
  readonly prepare?: (entries: readonly Entry[]) => Promise<void>;
}

export type {OpenGate, UndoOptions, UndoReport};

export type RunEvent =
  /**
   * `gate` may be left out when one gate is open. `digest`: the beginning of the SHA-256 of what is decided on; a decision
   * that names another is refused.
   */
  | ({
      readonly type: 'human.decided';
      readonly gate?: string;
      readonly digest?: string;
    } & HumanDecision)
  /** Ends the run: `cancelled`. */
  | {readonly type: 'user.cancel'}
  /** Begins an interaction below `parent`, or below the root. */
  | {
      readonly type: 'interaction.spawn';
      /** `agent`, `ask`, `discuss` or `council`. */
      readonly form: string;
      readonly request: string;
      readonly parent?: string;
      /** Absent: the form's default. */
      readonly contextMode?: ContextMode;
    }
  /** Cancels an interaction, and all below it. */
  | {readonly type: 'interaction.cancel'; readonly interaction: string}
  /**
   * A person's words to an interaction, or to the root: told to its models at its next turn. To an interview: the answer to
   * what it asks.
   */
  | {readonly type: 'user.said'; readonly text: string; readonly interaction?: string}
  /** A reply to what an interview asks. `ask` may be left out when one message waits. */
  | {
      readonly type: 'person.replied';
      readonly text: string;
      readonly ask?: string;
      /** Meant as an answer to this field, whatever was asked. */
      readonly field?: string;
    }
  /** A wish to be asked about a field, once more or out of its turn. */
  | {readonly type: 'person.replied'; readonly field: string; readonly ask?: string}
  /** Submits the answers of an interview that has shown them. */
  | {readonly type: 'person.replied'; readonly confirms: true; readonly ask?: string}
  /** The form that the root, an interview, fills is another version now. */
  | {readonly type: 'form.changed'; readonly questionnaire: Questionnaire}
  /** Takes effect from the next round; the mode at an open human gate, and limits, at once. */
  | {readonly type: 'settings.changed'; readonly settings: ConfigInput}
  | {readonly type: 'settings.changed'; readonly hilMode: HilMode};

export interface Run {
  readonly id: string;
  /** Resolves when its first entry of this process is durable; rejects when it can't be, as `result` then says too. */
  readonly opened: Promise<void>;
  /**
   * The progress events; ends after the `result`. Any number may listen: each begins with what has happened so far
   * (the last 500 events, without pieces of streams) and reads at its own pace. One that falls behind misses pieces from
   * 2,000 unread events on, and the oldest events from 50,000 on; `seq` shows the gap.
   */
  readonly events: AsyncIterable<ProgressEvent>;
  /** Never rejects for what a run may meet: its `status` says it. */
  readonly result: Promise<RunResult>;
  /**
   * The interactions of its tree as they are now: the root first, then in the order in which they were spawned. One without
   * a result is at work, but for the root, whose result is the run's.
   */
  readonly interactions: () => readonly InteractionNode[];
  /** Human gates that are open now. */
  readonly gates: () => readonly OpenGate[];
  /** Messages of interviews that wait for a reply. */
  readonly asks: () => readonly OpenAsk[];
  /** An interview of its tree, of the root when none is named, as it stands; undefined for what is none, or has ended. */
  readonly interview: (interaction?: string) => InterviewView | undefined;
  /**
   * What is under way: keys of effects, timers, and what has been sent or has come about and is not heard yet. None when
   * only a person can bring the run on, and has been asked all that there is to ask.
   */
  readonly atWork: () => readonly string[];
  /** Model calls and tool calls under way, each in words, with what a resumed run would do about it. */
  readonly underWay: () => readonly string[];
  /**
   * Throws AppError `nothing_waiting` for a decision when no such gate is open and for a reply when nothing is asked, `usage` for what is no event, `not_found` for
   * words to or a cancel of an interaction that is not at work, and `maxDepthExceeded`, `parentNotFound`, `parentSettled` or
   * `formNotSpawnable` for what can't be spawned.
   */
  readonly send: (event: RunEvent) => void;
  /**
   * Stops without ending: calls in flight are aborted, the journal stays open. `result` resolves with status
   * `waiting`: exit 4 when a human gate is open or an interview asks, and `why` is 'waiting', exit 130 when 'interrupted'. A run suspends
   * itself when all that is left waits for a model that can't be called, or its workspace is gone when a tool would work
   * there (`waiting`, exit 2, `error` says why), or when it waits for a higher limit (`limited`, exit 3).
   */
  readonly suspend: (why: 'waiting' | 'interrupted') => Promise<void>;
}

export interface Runtime {
  /**
   * Looks at what the tools of a new run in the workspace, or of the open run `run`, work on, such as a database.
   * Rejects with AppError `config` when that can't be had. A run without it ends as `error`. `entries` are those of the run,
   * from whoever has read them already.
   */
  readonly ready: (
    options?: PlaceOptions & {readonly run?: string; readonly entries?: readonly Entry[]},
  ) => Promise<void>;
  /**
   * Returns at once; the run opens in its slice of time. Throws AppError `usage`, `config` or `credentials` for what
   * can't be started.
   */
  readonly start: (options: StartOptions) => Run;
  /** `start` with the form `agent`: a task, planned, voted on and done. */
  readonly agent: (task: string, options?: GivenOptions) => Run;
  /** `start` with the form `ask`: a question, answered with read-only tools. */
  readonly ask: (question: string, options?: GivenOptions) => Run;
  /**
   * Continues an open run; what it waited for is asked again. Rejects with AppError `not_found`, `busy`, `divergence` or
   * `journal_corrupt`; with `usage`, `config` or `credentials` when its workspace or a model that it calls next is missing,
   * and leaves it as it was.
   */
  readonly resume: (id: string, options?: ResumeWith) => Promise<Run>;
  /**
   * Cancels a run wherever it is: a live one is told, a dead one is taken over and closed, also when it is damaged or
   * of another version. Of an interaction below one (`RUN.2`): it is ended with all below it, as soon as its run is at
   * work. Rejects with AppError `not_found` for one that there is not, or that has ended.
   */
  readonly cancel: (id: string) => Promise<RunResult | 'told'>;
  /**
   * Takes back what a run wrote, ended or not: each file that holds what the run left there holds again what it held
   * before, or goes. Doing it again changes nothing. Rejects with AppError `not_found`, `busy` while the run, or another
   * one in its folder, is at work, or `usage` when the folder is gone.
   */
  readonly undo: (id: string, options?: UndoOptions) => Promise<UndoReport>;
  /**
   * Removes a run from the journal, ended or not, with all that was kept for it: its entries, what files held before it, its
   * messages. What it wrote to its workspace stays. Rejects with AppError `not_found`, `busy` while it is at work in any
   * process, or `io` when something of it may be left.
   */
  readonly erase: (id: string) => Promise<void>;
  /** The top-level interactions in the journal, the newest first. */
  readonly interactions: () => Promise<readonly InteractionRow[]>;
  /** Those in the journal, grouped by their sessions, the newest first. */
  readonly sessions: (query?: SessionQuery) => Promise<readonly SessionRow[]>;
  /**
   * Continues every open run of a session, and tells which can't go on. Rejects with AppError `not_found` for a session
   * that there is not.
   */
  readonly resumeSession: (id: string, options?: ListenOptions) => Promise<ResumedSession>;
  /** The entries of one. Rejects with AppError `journal_corrupt` when they are damaged: see `salvage`. */
  readonly entries: (id: string) => Promise<readonly Entry[]>;
  /** What is left of the entries of one, damaged or not. */
  readonly salvage: (id: string) => Promise<Salvaged>;
  /** Whether a process, this one or another, is running it now. */
  readonly isAtWork: (id: string) => Promise<boolean>;
  /** Suspends what is at work, and closes the journal unless it was given. `start` and `resume` then fail with AppError `usage`. */
  readonly close: () => Promise<void>;
}

export interface SessionRow {
  readonly id: string;
  /** Of the last of its roots. */
  readonly openedAt: number;
  /** Of the last entry of any of them. */
  readonly updatedAt: number;
  /** Its top-level interactions, the oldest first: the first is number 1. At least one. */
  readonly roots: readonly InteractionRow[];
}

export interface SessionQuery {
  /**
   * Words, each of which must stand somewhere in the session, in any letter case: in an id, or in a request, a folder
   * or an answer of one of its roots.
   */
  readonly search?: string;
  /** Absolute or relative to the current folder: only sessions with a root that works there. */
  readonly workspace?: string;
}

export interface ResumedSession {
  readonly id: string;
  /** Those of its roots that go on, the oldest first. */
  readonly runs: readonly Run[];
  /** Open ones that can't, each with the reason. Each is as it was. */
  readonly left: readonly {readonly id: string; readonly error: Failure}[];
}
