/** All entries of a trace, each in one line; the shown one is marked, and can be read as a whole. */

import {asJson, type JsonObject} from '../../../../../machines/domain/json.ts';
import type {Step} from '../../../../../machines/trace/step.ts';
import {element} from '../../../../serve/page/browser/element.ts';
import {type MarkKind, marksOf} from '../derived/fold.ts';
import {entryLine, requestsOf, type JournalRows, journalRows} from '../derived/journal.ts';
import {copyButton, createJsonTree, textSpan} from '../elements/values.ts';
import {type RowContent, WindowedList} from '../elements/windowed-list.ts';
import {clockTime, t} from '../language.ts';
import type {MakePanel, Panel, Stage, View} from '../stage.ts';

export const journalPanel: MakePanel = (stage) => {
  let drawn: {readonly view: View; readonly rows: JournalRows} | undefined;
  const list = new WindowedList({
    label: t`Entries`,
    name: 'entry',
    draw: (row) => (drawn ? drawRow(drawn.view, drawn.rows, row) : {content: []}),
    choose: (row) => {
      const chosen = drawn?.rows.at(row);
      if (chosen?.kind === 'step') stage.goTo(chosen.index);
    },
  });
  const empty = element('p', {class: 'empty'}, t`There are no entries yet.`);
  const whole = wholeEntry(stage);
  const version = versionOf();
  return {
    element: element('section', {class: 'panel journal'}, empty, list.element, whole.element),
    show: (view) => {
      const rows = journalRows(view.moments, view.gaps);
      drawn = {view, rows};
      empty.hidden = rows.count > 0;
      list.element.hidden = rows.count === 0;
      const shown = view.index < 0 ? undefined : rows.rowOf(view.index);
      list.show({count: rows.count, shown, version: version(view)});
      whole.show(view);
    },
  };
};

/** Rows stay as they are until another trace, another gap or another comparison is shown. */
function versionOf(): (view: View) => string {
  let known: unknown;
  let traces = 0;
  return ({moments, gaps, compared}) => {
    if (known !== moments) traces += 1;
    known = moments;
    return JSON.stringify([traces, gaps, compared ?? null]);
  };
}

function drawRow({moments, compared}: View, rows: JournalRows, row: number): RowContent {
  const found = rows.at(row);
  if (found.kind === 'gap') {
    const {reason} = found.gap;
    const content = [textSpan('entry-type', t`gap`), textSpan('entry-line cut', reason)];
    return {className: 'entry gap', isPassive: true, content};
  }
  const step = moments.steps[found.index];
  if (!step) return {content: []};
  const {type, line} = entryLine(step, requestsOf(moments));
  const kind = marksOf(moments).findLast(({index}) => index === found.index)?.kind;
  return {
    className: found.index === compared ? 'entry compared' : 'entry',
    content: [
      textSpan('entry-seq number', String(step.seq)),
      textSpan('entry-time number', clockTime(step.at)),
      textSpan(`entry-type ${typeClass(step)}`, type),
      element(
        'span',
        {class: `entry-mark ${kind ?? ''}`, 'aria-hidden': 'true'},
        kind && signs[kind],
      ),
      textSpan('entry-line cut', line),
    ],
  };
}

/** As on the slider: a round ended, a person was asked or decided, there is a plan. */
const signs: Readonly<Record<MarkKind, string>> = {
  approved: '●',
  rejected: '○',
  gate: '◆',
  plan: '❙',
};

function typeClass({cause}: Step): string {
  return cause.kind === 'entry' && /^[a-z]+$/.test(cause.entry.type) ? cause.entry.type : '';
}

/** It is drawn only while it is open. */
function wholeEntry(stage: Stage): Panel {
  const title = element('summary');
  const tree = createJsonTree(t`Entries`);
  const copy = copyButton(
    t`Entries`,
    () => JSON.stringify(causeOf(stage.view()), undefined, 2),
    stage.notify,
  );
  const body = element('div', {class: 'whole-body'}, tree.element, copy);
  const details = element('details', {class: 'whole-entry'}, title, body);
  const draw = ({moments, index}: View): void => {
    const step = moments.steps[index];
    details.hidden = !step;
    title.textContent = t`Entry ${step?.seq ?? 0} as JSON`;
    if (details.open && step) tree.show(causeOf({moments, index}));
  };
  details.addEventListener('toggle', () => draw(stage.view()));
  return {element: details, show: draw};
}

function causeOf({moments, index}: Pick<View, 'moments' | 'index'>): JsonObject {
  const cause = moments.steps[index]?.cause;
  if (!cause) return {};
  return cause.kind === 'entry' ? cause.entry : asJson({to: cause.to, event: cause.event});
}
