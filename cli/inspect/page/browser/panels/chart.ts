/** The chart of the selected actor: its active states, its last transition, the events that it accepts; as a drawing, and as a list of states. */

import type {
  ActorState,
  ChartState,
  ChartTransitionView,
} from '../../../../../machines/trace/step.ts';
import {escapeLine} from '../../../../../tools/escape.ts';
import {button, element} from '../../../../serve/page/browser/element.ts';
import type {Chart} from '../../../replies.ts';
import {
  activeStates,
  type Enabled,
  enabledEvents,
  stateText,
  transitionParts,
} from '../derived/actors.ts';
import {beginningOf} from '../derived/fold.ts';
import {safeLine, textSpan} from '../elements/values.ts';
import {t} from '../language.ts';
import {chartOf} from '../sources/loaded.ts';
import type {MakePanel, View} from '../stage.ts';
import {type ChartDrawing, createCanvas, drawChart} from './canvas.ts';
import {actorName, placeName} from './names.ts';

const absent = t`This actor does not exist at this moment.`;

interface Charted {
  readonly actor: ActorState;
  readonly chart: Chart;
}

/** The selected actor and its chart, or why there is none. */
function chartedIn(
  {head, moment, actor: path}: View,
  source: Parameters<typeof chartOf>[0],
  arrived: () => void,
): Charted | string {
  const actor = moment.actors.get(path ?? '');
  if (path === undefined) return t`Select an actor to see its chart.`;
  if (!actor) return absent;
  if (actor.machine === undefined) return t`This actor has no chart: it is not a state machine.`;
  const chart = chartOf(source, head.id, actor.machine, arrived);
  if (chart === 'loading') return t`Loading the chart…`;
  return chart === 'none' ? t`There is no drawing of this machine.` : {actor, chart};
}

export const chartPanel: MakePanel = ({source, goTo, notify}) => {
  const canvas = createCanvas(t`Chart; zoom with + and −, 0 fits it`);
  const name = element('h2', {class: 'cut'});
  const state = element('span', {class: 'badge accent cut'});
  const empty = element('p');
  const back = button(t`Show the moment when it began`, {}, () => {
    const {moments, actor = '', index} = view ?? {};
    const at = moments && beginningOf(moments.steps, actor, index ?? 0);
    if (at === undefined) notify(t`This trace has no such actor.`);
    else goTo(at);
  });
  const without = element('div', {class: 'empty'}, empty, back);
  const facts = element('div', {class: 'chart-facts', tabindex: 0});
  const head = element('div', {class: 'panel-head'}, name, state, canvas.buttons);
  const drawingOf = createDrawings();
  let view: View | undefined;
  let shown = '';

  const draw = (): void => {
    if (!view) return;
    const charted = chartedIn(view, source, draw);
    const {actor: path = ''} = view;
    const actor = view.moment.actors.get(path);
    name.replaceChildren(safeLine(actor ? actorName(actor, view.head) : placeName(path)));
    name.title = escapeLine(path);
    const active = actor ? stateText(actor.state) : '';
    state.replaceChildren(safeLine(active));
    state.hidden = active === '';
    const isCharted = typeof charted !== 'string';
    for (const part of [canvas.element, canvas.buttons, facts]) part.hidden = !isCharted;
    without.hidden = isCharted;
    back.hidden = charted !== absent;
    if (isCharted) drawCharted(charted);
    else [empty.textContent, shown] = [charted, ''];
  };
  const drawCharted = ({actor, chart}: Charted): void => {
    const key = JSON.stringify([actor.path, actor.machine, actor.status, actor.state, actor.last]);
    if (key === shown) return;
    shown = key;
    const active = activeStates(chart.states, actor.state);
    const ids = new Set(active.filter(({path}) => path.length > 0).map(({id}) => id));
    const drawing = drawingOf(chart);
    drawing.mark(ids, new Set(actor.last?.transitions));
    drawing.svg.setAttribute(
      'aria-label',
      escapeLine(t`Statechart of ${actor.machine ?? ''}. Active: ${stateText(actor.state)}.`),
    );
    facts.replaceChildren(drawLast(actor, chart.states), drawEnabled(actor, active));
    canvas.show(drawing);
    const place = drawing.placeOf(ids);
    if (place) canvas.reveal(place);
  };
  return {
    element: element('div', {class: 'panel chart-panel'}, head, canvas.element, facts, without),
    show: (now) => {
      view = now;
      draw();
    },
  };
};

function createDrawings(): (chart: Chart) => ChartDrawing {
  const drawings = new WeakMap<Chart, ChartDrawing>();
  return (chart) => {
    const drawing = drawings.get(chart) ?? drawChart(chart.positions);
    drawings.set(chart, drawing);
    return drawing;
  };
}

// The events that an actor accepts now, and the transition that it took last.

const kinds = {outcome: t`outcome`, timer: t`timer`};

function drawEnabled(actor: ActorState, active: readonly ChartState[]): HTMLElement {
  const isOver = actor.status !== 'active';
  const events = enabledEvents(active);
  const note = isOver
    ? t`This actor has ended: events have no effect.`
    : t`No state accepts an event now.`;
  return element(
    'section',
    {class: `enabled${isOver ? ' is-over' : ''}`},
    element('h3', {}, t`Enabled events`),
    isOver || events.length === 0 ? element('p', {class: 'muted'}, note) : undefined,
    element('dl', {}, ...events.flatMap(drawEvent)),
  );
}

