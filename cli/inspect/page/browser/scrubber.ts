/** Goes through the moments of a trace: a slider with marks, buttons, and keys for the whole page. */

import type {Gap} from '../../../../machines/trace/step.ts';
import {escapeLine} from '../../../../tools/escape.ts';
import {button, element} from '../../../serve/page/browser/element.ts';
import {type Mark, type MarkKind, marksOf, nextMark} from './derived/fold.ts';
import {entryLine, requestsOf} from './derived/journal.ts';
import {isTyping} from './elements/panes.ts';
import {clockTime, duration, grouped, t} from './language.ts';
import type {MakePanel, Stage, View} from './stage.ts';

interface Move {
  readonly sign: string;
  readonly title: string;
  readonly key: string;
  /** The index of the step to which it leads. */
  readonly target: (view: View) => number | undefined;
  readonly isToDecision?: true;
}

const moves: readonly Move[] = [
  {
    sign: '⇤',
    title: t`First moment (Home)`,
    key: 'Home',
    target: ({index}) => (index > 0 ? 0 : undefined),
  },
  {
    sign: '⟨',
    title: t`Previous decision ([)`,
    key: '[',
    target: ({moments, index}) => nextMark(marksOf(moments), index, -1),
    isToDecision: true,
  },
  {
    sign: '←',
    title: t`Previous moment (←)`,
    key: 'ArrowLeft',
    target: ({index}) => (index > 0 ? index - 1 : undefined),
  },
  {
    sign: '→',
    title: t`Next moment (→)`,
    key: 'ArrowRight',
    target: (view) => (view.index < lastOf(view) ? view.index + 1 : undefined),
  },
  {
    sign: '⟩',
    title: t`Next decision (])`,
    key: ']',
    target: ({moments, index}) => nextMark(marksOf(moments), index, 1),
    isToDecision: true,
  },
  {
    sign: '⇥',
    title: t`Last moment (End)`,
    key: 'End',
    target: (view) => (view.index < lastOf(view) ? lastOf(view) : undefined),
  },
];

function lastOf({moments}: View): number {
  return moments.steps.length - 1;
}

export const scrubberPanel: MakePanel = (stage) => {
  const slider = element('input', {type: 'range', min: 0, step: 1, 'aria-label': t`Moment`});
  const marks = element('div', {class: 'scrub-marks', 'aria-hidden': 'true'});
  const place = element('p', {class: 'scrub-place number'});
  const follow = button(t`Follow`, {class: 'scrub-follow', 'aria-pressed': 'false'}, stage.follow);
  slider.addEventListener('input', () => stage.goTo(Number(slider.value)));
  listenToKeys(stage, slider);
  const drawMarks = marksDrawer(marks);
  const buttons = moveButtons(stage);
  return {
    element: element(
      'div',
      {class: 'scrubber', role: 'group', 'aria-label': t`Moment`},
      element('div', {class: 'scrub-buttons'}, ...buttons.map(([, node]) => node), follow),
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
      for (const [{target}, node] of buttons)
        node.setAttribute('aria-disabled', String(target(view) === undefined));
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

function moveButtons(stage: Stage): readonly (readonly [Move, HTMLElement])[] {
  return moves.map((move) => {
    const {sign, title} = move;
    const attributes = {class: 'scrub-move', 'aria-label': title, title};
    const node = button('', attributes, () => go(stage, move));
    node.append(element('span', {'aria-hidden': 'true'}, sign));
    return [move, node];
  });
}

function go(stage: Stage, {target, isToDecision}: Move): void {
  const index = target(stage.view());
  if (index !== undefined) stage.goTo(index);
  else if (isToDecision) stage.notify(t`There is no further decision in this direction.`);
}

/** Fields, and lists that use a key themselves, keep it. */
function listenToKeys(stage: Stage, slider: HTMLInputElement): void {
  document.addEventListener('keydown', (event) => {
    const move = moves.find(({key}) => key === event.key);
    const {target} = event;
    if (!move || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target === slider ? !move.isToDecision : isTyping(event)) return;
    event.preventDefault();
    go(stage, move);
  });
}

/** Marks that would lie on one another are drawn once. */
const places = 400;

function marksDrawer(holder: HTMLElement): (view: View) => void {
  let drawn: unknown[] = [];
  return ({moments, gaps}) => {
    const marks = marksOf(moments);
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
