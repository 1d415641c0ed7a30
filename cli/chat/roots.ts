/** The interactions that this conversation has begun or gone on with, side by side, each with its number. */

import type {ConfigInput} from '../../actors/config/schema.ts';
import type {Run, Runtime, StartOptions} from '../../actors/runtime-api.ts';
import {parseInteractionForm} from '../../machines/domain/interaction-form.ts';
import type {ProgressEvent} from '../../machines/domain/progress.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {createOpenGates, type OpenGates} from '../gate/open-gates.ts';
import {advance} from '../view/fold.ts';
import {changeInteraction} from '../view/interactions.ts';
import {rootIdOf} from '../view/place.ts';
import {emptyView, type InteractionState, type RunView} from '../view/run-view.ts';
import type {SessionView} from '../view/session-view.ts';

export interface Root {
  /** Counts up from 1 in this conversation. */
  readonly number: number;
  readonly id: string;
  readonly form: string;
  readonly request: string;
  /** As far as its events have told. */
  readonly view: RunView;
  /** Since when, in epoch ms. */
  readonly startedAt: number;
  /** Absent: it has not run in this conversation. */
  readonly run?: Run;
  readonly gates?: OpenGates;
  /** Of its run here, once it is left or has ended. */
  readonly result?: RunResult;
  /** It was left before it came to its end. */
  readonly isOpen: boolean;
}

/** One that works. */
export type LiveRoot = Root & Required<Pick<Root, 'run' | 'gates'>>;

/** A run that was begun before. */
export interface Past {
  readonly id: string;
  readonly form: string;
  readonly request: string;
  /** Absent: it has not ended. */
  readonly status?: string | undefined;
  readonly answer?: string | undefined;
}

/** What is told of a root as it goes. */
export interface RootEvents {
  /** `before`: what there was to see before the event. The root is as it is after it. */
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
  /** Gives a run that does not work a number. */
  readonly know: (past: Past) => Root;
  /** One that was left has come to its end elsewhere. */
  readonly settle: (root: Root, state: InteractionState) => void;
  /** Goes on with an open run, known or not; `settings` change in it. Rejects as `Runtime.resume` does. */
  readonly resume: (past: Past, settings?: ConfigInput) => Promise<Root>;
}

export function createRoots(
  runtime: Pick<Runtime, 'start' | 'resume' | 'ready'>,
  {onEvent, onResult}: RootEvents,
): Roots {
  const roots: Root[] = [];
  const of = (id: string): Root | undefined => roots.find((root) => root.id === rootIdOf(id));
  const put = <T extends Root>(root: T): T => {
    roots[root.number - 1] = root;
    return root;
  };
  const follow = async (begun: LiveRoot): Promise<void> => {
    let root = begun;
    for await (const event of root.run.events) {
      const before = root.view;
      root = put({...root, view: advance(before, event)});
      root.gates.hear(event);
      onEvent(root, event, before);
    }
    const result = await root.run.result;
    onResult(put({...root, result, isOpen: isLeft(result)}), result);
  };
  const know = ({id, form, request, status, answer = ''}: Past): Root => {
    const known = of(id);
    if (known) return known;
    const state = stateOf(status);
    const shown = {form: parseInteractionForm(form), request, state, summary: answer};
    return put({
      number: roots.length + 1,
      id,
      form,
      request,
      view: changeInteraction(emptyView, id, () => shown),
      startedAt: Date.now(),
      isOpen: status === undefined,
    });
  };
  const live = (run: Run, past: Past): Root => {
    const {result: _, ...known} = know(past);
    const view = changeInteraction(known.view, run.id, () => ({state: 'running'}));
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
    know,
    settle: (root, state) => {
      const view = changeInteraction(root.view, root.id, () => ({state}));
      put({...root, view, isOpen: false});
    },
    begin: (options) => {
      const run = runtime.start(options);
      return live(run, {id: run.id, form: options.form, request: options.request});
    },
    resume: async (past, settings) => {
      const run = await runtime.resume(past.id, {
        ...(settings ? {settings} : {}),
        prepare: async (entries) => await runtime.ready({run: past.id, entries}),
      });
      return live(run, past);
    },
  };
}

export function isWorking(root: Root): root is LiveRoot {
  return root.run !== undefined && root.result === undefined;
}

/** It waits to be gone on with. */
export function isSuspended(root: Root): boolean {
  return root.isOpen && !isWorking(root);
}

/** It goes on when it is resumed. */
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

function stateOf(status: string | undefined): InteractionState {
  return endStates.find((state) => state === status) ?? 'waiting';
}