function drawEvent({event, kind, transitions}: Enabled): HTMLElement[] {
  const parts = transitions.map((each) => ({
    ...transitionParts(each, each.state),
    state: each.state,
  }));
  const depths = new Set(transitions.map(({state}) => state));
  return [
    element(
      'dt',
      {title: escapeLine(event)},
      element('code', {class: 'strong'}, safeLine(parts[0]?.event ?? event)),
      kind === 'event' ? undefined : element('span', {class: 'muted'}, kinds[kind]),
    ),
    ...parts.map(({guard, target, state}) =>
      element(
        'dd',
        {},
        guard === undefined ? undefined : textSpan('muted', guard),
        element('span', {}, target === undefined ? t`the state stays` : safeLine(`→ ${target}`)),
        depths.size > 1
          ? textSpan('muted', t`(in ${state.path.join('.') || state.id})`)
          : undefined,
      ),
    ),
  ];
}

/** Without XState's prefix, and without the state of a timer. */
function eventName(event: string): string {
  const [, delay] = /^xstate\.after\.([^.]+)\./.exec(event) ?? [];
  return delay === undefined ? event.replace(/^xstate\./, '') : `after ${delay}`;
}

function drawLast({last}: ActorState, states: readonly ChartState[]): HTMLElement {
  const known = new Map(
    states.flatMap(({transitions}) => transitions.map(({name, text}) => [name, text])),
  );
  const names = last?.transitions ?? [];
  return element(
    'section',
    {class: 'last-transition'},
    element('h3', {}, t`Last transition`),
    last
      ? element('p', {}, element('code', {class: 'strong'}, safeLine(eventName(last.event))))
      : element('p', {class: 'muted'}, t`None: it is in its initial state.`),
    element('ul', {}, ...names.map((name) => element('li', {}, safeLine(known.get(name) ?? name)))),
  );
}

// The chart of the selected actor as a list of states: the same facts as the drawing, in words.

const types = {
  atomic: '',
  compound: t`with substates`,
  parallel: t`parallel`,
  final: t`final`,
  history: t`history`,
};

export const outlinePanel: MakePanel = ({source}) => {
  const body = element('div', {class: 'panel-body outline', tabindex: 0});
  let isOnlyActive = false;
  let view: View | undefined;
  let shown = '';
  const draw = (): void => {
    if (!view) return;
    const charted = chartedIn(view, source, draw);
    if (typeof charted === 'string') {
      shown = '';
      body.replaceChildren(element('p', {class: 'empty'}, charted));
      return;
    }
    const {path, machine, state, last} = charted.actor;
    const key = JSON.stringify([path, machine, state, last, isOnlyActive]);
    if (key === shown) return;
    shown = key;
    body.replaceChildren(drawStates(charted, isOnlyActive));
    reveal(body);
  };
  const choice = button(t`Active states only`, {'aria-pressed': 'false'}, () => {
    isOnlyActive = !isOnlyActive;
    choice.setAttribute('aria-pressed', String(isOnlyActive));
    draw();
  });
  const head = element('div', {class: 'panel-head'}, choice);
  return {
    element: element('div', {class: 'panel'}, head, body),
    show: (now) => {
      view = now;
      draw();
    },
  };
};

/** The innermost active state, if it is not in sight. */
function reveal(body: HTMLElement): void {
  const place = [...body.querySelectorAll<HTMLElement>('.is-now > .row')].at(-1);
  if (!place) return;
  const {offsetTop, offsetHeight} = place;
  const {scrollTop, clientHeight} = body;
  if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight)
    body.scrollTop = offsetTop - clientHeight / 3;
}

function drawStates({actor, chart}: Charted, isOnlyActive: boolean): HTMLElement {
  const active = new Set(activeStates(chart.states, actor.state));
  const last = new Set(actor.last?.transitions);
  const shown = isOnlyActive ? chart.states.filter((state) => active.has(state)) : chart.states;
  const children = Map.groupBy(shown, ({path}) =>
    path.length === 0 ? '' : JSON.stringify(path.slice(0, -1)),
  );
  const listOf = (states: readonly ChartState[] | undefined): HTMLElement | undefined =>
    states && element('ul', {}, ...states.map(itemOf));
  const itemOf = (state: ChartState): HTMLElement => {
    const isActive = active.has(state);
    return element(
      'li',
      {class: isActive ? 'is-now' : undefined},
      drawState(state, isActive),
      state.transitions.length > 0
        ? element(
            'ul',
            {class: 'transitions'},
            ...state.transitions.map((each) => drawTransition(each, state, last)),
          )
        : undefined,
      listOf(children.get(JSON.stringify(state.path))),
    );
  };
  return listOf(children.get('')) ?? element('ul');
}

function runsText({logic, id}: ChartState['invokes'][number]): string {
  return logic === id ? t`runs ${logic}` : t`runs ${logic} as ${id}`;
}

function drawState(state: ChartState, isActive: boolean): HTMLElement {
  const {id, path, type, tags, invokes} = state;
  const badges = [types[type], ...tags].filter(Boolean);
  return element(
    'p',
    {class: 'row'},
    textSpan('strong', path.at(-1) ?? id),
    isActive ? textSpan('badge accent', t`active`) : undefined,
    ...badges.map((text) => textSpan('badge', text)),
    ...invokes.map((invoke) => textSpan('muted', runsText(invoke))),
  );
}

function drawTransition(
  transition: ChartTransitionView,
  state: ChartState,
  last: ReadonlySet<string>,
): HTMLElement {
  const isLast = last.has(transition.name);
  const {event, guard, target} = transitionParts(transition, state);
  const text = [event, guard, target && `→ ${target}`].filter(Boolean).join(' ');
  return element(
    'li',
    {class: isLast ? 'is-last' : undefined},
    safeLine(text),
    isLast ? textSpan('badge changed', t`taken last`) : undefined,
  );
}
