/** The interactions that this conversation has begun or resumed, side by side, each with its number. */

import type {ConfigInput} from '../../actors/config/schema.ts';
import {isSliceOver, nextTurn} from '../../actors/engine/slices.ts';
import type {Entry} from '../../actors/journal/journal.ts';
import {openedIn} from '../../actors/run/run-input.ts';
import type {ResumeWith, Run, Runtime, StartOptions} from '../../actors/runtime-api.ts';
import {isOfAnother, tryPeekRun} from '../../actors/sessions/run-state.ts';
import type {ContextMode, SpawnableForm} from '../../machines/domain/interaction-form.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {rootIdOf} from '../../machines/tree/path.ts';
import {type OpenGates, createOpenGates} from '../gate/decide.ts';
import {recordedTree} from '../past/history.ts';
import {advance, suspendAll} from '../render/view/fold.ts';
import {changeInteraction, isRunning} from '../render/view/interactions.ts';
import {type InteractionState, type RunView, emptyView} from '../render/view/run-view.ts';
import type {SessionView} from '../render/view/session-view.ts';

export interface Root {
  /** Counts up from 1 in this conversation. */
  readonly number: number;
  readonly id: string;
  readonly session: string;
  readonly form: string;
  readonly request: string;
  /** The fold of its events up to now. */
  readonly view: RunView;
  /** Start of the current run, epoch ms. */
  readonly startedAt: number;
  /** Absent: it has not run in this conversation. */
  readonly run?: Run;
  readonly gates?: OpenGates;
  /** The result of its run here, once it was suspended or has ended. */
  readonly result?: RunResult;
  /** It has not ended: it runs or is suspended. */
  readonly isOpen: boolean;
}

/** A running root. */
export type LiveRoot = Root & Required<Pick<Root, 'run' | 'gates'>>;

/** A run that was begun earlier. */
export interface Past {
  readonly id: string;
  readonly session: string;
  readonly form: string;
  readonly request: string;
  /** Absent: it has not ended. */
  readonly status?: string | undefined;
  readonly answer?: string | undefined;
}

/** Callbacks for the events of roots. */
export interface RootEvents {
  /** Before its first event. */
  readonly onBegun: (root: Root) => void;
  /** `before`: the view before the event. The root already includes the event. */
  readonly onEvent: (root: LiveRoot, event: ProgressEvent, before: RunView) => void;
  readonly onResult: (root: Root, result: RunResult) => void;
}

export interface Roots {
  readonly all: () => readonly Root[];
  readonly working: () => readonly LiveRoot[];
  /** The root of the tree that an interaction is in. */
  readonly of: (id: string) => Root | undefined;
  readonly view: () => SessionView;
  /** Throws what `Runtime.start` throws. */
  readonly begin: (options: StartOptions) => Root;
  /** Gives a number to a run that is not running. `entries`: its record. */
  readonly know: (past: Past, entries: readonly Entry[]) => Promise<Root>;
  /** Marks a suspended root as ended by another process. */
  readonly settle: (root: Root, state: InteractionState) => void;
  /** Continues an open run, known or not, with changed `settings`. Rejects as `Runtime.resume` does. */
  readonly resume: (past: Past, settings?: ConfigInput) => Promise<Root>;
  /**
   * Gives a number to a new run with the past of another one. `begin` starts it, and calls back with its entries; undefined: it was
   * not started.
   */
  readonly adopt: (
    original: Past,
    begin: (prepare: NonNullable<ResumeWith['prepare']>) => Promise<Run | undefined>,
  ) => Promise<void>;
}

type Following = Pick<Runtime, 'entries' | 'follow'>;

