/** The events that an actor accepts now, and the transition that it took last. */

import type {ActorState, ChartState} from '../../../../../machines/trace/step.ts';
import {escapeLine} from '../../../../../tools/escape.ts';
import {element} from '../../../../serve/page/browser/element.ts';
import {type Enabled, enabledEvents, transitionParts} from '../derived/active.ts';
import {safeLine, textSpan} from '../elements/safe-text.ts';
import {t} from '../language.ts';

const kinds = {outcome: t`outcome`, timer: t`timer`};

export function drawEnabled(actor: ActorState, active: readonly ChartState[]): HTMLElement {
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

export function drawLast({last}: ActorState, states: readonly ChartState[]): HTMLElement {
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
