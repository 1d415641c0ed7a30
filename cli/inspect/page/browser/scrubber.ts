/** Goes through the moments of a trace: a slider with marks, buttons, and keys for the whole page. */

import type {Gap} from '../../../../machines/trace/step.ts';
import {escapeLine} from '../../../../tools/escape.ts';
import {button, element} from '../../../serve/page/browser/element.ts';
import {type Mark, type MarkKind, marksOf, nextMark} from './derived/decisions.ts';
import {entryLine, requestsOf} from './derived/entry-line.ts';
import {clockTime, duration, grouped} from './elements/formatting.ts';
import {localized} from './language.ts';
import type {MakePanel, Stage, View} from './stage.ts';

const words = localized({
  en: {
    slider: 'Moment',
    first: 'First moment (Home)',
    previous: 'Previous moment (←)',
    next: 'Next moment (→)',
    last: 'Last moment (End)',
    previousDecision: 'Previous decision ([)',
    nextDecision: 'Next decision (])',
    follow: 'Follow',
    none: 'no entries yet',
    place: (seq: number, last: number) => `entry ${grouped(seq)} of ${grouped(last)}`,
    noDecision: 'There is no further decision in this direction.',
  },
  ja: {
    slider: '時点',
    first: '最初 (Home)',
    previous: '前へ (←)',
    next: '次へ (→)',
    last: '最後 (End)',
    previousDecision: '前の決定 ([)',
    nextDecision: '次の決定 (])',
    follow: '追跡',
    none: 'エントリーはまだありません',
    place: (seq: number, last: number) => `エントリー ${grouped(seq)} / ${grouped(last)}`,
    noDecision: 'この方向に決定はありません。',
  },
});

export const scrubber: MakePanel = (stage) => {
  const slider = element('input', {type: 'range', min: 0, step: 1, 'aria-label': words.slider});
  const marks = element('div', {class: 'scrub-marks', 'aria-hidden': 'true'});
  const place = element('p', {class: 'scrub-place number'});
  const follow = button(
    words.follow,
    {class: 'scrub-follow', 'aria-pressed': 'false'},
    stage.follow,
  );
  slider.addEventListener('input', () => stage.goTo(Number(slider.value)));
  listenToKeys(stage, slider);
  const drawMarks = marksDrawer(marks);
  const buttons = moves(stage);
  return {
    element: element(
      'div',
      {class: 'scrubber', role: 'group', 'aria-label': words.slider},
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
  if (!step) return words.none;
  const before = steps[index - 1];
  const since = before ? ` · +${duration(Math.max(0, step.at - before.at))}` : '';
  return `${words.place(step.seq, steps.at(-1)?.seq ?? step.seq)} · ${clockTime(step.at)}${since}`;
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
    const title = words[move];
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
  else if (move.endsWith('Decision')) stage.notify(words.noDecision);
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
