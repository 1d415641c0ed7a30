/** The state that all parts of the page share: the trace, the shown moment and the selection. All changes go through it; the panels are drawn at most once a frame. */

import {type Moment, Moments} from '../../../../machines/trace/moments.ts';
import type {Gap, Step, TraceHead} from '../../../../machines/trace/step.ts';
import type {Place} from './shell/place.ts';
import type {Source, SourceError} from './sources/source.ts';

/** The trace, the moment and the selection that are shown. */
export interface View {
  readonly head: TraceHead;
  readonly moments: Moments;
  readonly gaps: readonly Gap[];
  /** The index of the shown step; -1 before the first. */
  readonly index: number;
  readonly moment: Moment;
  /** New steps are shown as they arrive. */
  readonly isFollowing: boolean;
  /** The index of the step that the shown one is compared with. */
  readonly compared?: number;
  /** The path of the selected actor. */
  readonly actor?: string;
  /** The key of the selected model call. */
  readonly call?: string;
}

export interface Stage {
  readonly source: Source;
  readonly view: () => View;
  /** Shows the moment after the step with this index, and stops following, unless it is the last one of a live trace. */
  readonly goTo: (index: number) => void;
  readonly follow: () => void;
  readonly select: (actor: string) => void;
  /** Undefined: ends the comparison. */
  readonly compare: (index: number | undefined) => void;
  /** Shows the prompts panel with this call. */
  readonly openCall: (key: string) => void;
  /** Shows a panel if there is room for it beside the one with the focus. `call`: selects it. */
  readonly openBeside: (panel: 'votes' | 'prompts', call?: string) => void;
  /** Shows a short message in the status line, also to screen readers. */
  readonly notify: (text: string) => void;
  /** Opens another trace. */
  readonly openTrace: (id: string) => void;
}

/** One part of the page. */
export interface Panel {
  readonly element: HTMLElement;
  /** Called for every change while the panel is visible, at most once a frame. */
  readonly show: (view: View) => void;
}

export type MakePanel = (stage: Stage) => Panel;

// The state of the page. All changes go through it; the panels are drawn at most once a frame.

interface StoreEvents {
  /** The view has changed. At most once a frame. `place`: where it can be opened again. */
  readonly changed: (view: View, place: Place) => void;
  /** The first view of a trace, at its place. */
  readonly opened: (view: View, place: Place) => void;
  readonly panelOpened: (id: string, isBeside: boolean) => void;
  readonly notified: (text: string) => void;
  readonly connected: (isConnected: boolean) => void;
  readonly refused: (error: SourceError) => void;
}

export interface Store {
  readonly stage: Stage;
  /** Shows this place, in its trace or in the shown one. */
  readonly open: (place: Place) => void;
  /** Draws again, for panels that have become visible. */
  readonly refresh: () => void;
}

interface Trace {
  readonly id: string;
  readonly moments: Moments;
  head?: TraceHead;
  gaps: readonly Gap[];
  index: number;
  isFollowing: boolean;
  isReady: boolean;
  /** Shown as soon as it is ready. */
  place: Place;
  compared?: number | undefined;
  /** The person's choice. */
  actor?: string;
  call?: string;
}

