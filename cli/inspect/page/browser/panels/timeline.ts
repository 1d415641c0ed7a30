/** The overview of a run and the waterfall of its effects: spans on an axis of time, each a link to its moment. */

import type {ModelCall} from '../../../../../machines/trace/step.ts';
import {escapeLine} from '../../../../../tools/escape.ts';
import {element} from '../../../../serve/page/browser/element.ts';
import {totalsOf} from '../derived/fold.ts';
import {
  axisOf,
  callsIn,
  isEffect,
  type Row,
  rowsOf,
  type Span,
  spansOf,
} from '../derived/timeline.ts';
import {safeLine, textSpan} from '../elements/values.ts';
import {type RowContent, WindowedList} from '../elements/windowed-list.ts';
import {dollars, duration, grouped, t, word} from '../language.ts';
import {callStore} from '../sources/loaded.ts';
import type {MakePanel, Stage, View} from '../stage.ts';
import {spanName} from './names.ts';
import {totalsText} from './prompts.ts';
import {outcomeWords} from './votes.ts';

export const overviewPanel: MakePanel = (stage) =>
  timelinePanel(stage, {name: 'overview', label: t`Overview`, isShown: (span) => !isEffect(span)});

export const waterfallPanel: MakePanel = (stage) =>
  timelinePanel(stage, {
    name: 'waterfall',
    label: t`Waterfall`,
    isShown: ({kind}) => kind !== 'change' && kind !== 'command',
  });

interface Kind {
  readonly name: string;
  readonly label: string;
  readonly isShown: (span: Span) => boolean;
}

/** The data of the rows, made again when there are more steps or calls. */
interface Drawn {
  readonly view: View;
  readonly calls: readonly ModelCall[];
  readonly rows: readonly Row[];
  readonly places: readonly number[];
}

function timelinePanel(stage: Stage, {name, label, isShown}: Kind): ReturnType<MakePanel> {
  const store = callStore(stage);
  let drawn: Drawn | undefined;
  let chosen: Span | undefined;
  const totals = element('p', {class: 'panel-head number call-totals'});
  const empty = element('p', {class: 'empty'}, t`There are no entries yet.`);
  const list = new WindowedList({
    label,
    name,
    draw: (row) => (drawn ? drawRow(drawn, row) : {content: []}),
    choose: (row) => {
      chosen = drawn?.rows[row]?.span;
      if (chosen) open(chosen, stage);
    },
  });
  const show = (view: View): void => {
    const calls = store.of(view) ?? noCalls;
    drawn = drawnFor(view, calls, isShown, drawn);
    const {rows, places} = drawn;
    totals.textContent = [totalTime(view), totalsText(calls)].filter(Boolean).join(' · ');
    empty.hidden = rows.length > 0;
    list.element.hidden = rows.length === 0;
    list.element.style.setProperty('--now', String(places[view.index] ?? 0));
    const shown = rowAt(rows, view, chosen);
    list.show({count: rows.length, shown, version: rows, isCalm: true});
  };
  store.onChange(() => show(stage.view()));
  const parts = [totals, empty, list.element];
  return {element: element('section', {class: `panel timeline ${name}`}, ...parts), show};
}

const noCalls: readonly ModelCall[] = [];

function drawnFor(
  view: View,
  calls: readonly ModelCall[],
  isShown: Kind['isShown'],
  before: Drawn | undefined,
): Drawn {
  const {moments} = view;
  const {steps} = moments;
  const isSame =
    before?.view.moments === moments &&
    before.calls === calls &&
    before.places.length === steps.length;
  if (before && isSame) return {...before, view};
  const {all} = spansOf(moments);
  return {view, calls, rows: rowsOf(all.filter(isShown)), places: axisOf(steps, all)};
}

/** The last step of a span is its moment; of an open one, and of the request, the first. */
function momentOf({kind, began, ended}: Span): number {
  return ended < 0 || kind === 'request' ? began : ended;
}

