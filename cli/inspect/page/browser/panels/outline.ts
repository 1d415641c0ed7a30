/** The chart of the selected actor as a list of states: the same facts as the drawing, in words. */

import type {ChartState, ChartTransitionView} from '../../../../../machines/trace/step.ts';
import {button, element} from '../../../../serve/page/browser/element.ts';
import {activeStates, transitionParts} from '../derived/active.ts';
import {safeLine, textSpan} from '../elements/safe-text.ts';
import {t} from '../language.ts';
import type {MakePanel, View} from '../stage.ts';
import {type Charted, chartedIn} from './chart.ts';

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
