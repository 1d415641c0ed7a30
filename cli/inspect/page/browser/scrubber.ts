/** Goes through the moments of a trace: a slider with marks, buttons, and keys for the whole page. */

import type {Gap} from '../../../../machines/trace/step.ts';
import {escapeLine} from '../../../../tools/escape.ts';
import {button, element} from '../../../serve/page/browser/element.ts';
import {type Mark, type MarkKind, marksOf, nextMark} from './derived/decisions.ts';
import {entryLine, requestsOf} from './derived/entry-line.ts';
import {clockTime, duration, grouped} from './elements/formatting.ts';
import {t} from './language.ts';
import type {MakePanel, Stage, View} from './stage.ts';

const titles: Readonly<Record<Move, string>> = {
  first: t`First moment (Home)`,
  previous: t`Previous moment (←)`,
  next: t`Next moment (→)`,
  last: t`Last moment (End)`,
  previousDecision: t`Previous decision ([)`,
  nextDecision: t`Next decision (])`,
};

export const scrubber: MakePanel = (stage) => {
  const slider = element('input', {type: 'range', min: 0, step: 1, 'aria-label': t`Moment`});
  const marks = element('div', {class: 'scrub-marks', 'aria-hidden': 'true'});
  const place = element('p', {class: 'scrub-place number'});
  const follow = button(t`Follow`, {class: 'scrub-follow', 'aria-pressed': 'false'}, stage.follow);
  slider.addEventListener('input', () => stage.goTo(Number(slider.value)));
  listenToKeys(stage, slider);
  const drawMarks = marksDrawer(marks);
  const buttons = moves(stage);
  return {
    element: element(
      'div',
      {class: 'scrubber', role: 'group', 'aria-label': t`Moment`},
      element('div', {class: 'scrub-buttons'}, ...buttons.all, follow),
      element('div', {class: 'scrub-track'}, marks, slider),
      place,
    ),
    show: (view) => {
      const count = view.moments.steps.length;
      slider.max = String(Math.max(0, count - 1));
      slider.value = String(Math.max(0, view.index));
      slider.disabled = count === 0;
      const text = placeText(view);
      place.textContent = text;
      slider.setAttribute('aria-valuetext', spokenText(view, text));
      follow.hidden = !stage.source.isLive;
      follow.setAttribute('aria-pressed', String(view.isFollowing));
      buttons.show(view);
      drawMarks(view);
    },
  };
};

function placeText({moments: {steps}, index}: View): string {
  const step = steps[index];
  if (!step) return t`no entries yet`;
  const before = steps[index - 1];
  const since = before ? ` · +${duration(Math.max(0, step.at - before.at))}` : '';
  return `${t`entry ${grouped(step.seq)} of ${grouped(steps.at(-1)?.seq ?? step.seq)}`} · ${clockTime(step.at)}${since}`;
}

function spokenText({moments, index}: View, place: string): string {
  const step = moments.steps[index];
  if (!step) return place;
  const {type, line} = entryLine(step, requestsOf(moments));
  return escapeLine(`${place} · ${type} ${line.slice(0, 80)}`);
}

type Move = 'first' | 'previousDecision' | 'previous' | 'next' | 'nextDecision' | 'last';

const signs: Readonly<Record<Move, string>> = {
  first: '⇤',
  previousDecision: '⟨',
  previous: '←',
  next: '→',
  nextDecision: '⟩',
  last: '⇥',
};

function moves(stage: Stage): {
  readonly all: readonly HTMLElement[];
  readonly show: (view: View) => void;
} {
  const made = (
    ['first', 'previousDecision', 'previous', 'next', 'nextDecision', 'last'] as const
  ).map((move) => {
    const title = titles[move];
    const node = button('', {class: 'scrub-move', 'aria-label': title, title}, () =>
      go(stage, move),
    );
    node.append(element('span', {'aria-hidden': 'true'}, signs[move]));
    return [move, node] as const;
  });
  return {
    all: made.map(([, node]) => node),
    show: (view) => {
      for (const [move, node] of made) {
        const isDisabled = targetOf(view, move) === undefined;
        node.setAttribute('aria-disabled', String(isDisabled));
      }
    },
  };
}

