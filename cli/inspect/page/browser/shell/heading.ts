/** The top of the page: the trace, its state, where it came from, and the other traces to choose from. */

import type {TraceHead, TraceRow} from '../../../../../machines/trace/step.ts';
import {escapeLine} from '../../../../../tools/escape.ts';
import {button, byId, element} from '../../../../serve/page/browser/element.ts';
import {createDialog, isTyping} from '../elements/panes.ts';
import {safeLine, textSpan} from '../elements/values.ts';
import {dollars, language, t, word} from '../language.ts';
import type {Stage, View} from '../stage.ts';
import {placeText} from './place.ts';

interface Heading {
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

// The traces to choose from, with a search in their texts, states, folders, forms and ids.

const states: Readonly<Record<string, string>> = {
  running: t`running`,
  waiting: t`waits for a person`,
  suspended: t`suspended`,
  crashed: t`crashed: its process has died`,
  imported: t`from another journal, read only`,
  outdated: t`of another version, read only`,
  damaged: t`damaged, read only`,
};

function stateName(state: string): string {
  return states[state] ?? word(state);
}

function stateBadge(state: string): HTMLElement {
  return textSpan(`badge trace-${state}`, stateName(state));
}

const day = new Intl.DateTimeFormat(language, {dateStyle: 'medium', timeStyle: 'short'});

function timeOf(at: number): HTMLElement {
  return element('time', {datetime: new Date(at).toISOString()}, day.format(at));
}

interface RunList {
  /** Opens the list. */
  readonly button: HTMLButtonElement;
  /** `current`: the id of the shown one. */
  readonly show: (rows: readonly TraceRow[], current: string) => void;
}

function createRunList(openTrace: (id: string) => void): RunList {
  const label = t`Find a run`;
  const search = element('input', {type: 'search', placeholder: label, 'aria-label': label});
  const count = element('p', {class: 'muted number', role: 'status'});
  const list = element('ul', {class: 'panel-body'});
  const head = element('div', {class: 'panel-head'}, search, count);
  const dialog = createDialog(t`Runs`, head, list);
  dialog.classList.add('runs');
  let known: readonly TraceRow[] = [];
  let shown = '';

  const choose = (id: string): void => {
    dialog.close();
    if (id !== shown) openTrace(id);
  };
  const draw = (): void => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = known.filter((row) => words.every((each) => searched(row).includes(each)));
    count.textContent = t`${found.length} {run|runs}`;
    list.replaceChildren(...found.map((row) => rowOf(row, row.id === shown, choose)));
  };
  const open = (): void => {
    draw();
    dialog.showModal();
    search.select();
  };
  search.addEventListener('input', draw);
  dialog.addEventListener('keydown', (event) => moveFocus(event, search, list));
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || isTyping(event) || opener.hidden) return;
    event.preventDefault();
    open();
  });
  const opener = button(t`Runs`, {'aria-haspopup': 'dialog'}, open);
  return {
    button: opener,
    show: (rows, current) => {
      [known, shown] = [rows, current];
      opener.hidden = rows.length < 2;
      if (dialog.open && !list.contains(document.activeElement)) draw();
    },
  };
}

function searched({title, form, state, workspace = '', id}: TraceRow): string {
  return [title, form, state, stateName(state), workspace, id].join('\n').toLowerCase();
}

function rowOf(row: TraceRow, isShown: boolean, choose: (id: string) => void): HTMLElement {
  const {id, title, form, state, openedAt, workspace = '', costUsd} = row;
  const facts = element(
    'span',
    {class: 'facts'},
    stateBadge(state),
    element('span', {}, safeLine(form)),
    timeOf(openedAt),
    costUsd === undefined ? undefined : textSpan('number', dollars(costUsd)),
    element('span', {class: 'cut', title: escapeLine(workspace)}, safeLine(workspace)),
  );
  const made = button('', {class: 'run', 'aria-current': isShown ? 'true' : undefined}, () =>
    choose(id),
  );
  made.append(textSpan('strong cut', title || form), facts);
  return element('li', {}, made);
}

/** With the arrow keys, from the search through the rows. */
function moveFocus(event: KeyboardEvent, search: HTMLElement, list: HTMLElement): void {
  const change = {ArrowDown: 1, ArrowUp: -1}[event.key];
  if (change === undefined) return;
  event.preventDefault();
  const places = [search, ...list.querySelectorAll('button')];
  const at = places.findIndex((place) => place === document.activeElement);
  places[Math.max(0, at + change)]?.focus();
}
