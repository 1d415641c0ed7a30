/** The interactions that this conversation has begun or gone on with, side by side, each with its number. */

import type {Run, Runtime, StartOptions} from '../../actors/runtime-api.ts';
import type {ProgressEvent} from '../../machines/domain/progress.ts';
import type {InteractionForm, RunResult} from '../../machines/domain/result.ts';
import {createOpenGates, type OpenGates} from '../gate/open-gates.ts';
import {advance} from '../view/fold.ts';
import {emptyView, type RunView} from '../view/run-view.ts';

export interface Root {
  /** Counts up from 1 in this conversation. */
  readonly number: number;
  readonly id: string;
  readonly form: InteractionForm;
  readonly request: string;
  readonly run: Run;
  readonly gates: OpenGates;
  readonly startedAt: number;
  /** After the event that was heard last. */
  readonly view: RunView;
  /** Absent while it works. One that is suspended has one, too. */
  readonly result: RunResult | undefined;
}

/** What is told of a root as it goes. */
export interface RootEvents {
  /** `before`: what there was to see before the event. The root is as it is after it. */
  readonly onEvent: (root: Root, event: ProgressEvent, before: RunView) => void;
  readonly onResult: (root: Root, result: RunResult) => void;
}

export interface Roots {
  readonly all: () => readonly Root[];
  readonly working: () => readonly Root[];
  /** Throws what `Runtime.start` throws. */
  readonly begin: (options: StartOptions) => Root;
  /** Goes on with an open run, known or not. Rejects as `Runtime.resume` does. */
  readonly resume: (run: ResumedRun) => Promise<Root>;
  /** The root of the tree that an interaction is in. */
  readonly of: (id: string) => Root | undefined;
  /** `3`, `3.1`: as a person names an interaction; empty for one of no root here. */
  readonly placeOf: (id: string) => string;
}

export interface ResumedRun {
  readonly id: string;
  readonly form: InteractionForm;
  readonly request: string;
}

interface MutableRoot extends Root {
  view: RunView;
  result: RunResult | undefined;
}

export function createRoots(
  runtime: Pick<Runtime, 'start' | 'resume'>,
  {onEvent, onResult}: RootEvents,
): Roots {
  const roots: MutableRoot[] = [];
  const follow = async (root: MutableRoot): Promise<void> => {
    for await (const event of root.run.events) {
      const before = root.view;
      root.view = advance(before, event);
      root.gates.hear(event);
      onEvent(root, event, before);
    }
    const result = await root.run.result;
    root.result = result;
    onResult(root, result);
  };
  const add = (run: Run, {form, request}: Omit<ResumedRun, 'id'>, known?: Root): Root => {
    const root: MutableRoot = {
      number: known?.number ?? roots.length + 1,
      id: run.id,
      form,
      request,
      run,
      gates: createOpenGates(run),
      startedAt: Date.now(),
      view: known?.view ?? emptyView,
      result: undefined,
    };
    roots[root.number - 1] = root;
    void follow(root);
    return root;
  };
  const of = (id: string): Root | undefined => roots.find((root) => root.id === rootIdOf(id));
  return {
    all: () => roots,
    working: () => roots.filter(isWorking),
    of,
    placeOf: (id) => {
      const root = of(id);
      return root ? placeOf(root, id) : '';
    },
    begin: (options) => add(runtime.start(options), options),
    resume: async (wanted) => {
      const known = roots.find(({id}) => id === wanted.id);
      return add(await runtime.resume(wanted.id), wanted, known);
    },
  };
}

export function isWorking({result}: Root): boolean {
  return result === undefined;
}

/** It was left and goes on when it is resumed. */
export function isSuspended({result}: Root): boolean {
  return result?.status === 'waiting' || result?.resumable === true;
}

/** `k3j….1.2` lies in the tree of `k3j…`. */
function rootIdOf(id: string): string {
  return id.split('.')[0] ?? id;
}

/** `3`, `3.1`: as a person names an interaction. */
export function placeOf(root: Root, id: string): string {
  return `${root.number}${id.slice(root.id.length)}`;
}

/** The root and the ID that a place means. */
export function atPlace(
  roots: readonly Root[],
  place: string,
): {readonly root: Root; readonly id: string} | undefined {
  const [number = '', ...below] = place.split('.');
  const root = roots.find((each) => each.number === Number(number));
  return root && {root, id: [root.id, ...below].join('.')};
}