/** `following`: where machines share the journal, so that other processes perform runs. */
export function createRoots(
  runtime: Pick<Runtime, 'start' | 'resume' | 'ready'>,
  events: RootEvents,
  following?: Following,
): Roots {
  const {roots, of, put, enroll} = createRegister();
  const follow = createFollow(put, events);
  const live = (run: Run, past: Past, view: RunView): Root => {
    const {result: _, ...known} = enroll(past, view);
    const gates = createOpenGates(run);
    const root = put({...known, view, run, gates, startedAt: Date.now(), isOpen: true});
    void follow(root);
    return root;
  };
  return {
    all: () => roots,
    working: () => roots.filter(isWorking),
    of,
    view: () => ({runs: roots.map(({view}) => view)}),
    know: async (past, entries) => {
      const isOpen = past.status === undefined;
      const view = endedAs(past, await recordedView(past, entries));
      return of(past.id) ?? put({...enroll(past, view), isOpen});
    },
    settle: (root, state) =>
      void put({
        ...root,
        view: changeInteraction(root.view, root.id, () => ({state})),
        isOpen: false,
      }),
    begin: (options) => {
      const run = runtime.start(options);
      const {form, request, session = run.id} = options;
      const past = {id: run.id, session, form, request};
      return live(run, past, recordedTree(past, [], undefined));
    },
    resume: async (past, settings) => {
      try {
        const {run, view} = await resumeHere(past, runtime, settings);
        return live(run, past, view);
      } catch (error) {
        if (!following || !isOfAnother(error)) throw error;
        const {run, view} = await followThere(past, following, settings);
        return live(run, past, view);
      }
    },
    adopt: async (original, begin) => {
      const begun = await beginFrom(original, begin);
      if (begun) live(begun.run, begun.past, begun.view);
    },
  };
}

interface Continued {
  readonly run: Run;
  /** As it was left. */
  readonly view: RunView;
}

async function resumeHere(
  past: Past,
  runtime: Pick<Runtime, 'resume' | 'ready'>,
  settings: ConfigInput | undefined,
): Promise<Continued> {
  let view = emptyView;
  const run = await runtime.resume(past.id, {
    ...(settings ? {settings} : {}),
    prepare: async (entries) => {
      view = await recordedView(past, entries);
      await runtime.ready({run: past.id, entries});
    },
  });
  return {run, view};
}

async function followThere(
  past: Past,
  runtime: Following,
  settings: ConfigInput | undefined,
): Promise<Continued> {
  const entries = await runtime.entries(past.id);
  const run = await runtime.follow(past.id, {from: entries.length});
  if (settings) run.send({type: 'settings.changed', settings});
  return {run, view: await recordedView(past, entries)};
}

/** Resolves when the root is suspended or has ended. */
function createFollow(
  put: Register['put'],
  {onBegun, onEvent, onResult}: RootEvents,
): (begun: LiveRoot) => Promise<void> {
  return async (begun) => {
    let root = begun;
    onBegun(root);
    for await (const event of root.run.events) {
      const before = root.view;
      root = put({...root, view: advance(before, event)});
      root.gates.record(event);
      onEvent(root, event, before);
      // In a burst, keys and frames come between the events.
      if (isSliceOver()) await nextTurn();
    }
    const result = await root.run.result;
    onResult(put({...root, result, isOpen: isLeft(result)}), result);
  };
}

interface BegunRoot {
  readonly run: Run;
  readonly past: Past;
  readonly view: RunView;
}

async function beginFrom(
  {form, request}: Past,
  begin: Parameters<Roots['adopt']>[1],
): Promise<BegunRoot | undefined> {
  let entries: readonly Entry[] = [];
  const run = await begin(async (read) => {
    entries = read;
    await Promise.resolve();
  });
  if (!run) return undefined;
  const {session = run.id} = openedIn(entries) ?? {};
  const past = {id: run.id, session, form, request};
  return {run, past, view: await recordedView(past, entries)};
}

interface Register extends Pick<Roots, 'of'> {
  /** By their numbers. */
  readonly roots: readonly Root[];
  readonly put: <T extends Root>(root: T) => T;
  /** Gives the next number to a run that has none yet. */
  readonly enroll: (past: Past, view: RunView) => Root;
}

