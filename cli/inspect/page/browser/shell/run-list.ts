/** The traces to choose from, with a search in their texts, states, folders, forms and ids. */

import type {TraceRow} from '../../../../../machines/trace/step.ts';
import {escapeLine} from '../../../../../tools/escape.ts';
import {button, element} from '../../../../serve/page/browser/element.ts';
import {createDialog, isTyping} from '../elements/dialog.ts';
import {dollars} from '../elements/formatting.ts';
import {safeLine, textSpan} from '../elements/safe-text.ts';
import {language, t, word} from '../language.ts';

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

export function stateBadge(state: string): HTMLElement {
  return textSpan(`badge trace-${state}`, stateName(state));
}

const day = new Intl.DateTimeFormat(language, {dateStyle: 'medium', timeStyle: 'short'});

export function timeOf(at: number): HTMLElement {
  return element('time', {datetime: new Date(at).toISOString()}, day.format(at));
}

export interface RunList {
  /** Opens the list. */
  readonly button: HTMLButtonElement;
  /** `current`: the id of the shown one. */
  readonly show: (rows: readonly TraceRow[], current: string) => void;
}

export function createRunList(openTrace: (id: string) => void): RunList {
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