function open(span: Span, stage: Stage): void {
  stage.goTo(momentOf(span));
  if (span.kind === 'model' && span.key !== undefined) stage.openBeside('prompts', span.key);
  if (span.kind === 'vote' || span.kind === 'gate') stage.openBeside('votes');
}

/** The chosen row at its own moment, else the row of the moment or the last one before it; none while the end is shown. */
function rowAt(
  rows: readonly Row[],
  {moments, index}: View,
  chosen: Span | undefined,
): number | undefined {
  const isEnd = index === moments.steps.length - 1;
  const own = rows.findIndex(({span}) => span === chosen);
  if (chosen && own >= 0 && momentOf(chosen) === index) return own;
  if (isEnd) return undefined;
  const exact = rows.findIndex(({span}) => momentOf(span) === index);
  const last = exact < 0 ? rows.findLastIndex(({span}) => momentOf(span) <= index) : exact;
  return last < 0 ? undefined : last;
}

function totalTime({moments: {steps}}: View): string {
  const [first, last] = [steps[0], steps.at(-1)];
  return first && last ? duration(last.at - first.at) : '';
}

function drawRow({view, calls, rows, places}: Drawn, index: number): RowContent {
  const row = rows[index];
  if (!row) return {content: []};
  const {span, level} = row;
  const {steps} = view.moments;
  const {inputTokens, outputTokens, costUsd} = totalsOf(callsIn(span, calls, steps));
  const tokens = inputTokens + outputTokens;
  const name = spanName(span);
  const main = element(
    'span',
    {class: 'span-main cut', title: escapeLine(span.within)},
    textSpan('strong', name),
    name === '' ? '' : ' ',
    safeLine(span.text.slice(0, maxText).replaceAll(/\s+/g, ' ')),
  );
  const facts = [
    durationOf(span, view),
    tokens > 0 ? t`${grouped(tokens)} tokens` : '',
    costUsd === undefined || costUsd === 0 ? '' : dollars(costUsd),
  ].filter(Boolean);
  const outcome = outcomeOf(span);
  const parts = [
    ...(outcome === '' ? [] : [textSpan('span-outcome', outcome)]),
    ...facts.map((text) => textSpan('number', text)),
  ];
  return {
    className: `span is-${span.kind} ${toneOf(span)}`,
    level,
    content: [main, element('span', {class: 'span-facts'}, ...parts), barOf(span, places)],
  };
}

const maxText = 300;

function durationOf({began, ended}: Span, {moments: {steps}}: View): string {
  const [from, to] = [steps[began], steps[ended]];
  return from && to && to.at > from.at ? duration(to.at - from.at) : '';
}

function outcomeOf({kind, of, ended, outcome, isCancelled}: Span): string {
  if (ended < 0) return outcomeWords.open;
  if (kind === 'plan') return t`${Number(of)} {task|tasks}`;
  if (isCancelled) return word('cancelled');
  return outcome === 'noQuorum' ? outcomeWords.noQuorum : word(outcome === 'ok' ? '' : outcome);
}

const good: ReadonlySet<string> = new Set(['approved', 'approve', 'succeeded', 'completed']);
const bad: ReadonlySet<string> = new Set([
  'rejected',
  'reject',
  'noQuorum',
  'failed',
  'fail',
  'error',
  'limited',
]);

function toneOf({kind, outcome, ended, isCancelled}: Span): string {
  if (isCancelled) return 'cancelled';
  if (ended < 0) return 'open';
  if (good.has(outcome)) return 'good';
  return bad.has(outcome) || (kind === 'model' && outcome !== 'ok') ? 'bad' : '';
}

function barOf({began, ended}: Span, places: readonly number[]): HTMLElement {
  const from = places[began] ?? 0;
  const to = ended < 0 ? 1 : (places[ended] ?? from);
  const bar = element('span', {class: 'span-bar'});
  bar.style.setProperty('left', `${from * 100}%`);
  bar.style.setProperty('width', `${(to - from) * 100}%`);
  return element('span', {class: 'span-track', 'aria-hidden': 'true'}, bar);
}
