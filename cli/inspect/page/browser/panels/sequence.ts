/** Messages between actors around the shown moment: a sequence diagram that is a list of buttons at the same time. */

import {escapeLine} from '../../../../../tools/escape.ts';
import {button, element} from '../../../../serve/page/browser/element.ts';
import {type Arrow, type Sequence, sequenceAround} from '../derived/lanes.ts';
import {clockTime, grouped} from '../elements/formatting.ts';
import {safeLine} from '../elements/safe-text.ts';
import {localized} from '../language.ts';
import type {MakePanel, Stage, View} from '../stage.ts';
import {eventName} from './enabled.ts';

const texts = localized({
  en: {
    onlySelected: 'Selected actor only',
    asList: 'As a list',
    none: 'There are no messages here.',
    outside: 'outside',
    messages: 'Messages',
    actors: 'Actors',
    between: (from: string, to: string) => `from ${from} to ${to}: `,
    itself: (from: string) => `from ${from} to itself: `,
    count: (lanes: number, messages: number) => `${messages} messages, ${lanes} actors`,
  },
  ja: {
    onlySelected: '選択中のアクターのみ',
    asList: 'リスト',
    none: 'ここにはメッセージがありません。',
    outside: '外部',
    messages: 'メッセージ',
    actors: 'アクター',
    between: (from: string, to: string) => `${from} から ${to} へ：`,
    itself: (from: string) => `${from} から自分へ：`,
    count: (lanes: number, messages: number) => `メッセージ ${messages}件、アクター ${lanes}件`,
  },
});

/** Below this width, in pixels, it is a list: there is no room for lanes. */
const narrow = 480;
const most = {before: 24, after: 12, lanes: 10};

export const sequencePanel: MakePanel = (stage) => {
  const body = element('div', {class: 'panel-body sequence'});
  const count = element('span', {class: 'muted number'});
  let view: View | undefined;
  const draw = (): void => {
    if (!view) return;
    const {moments, index, actor} = view;
    const chosen = only.isOn() && actor !== undefined ? {actor} : {};
    const sequence = sequenceAround(moments.steps, {index, ...most, ...chosen});
    body.classList.toggle('as-list', listed.isOn() || body.clientWidth < narrow);
    const {lanes, arrows} = sequence;
    count.textContent = texts.count(lanes.length, arrows.length);
    const focused = focusedIn(body);
    body.style.setProperty('--lanes', String(lanes.length));
    body.replaceChildren(
      ...(arrows.length > 0
        ? [drawLanes(lanes, actor, stage), drawArrows(sequence, index, stage)]
        : [element('p', {class: 'empty'}, texts.none)]),
    );
    reveal(body);
    if (focused)
      body.querySelector<HTMLElement>(`[data-key="${focused}"]`)?.focus({preventScroll: true});
  };
  const only = toggle(texts.onlySelected, draw);
  const listed = toggle(texts.asList, draw);
  const head = element('div', {class: 'panel-head'}, only.element, listed.element, count);
  return {
    element: element('div', {class: 'panel'}, head, body),
    show: (now) => {
      view = now;
      draw();
    },
  };
};

function toggle(
  text: string,
  changed: () => void,
): {readonly element: HTMLElement; readonly isOn: () => boolean} {
  let isOn = false;
  const made = button(text, {'aria-pressed': 'false'}, () => {
    isOn = !isOn;
    made.setAttribute('aria-pressed', String(isOn));
    changed();
  });
  return {element: made, isOn: () => isOn};
}

function drawLanes(
  lanes: readonly string[],
  selected: string | undefined,
  {select}: Stage,
): HTMLElement {
  const names = lanes.map((path, index) =>
    path === ''
      ? element('span', {class: 'lane muted'}, texts.outside)
      : element(
          'span',
          {class: 'lane'},
          laneButton(path, index, path === selected, () => select(path)),
        ),
  );
  return element('div', {class: 'lanes', role: 'group', 'aria-label': texts.actors}, ...names);
}

function laneButton(
  path: string,
  index: number,
  isSelected: boolean,
  press: () => void,
): HTMLElement {
  const ids = path.split('/');
  const made = button(
    '',
    {title: escapeLine(path), 'aria-pressed': String(isSelected), 'data-key': `lane-${index}`},
    press,
  );
  made.append(
    element('span', {class: 'cut muted'}, safeLine(ids.at(-2) ?? '')),
    element('span', {class: 'cut'}, safeLine(ids.at(-1) ?? '')),
  );
  return made;
}

function drawArrows({arrows, lanes}: Sequence, shown: number, {goTo}: Stage): HTMLElement {
  return element(
    'ol',
    {class: 'arrows', 'aria-label': texts.messages},
    ...arrows.map((arrow, position) => {
      const isFirst = arrows[position - 1]?.index !== arrow.index;
      return element(
        'li',
        {class: isFirst ? 'is-first' : undefined},
        drawArrow(arrow, lanes, arrow.index === shown, () => goTo(arrow.index)),
      );
    }),
  );
}

function drawArrow(
  {index, step, message, from, to}: Arrow,
  lanes: readonly string[],
  isShown: boolean,
  press: () => void,
): HTMLElement {
  const {event} = message;
  const spoken =
    from === to
      ? texts.itself(nameIn(lanes, from))
      : texts.between(nameIn(lanes, from), nameIn(lanes, to));
  const made = button(
    '',
    {
      class: `message${isShown ? ' is-shown' : ''}`,
      title: escapeLine(`${clockTime(step.at)} ${event.type}`),
      'aria-current': isShown ? 'step' : undefined,
      'data-key': `${index}-${from}-${to}-${event.type.replaceAll(/[^a-z.]/gi, '')}`,
    },
    press,
  );
  const way = from === to ? 'itself' : from < to ? 'right' : 'left';
  const line = element(
    'span',
    {class: `line to-${way}`},
    element('span', {class: 'event cut'}, safeLine(eventName(event.type))),
  );
  const first = Math.min(from, to);
  const span = Math.abs(from - to) + 1;
  line.style.setProperty('grid-column', `${first + 1} / span ${span}`);
  line.style.setProperty('--span', String(span));
  made.append(
    element('span', {class: 'at number muted'}, grouped(step.seq)),
    element('span', {class: 'spoken muted'}, safeLine(spoken)),
    line,
  );
  return made;
}

function nameIn(lanes: readonly string[], lane: number): string {
  return (lanes[lane] ?? '').split('/').slice(-2).join(' / ') || texts.outside;
}

/** Of the text of an arrow, in pixels. */
const textRoom = 120;

function focusedIn(body: HTMLElement): string | undefined {
  const {activeElement: active} = document;
  return active instanceof HTMLElement && body.contains(active) ? active.dataset['key'] : undefined;
}

/** The shown step in the middle; without messages of its own, the last step before it. */
function reveal(body: HTMLElement): void {
  const shown = body.querySelector<HTMLElement>('.is-shown');
  const place = shown ?? [...body.querySelectorAll<HTMLElement>('.message')].at(-most.after - 1);
  if (!place) return;
  body.scrollTop = place.offsetTop - body.clientHeight / 2;
  const line = place.querySelector<HTMLElement>('.line');
  if (!line) return;
  const end = line.offsetLeft + Math.min(line.offsetWidth, textRoom);
  const isInSight = line.offsetLeft >= body.scrollLeft && end <= body.scrollLeft + body.clientWidth;
  if (!isInSight) body.scrollLeft = line.offsetLeft - body.clientWidth / 3;
}