/** The index of the step to which a move leads. */
function targetOf({moments, index}: View, move: Move): number | undefined {
  const end = moments.steps.length - 1;
  const targets: Readonly<Record<Move, () => number | undefined>> = {
    first: () => (index > 0 ? 0 : undefined),
    previous: () => (index > 0 ? index - 1 : undefined),
    next: () => (index < end ? index + 1 : undefined),
    last: () => (index < end ? end : undefined),
    previousDecision: () => nextMark(marksOf(moments).marks, index, -1),
    nextDecision: () => nextMark(marksOf(moments).marks, index, 1),
  };
  return targets[move]();
}

function go(stage: Stage, move: Move): void {
  const target = targetOf(stage.view(), move);
  if (target !== undefined) stage.goTo(target);
  else if (move.endsWith('Decision'))
    stage.notify(t`There is no further decision in this direction.`);
}

const keys: Readonly<Record<string, Move>> = {
  ArrowLeft: 'previous',
  ArrowRight: 'next',
  Home: 'first',
  End: 'last',
  '[': 'previousDecision',
  ']': 'nextDecision',
};

/** Fields, and lists that use a key themselves, keep it. */
function listenToKeys(stage: Stage, slider: HTMLInputElement): void {
  document.addEventListener('keydown', (event) => {
    const move = keys[event.key];
    const {target} = event;
    if (!move || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const isDecision = move.endsWith('Decision');
    if (target === slider ? !isDecision : isTypedIn(target)) return;
    event.preventDefault();
    go(stage, move);
  });
}

function isTypedIn(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, select') !== null;
}

/** Marks that would lie on one another are drawn once. */
const places = 400;

function marksDrawer(holder: HTMLElement): (view: View) => void {
  let drawn: unknown[] = [];
  return ({moments, gaps}) => {
    const {marks} = marksOf(moments);
    const count = moments.steps.length;
    const key = [moments, marks.length, gaps, count];
    if (key.every((each, at) => each === drawn[at])) return;
    drawn = key;
    const placeOf = (index: number): number =>
      Math.round((index / Math.max(1, count - 1)) * places) / places;
    const nodes = placedMarks(marks, placeOf).map(({kind, at}) => markAt(kind, at));
    const bands = gaps.map((gap) =>
      bandOf(gap, {placeOf, indexOf: (seq) => moments.indexOf(seq), count}),
    );
    holder.replaceChildren(...bands, ...nodes);
  };
}

function placedMarks(
  marks: readonly Mark[],
  placeOf: (index: number) => number,
): {readonly kind: MarkKind; readonly at: number}[] {
  const placed = new Map<string, {readonly kind: MarkKind; readonly at: number}>();
  for (const {kind, index} of marks)
    placed.set(`${kind} ${placeOf(index)}`, {kind, at: placeOf(index)});
  return [...placed.values()];
}

function markAt(kind: MarkKind | 'gap', from: number, to = from): HTMLElement {
  const mark = element('span', {class: `scrub-mark ${kind}`});
  mark.style.setProperty('left', `${from * 100}%`);
  if (kind === 'gap') mark.style.setProperty('width', `${Math.max(0.5, (to - from) * 100)}%`);
  return mark;
}

interface Scale {
  readonly placeOf: (index: number) => number;
  readonly indexOf: (seq: number) => number;
  readonly count: number;
}

function bandOf({from, to}: Gap, {placeOf, indexOf, count}: Scale): HTMLElement {
  const end = to === undefined ? count - 1 : indexOf(to);
  return markAt('gap', placeOf(Math.max(0, indexOf(from - 1))), placeOf(Math.max(0, end)));
}
