/** The top of the page: the trace, its state, where it came from, and the other traces. */

import type {TraceHead, TraceRow} from '../../../../../machines/trace/step.ts';
import {escapeLine} from '../../../../../tools/escape.ts';
import {button, byId, element} from '../../../../serve/page/browser/element.ts';
import {createDialog, isTyping} from '../elements/dialog.ts';
import {safeLine} from '../elements/safe-text.ts';
import {t} from '../language.ts';
import type {Stage, View} from '../stage.ts';
import {placeText} from './place.ts';
import {createRunList, stateBadge, timeOf} from './run-list.ts';

export interface Heading {
  readonly show: (view: View) => void;
  /** The traces to choose from. */
  readonly list: (rows: readonly TraceRow[]) => void;
}

export function createHeading({source, openTrace}: Pick<Stage, 'source' | 'openTrace'>): Heading {
  const title = element('h1', {class: 'cut'});
  const facts = element('p', {class: 'facts'});
  const notice = element('p', {class: 'notice', hidden: true});
  const runs = createRunList(openTrace);
  let current: TraceHead | undefined;
  let heads: readonly TraceRow[] = [];

  const showList = (): void => {
    if (!current) return;
    const {id} = current;
    runs.show(heads.some((head) => head.id === id) ? heads : [current, ...heads], id);
  };
  const heading = element('div', {class: 'top-title'}, title, facts);
  byId('top', HTMLElement).append(
    element('div', {class: 'top-row'}, heading, runs.button, keySheetButton()),
    notice,
  );
  return {
    show: (view) => {
      const {head} = view;
      const text = noticeOf(view);
      notice.hidden = text === '';
      if (notice.textContent !== text) notice.replaceChildren(safeLine(text));
      if (head === current) return;
      current = head;
      document.title = `${escapeLine(head.title || head.form)} · Quorate`;
      title.replaceChildren(safeLine(head.title || head.form));
      title.title = escapeLine(head.title);
      facts.replaceChildren(...factsOf(head, source.isLive));
      showList();
    },
    list: (given) => {
      if (JSON.stringify(given) === JSON.stringify(heads)) return;
      heads = given;
      showList();
    },
  };
}

function factsOf({id, form, state, openedAt, origin}: TraceHead, isLive: boolean): HTMLElement[] {
  return [
    stateBadge(state),
    element('span', {}, safeLine(form)),
    timeOf(openedAt),
    element('code', {class: 'muted'}, safeLine(id)),
    ...(origin ? [originOf(origin, isLive)] : []),
  ];
}

/** A file holds one trace, so that there is nothing to lead to. */
function originOf({id, seq}: NonNullable<TraceHead['origin']>, isLive: boolean): HTMLElement {
  const text = safeLine(t`Fork of ${id} after ${seq}`);
  return isLive
    ? element('a', {href: placeText({run: id, at: seq})}, text)
    : element('span', {}, text);
}

function noticeOf({head, gaps, moment, moments, index}: View): string {
  const seq = moments.steps[index]?.seq ?? moment.seq;
  const gap = gaps.find(({from, to = Number.POSITIVE_INFINITY}) => from <= seq && seq <= to);
  if (gap) return t`The states at this moment are unknown: ${gap.reason}`;
  return head.isThisVersion
    ? ''
    : t`Another version of Quorate wrote this run. This version follows its entries; the shown prompts may differ from the sent ones.`;
}

// The sheet of the keys, which `?` opens.

const keys: readonly (readonly [keys: readonly string[], effect: string])[] = [
  [['←', '→'], t`one entry back or forward`],
  [['[', ']'], t`to the previous or next decision`],
  [['Home', 'End'], t`to the first or last entry`],
  [['↑', '↓'], t`to the next row of a list or of the actors`],
  [['/'], t`find a run`],
  [['+', '−', '0'], t`zoom the chart, or fit it`],
  [['?'], t`this list`],
];

/** A button that opens the sheet, as its key does. */
function keySheetButton(): HTMLButtonElement {
  const rows = keys.flatMap(([names, effect]) => [
    element('dt', {}, ...names.flatMap((name) => [element('kbd', {}, name), ' '])),
    element('dd', {}, effect),
  ]);
  const dialog = createDialog(t`Keys`, element('dl', {class: 'panel-body keys'}, ...rows));
  document.addEventListener('keydown', (event) => {
    if (event.key === '?' && !isTyping(event)) dialog.showModal();
  });
  const title = t`Keys (?)`;
  return button('?', {'aria-label': title, title}, () => dialog.showModal());
}
