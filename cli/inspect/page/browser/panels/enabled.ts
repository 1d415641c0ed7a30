/** The events that an actor accepts now, and the transition that it took last. */

import type {ActorState} from '../../../../../machines/trace/step.ts';
import type {ChartState} from '../../../../../machines/trace/view.ts';
import {escapeLine} from '../../../../../tools/escape.ts';
import {element} from '../../../../serve/page/browser/element.ts';
import {type Enabled, enabledEvents, transitionParts} from '../derived/active.ts';
import {safeLine} from '../elements/safe-text.ts';
import {localized} from '../language.ts';

const texts = localized({
  en: {
    enabled: 'Enabled events',
    none: 'No state accepts an event now.',
    over: 'This actor has ended: events have no effect.',
    kinds: {outcome: 'outcome', timer: 'timer'},
    stays: 'the state stays',
    in: (state: string) => `(in ${state})`,
    last: 'Last transition',
    started: 'None: it is in its initial state.',
  },
  ja: {
    enabled: '受け付けるイベント',
    none: '現在の状態で受け付けるイベントはありません。',
    over: 'このアクターは終了しています。イベントは効果がありません。',
    kinds: {outcome: '結果', timer: 'タイマー'},
    stays: '状態は変わりません',
    in: (state: string) => `（${state}）`,
    last: '直前の遷移',
    started: 'なし（初期状態）',
  },
});

export function drawEnabled(actor: ActorState, active: readonly ChartState[]): HTMLElement {
  const isOver = actor.status !== 'active';
  const events = enabledEvents(active);
  const note = isOver ? texts.over : texts.none;
  return element(
    'section',
    {class: `enabled${isOver ? ' is-over' : ''}`},
    element('h3', {}, texts.enabled),
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
      kind === 'event' ? undefined : element('span', {class: 'muted'}, texts.kinds[kind]),
    ),
    ...parts.map(({guard, target, state}) =>
      element(
        'dd',
        {},
        guard === undefined ? undefined : element('span', {class: 'muted'}, safeLine(guard)),
        element('span', {}, target === undefined ? texts.stays : safeLine(`→ ${target}`)),
        depths.size > 1
          ? element('span', {class: 'muted'}, safeLine(texts.in(state.path.join('.') || state.id)))
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
    element('h3', {}, texts.last),
    last
      ? element('p', {}, element('code', {class: 'strong'}, safeLine(eventName(last.event))))
      : element('p', {class: 'muted'}, texts.started),
    element('ul', {}, ...names.map((name) => element('li', {}, safeLine(known.get(name) ?? name)))),
  );
}