function createRegister(): Register {
  const roots: Root[] = [];
  const of = (id: string): Root | undefined => roots.find((root) => root.id === rootIdOf(id));
  const put = <T extends Root>(root: T): T => {
    roots[root.number - 1] = root;
    return root;
  };
  return {
    roots,
    of,
    put,
    enroll: ({id, session, form, request}, view) => {
      const root = {number: roots.length + 1, id, session, form, request, startedAt: Date.now()};
      return of(id) ?? put({...root, view, isOpen: true});
    },
  };
}

export function isWorking(root: Root): root is LiveRoot {
  return root.run !== undefined && root.result === undefined;
}

/** It can be resumed. */
export function isSuspended(root: Root): boolean {
  return root.isOpen && !isWorking(root);
}

/** The run is suspended: it continues when it is resumed. */
export function isLeft({status, resumable}: Pick<RunResult, 'status' | 'resumable'>): boolean {
  return status === 'waiting' || resumable === true;
}

const endStates: readonly InteractionState[] = [
  'completed',
  'failed',
  'rejected',
  'cancelled',
  'limited',
  'error',
];

/** The view of a run that no process of this conversation runs, recorded by any version of the charts. */
async function recordedView(past: Past, entries: readonly Entry[]): Promise<RunView> {
  const isOpen = entries.at(-1)?.type !== 'closed';
  return recordedTree(past, entries, isOpen ? await tryPeekRun(past.id, entries) : undefined);
}

/** The record of an earlier version may lack the end that the list of runs has. */
function endedAs({id, status, answer = ''}: Past, view: RunView): RunView {
  const state = endStates.find((each) => each === status);
  if (state === undefined) return suspendAll(view);
  return changeInteraction(view, id, (known) => (isRunning(known) ? {state, summary: answer} : {}));
}

// Messages and requests that a root had not read when it ended: each begins as a request of its own.

export interface Begun {
  readonly form: SpawnableForm;
  readonly request: string;
  /** Absent: the form's default. */
  readonly contextMode?: ContextMode;
}

export interface Late {
  /** Records a message, or a request for an interaction below a running root. */
  readonly sent: (root: Pick<Root, 'id'>, what: string | Begun) => void;
  /** Events confirm what was sent, in its order. */
  readonly onEvent: (root: Pick<Root, 'id'>, event: ProgressEvent) => void;
  /** The requests of a root that has ended, its unread messages as one; none after a cancellation. */
  readonly take: (root: Pick<Root, 'id'>, result: RunResult) => readonly Begun[];
}

interface Sent {
  readonly words: readonly string[];
  readonly requests: readonly Begun[];
}

const nothing: Sent = {words: [], requests: []};

/** `formOf`: of a message, which may be a question. */
export function createLate(formOf: (text: string) => Begun['form'] | undefined): Late {
  const open = new Map<string, Sent>();
  const change = (id: string, by: (sent: Sent) => Partial<Sent>): void => {
    const sent = open.get(id) ?? nothing;
    open.set(id, {...sent, ...by(sent)});
  };
  return {
    sent: ({id}, what) =>
      change(id, ({words, requests}) =>
        typeof what === 'string' ? {words: [...words, what]} : {requests: [...requests, what]},
      ),
    onEvent: ({id}, event) => {
      if (event.type === 'user.said') change(id, ({words}) => ({words: words.slice(1)}));
      const isBegun = event.type === 'interaction.spawned' && event.by === 'person';
      if (isBegun || event.type === 'interaction.refused')
        change(id, ({requests}) => ({requests: requests.slice(1)}));
    },
    take: ({id}, result) => {
      if (isLeft(result)) return [];
      const {words, requests} = open.get(id) ?? nothing;
      open.delete(id);
      const {status, unheard: unread = []} = result;
      if (status === 'cancelled') return [];
      const request = [...unread, ...words].join('\n');
      const form = formOf(request);
      return form === undefined ? requests : [{form, request}, ...requests];
    },
  };
}