export function createStore(source: Source, events: StoreEvents): Store {
  let trace = traceOf('', source, {});
  let leave: (() => void) | undefined;

  const refresh = perFrame(() => {
    if (trace.head && trace.isReady) events.changed(viewOf(trace, trace.head), placeOf(trace));
  });
  const change = (changed: Partial<Trace>): void => {
    Object.assign(trace, changed);
    refresh();
  };
  const follow = (): void => change({index: lastOf(trace), isFollowing: source.isLive});
  const goTo = (wanted: number): void => {
    const last = lastOf(trace);
    const index = Math.max(-1, Math.min(wanted, last));
    change({index, isFollowing: source.isLive && index === last});
  };
  const show = ({at, actor}: Place): void => {
    if (at === undefined) follow();
    else goTo(trace.moments.indexOf(at));
    if (actor !== undefined) change({actor});
  };
  const openTrace = (place: Place & {readonly run: string}): void => {
    leave?.();
    const opening = traceOf(place.run, source, place);
    trace = opening;
    const ifShown =
      <Args extends unknown[]>(act: (...args: Args) => void) =>
      (...args: Args): void => {
        if (trace === opening) act(...args);
      };
    leave = source.follow(place.run, {
      onHead: ifShown((head) => change({head})),
      onSteps: ifShown((steps, gaps) => change(withSteps(opening, steps, gaps))),
      onReady: ifShown(() => {
        show(opening.place);
        change({isReady: true});
        if (opening.head) events.opened(viewOf(opening, opening.head), opening.place);
      }),
      onConnection: ifShown(events.connected),
      onRefused: ifShown(events.refused),
    });
  };
  const view = (): View => {
    if (!trace.head) throw new Error('there is no trace yet');
    return viewOf(trace, trace.head);
  };
  const stage = createStage({source, events, view, goTo, follow, change, openTrace});
  const open = (place: Place): void => {
    if (place.run !== undefined && place.run !== trace.id) openTrace({...place, run: place.run});
    else if (trace.isReady) show(place);
    else trace.place = place;
  };
  return {stage, open, refresh};
}

interface StageParts extends Pick<Stage, 'source' | 'view' | 'goTo' | 'follow'> {
  readonly events: StoreEvents;
  readonly change: (changed: Partial<Trace>) => void;
  readonly openTrace: (place: Place & {readonly run: string}) => void;
}

function createStage({source, events, view, goTo, follow, change, openTrace}: StageParts): Stage {
  return {
    source,
    view,
    goTo,
    follow,
    select: (actor) => change({actor}),
    compare: (compared) => change({compared}),
    openCall: (call) => {
      change({call});
      events.panelOpened('prompts', false);
    },
    openBeside: (panel, call) => {
      if (call !== undefined) change({call});
      events.panelOpened(panel, true);
    },
    notify: events.notified,
    openTrace: (id) => openTrace({run: id}),
  };
}

function traceOf(id: string, {isLive}: Source, place: Place): Trace {
  const empty = {gaps: [], index: -1, isReady: false};
  return {id, place, moments: new Moments(), isFollowing: isLive, ...empty};
}

function lastOf({moments}: Trace): number {
  return moments.steps.length - 1;
}

/** Known gaps are repeated when a connection begins again. */
function withSteps(trace: Trace, steps: readonly Step[], gaps: readonly Gap[]): Partial<Trace> {
  trace.moments.add(steps);
  const repeated = new Set(gaps.map(({from}) => from));
  return {
    gaps: [...trace.gaps.filter(({from}) => !repeated.has(from)), ...gaps],
    ...(trace.isFollowing ? {index: lastOf(trace)} : {}),
  };
}

/** Selected until the person selects another one: the interaction of a run, else the root. */
function mainActor({actors}: Moment, {form}: TraceHead): string | undefined {
  for (const {path, machine} of actors.values()) if (machine === form) return path;
  const [root] = actors.keys();
  return root;
}

/** Without what the page chooses by itself. */
function placeOf({id, moments, index, isFollowing, actor}: Trace): Place {
  const seq = moments.steps[index]?.seq ?? -1;
  return {
    run: id,
    ...(isFollowing ? {} : {at: seq}),
    ...(actor === undefined ? {} : {actor}),
  };
}

function viewOf(trace: Trace, head: TraceHead): View {
  const {moments, gaps, index, isFollowing, compared, call} = trace;
  const moment = moments.at(index);
  const actor = trace.actor ?? mainActor(moment, head);
  return {
    head,
    moments,
    gaps,
    index,
    moment,
    isFollowing,
    ...(compared === undefined ? {} : {compared}),
    ...(actor === undefined ? {} : {actor}),
    ...(call === undefined ? {} : {call}),
  };
}

function perFrame(draw: () => void): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      draw();
    });
  };
}
