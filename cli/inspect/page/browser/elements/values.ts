/** Values as the page shows them: text from outside, JSON as a tree, and a button that copies either. */

import {isJsonArray, isJsonObject, type Json} from '../../../../../machines/domain/json.ts';
import type {JsonPath} from '../../../../../machines/trace/patch.ts';
import {escapeForTerminal, escapeLine} from '../../../../../tools/escape.ts';
import {button, element} from '../../../../serve/page/browser/element.ts';
import {grouped, t} from '../language.ts';

/** Keeps line ends and tabs. */
export function safeText(text: string): HTMLElement {
  return isolated(text, escapeForTerminal);
}

/** For one line: line ends are shown by their names, too. */
export function safeLine(text: string): HTMLElement {
  return isolated(text, escapeLine);
}

/** A part of a line. */
export function textSpan(classes: string, text: string): HTMLElement {
  return element('span', {class: classes}, safeLine(text));
}

function isolated(text: string, escape: (text: string) => string): HTMLElement {
  if (escape(text) === text) return element('bdi', {}, text);
  const made = element('bdi');
  let plain = '';
  for (const character of text) {
    const escaped = escape(character);
    if (escaped === character) {
      plain += character;
      continue;
    }
    if (plain !== '') made.append(plain);
    plain = '';
    const kind = /\s/.test(character) ? 'escaped blank' : 'escaped';
    made.append(element('span', {class: kind}, escaped));
  }
  if (plain !== '') made.append(plain);
  return made;
}

const shownAtFirst = 4000;

/** A block of text; of a long one only the beginning, until the person asks for the rest. `showAll`: the label for that. */
export function safeBlock(text: string, showAll: (length: number) => string): HTMLElement {
  const block = element('div', {class: 'text-block'});
  if (text.length <= shownAtFirst) {
    block.append(safeText(text));
    return block;
  }
  const rest = element('button', {type: 'button', class: 'quiet small'}, showAll(text.length));
  rest.addEventListener('click', () => {
    block.replaceChildren(safeText(text));
    block.tabIndex = -1;
    block.focus();
  });
  block.append(safeText(`${text.slice(0, shownAtFirst).toWellFormed()}…`), rest);
  return block;
}

// JSON as a tree that opens level by level: what is closed is not in the document. It stays open while its value changes.

export interface JsonTree {
  readonly element: HTMLElement;
  /** `changed`: the paths of values to mark. */
  readonly show: (value: Json, changed?: readonly JsonPath[]) => void;
}

/** Members of the first `openLevels` levels are open at first. */
export function createJsonTree(label: string, openLevels = 1): JsonTree {
  const root = element('ul', {class: 'json', 'aria-label': label});
  const drawing = new Drawing(openLevels);
  let last: {readonly value: Json; readonly changed: readonly JsonPath[]} | undefined;
  return {
    element: root,
    show: (value, changed = []) => {
      const isSame = last?.value === value && sameKeys(last.changed, changed);
      if (isSame) return;
      last = {value, changed};
      drawing.mark(changed);
      keepFocus(root, () => root.replaceChildren(...drawing.top(value)));
    },
  };
}

function sameKeys(one: readonly JsonPath[], other: readonly JsonPath[]): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** The element with the focus is made again: the new one of the same place gets it. */
function keepFocus(root: HTMLElement, draw: () => void): void {
  const {activeElement} = document;
  const place =
    activeElement instanceof HTMLElement && root.contains(activeElement)
      ? activeElement.dataset['at']
      : undefined;
  draw();
  if (place === undefined) return;
  const again = [...root.querySelectorAll<HTMLElement>('[data-at]')];
  again.find(({dataset}) => dataset['at'] === place)?.focus({preventScroll: true});
}

const cutAt = 160;
const shownMembers = 100;

class Drawing {
  readonly #openLevels: number;
  /** By place: what the person has opened or closed. */
  readonly #choices = new Map<string, boolean>();
  #changed: ReadonlySet<string> = new Set();
  #changedWithin: ReadonlySet<string> = new Set();

  constructor(openLevels: number) {
    this.#openLevels = openLevels;
  }

  mark(changed: readonly JsonPath[]): void {
    this.#changed = new Set(changed.map(placeOf));
    this.#changedWithin = new Set(
      changed.flatMap((path) => path.map((_, end) => placeOf(path.slice(0, end)))),
    );
  }

  /** The members of an object or array; another value as one row. */
  top(value: Json): HTMLElement[] {
    const members = membersOf(value);
    return members && members.length > 0
      ? this.#rows(members, [])
      : [element('li', {class: 'json-row'}, this.#leaf(value, []))];
  }

  #rows(members: readonly Member[], path: JsonPath): HTMLElement[] {
    const rows = members
      .slice(0, shownMembers)
      .map(([key, value]) => this.#row(key, value, [...path, key]));
    return members.length > shownMembers
      ? [...rows, this.#moreRow(members.slice(shownMembers), path)]
      : rows;
  }

  #moreRow(members: readonly Member[], path: JsonPath): HTMLElement {
    const row = element('li', {class: 'json-row'});
    const count = Math.min(shownMembers, members.length);
    row.append(
      button(t`show ${grouped(count)} more`, {class: 'link'}, () =>
        row.replaceWith(...this.#rows(members, path)),
      ),
    );
    return row;
  }

  #row(key: string | number, value: Json, path: JsonPath): HTMLElement {
    const members = membersOf(value);
    const name = textSpan('json-key', String(key));
    if (!members || members.length === 0) {
      return element(
        'li',
        {class: 'json-row'},
        name,
        ': ',
        this.#leaf(value, path),
        this.#markOf(path),
      );
    }
    return element('li', {}, this.#branch(name, value, {members, path}));
  }

  #branch(
    name: HTMLElement,
    value: Json,
    {members, path}: {readonly members: readonly Member[]; readonly path: JsonPath},
  ): HTMLElement {
    const list = element('ul');
    const hint = textSpan('json-hint', hintOf(value, members));
    return this.#opened(placeOf(path), path.length < this.#openLevels, {
      summary: [name, ' ', hint, this.#markOf(path)],
      content: list,
      fill: () => list.append(...this.#rows(members, path)),
    });
  }

  /** Its content is made when it is opened. The person's choice is kept. */
  #opened(place: string, isOpen: boolean, {summary, content, fill}: Opened): HTMLElement {
    const head = element('summary', {class: 'json-row', 'data-at': place}, ...summary);
    const details = element('details', {}, head, content);
    const fillOnce = (): void => {
      if (details.open && !content.hasChildNodes()) fill();
    };
    details.open = this.#choices.get(place) ?? isOpen;
    fillOnce();
    details.addEventListener('toggle', () => {
      this.#choices.set(place, details.open);
      fillOnce();
    });
    return details;
  }

  #markOf(path: JsonPath): HTMLElement | undefined {
    const place = placeOf(path);
    if (this.#changed.has(place)) return textSpan('json-changed', t`changed`);
    return this.#changedWithin.has(place)
      ? textSpan('json-changed within', t`contains a change`)
      : undefined;
  }

  #leaf(value: Json, path: JsonPath): HTMLElement {
    if (typeof value === 'string') return this.#text(value, `${placeOf(path)}"`);
    const shown = isJsonArray(value) ? '[]' : isJsonObject(value) ? '{}' : String(value);
    return element('span', {class: 'json-value'}, shown);
  }

  /** A long text, or one with several lines, can be opened. */
  #text(text: string, place: string): HTMLElement {
    if (text.length <= cutAt && !text.includes('\n')) return quoted(text);
    const whole = element('div', {class: 'json-long'});
    const cut = text.length > cutAt ? `${text.slice(0, cutAt).toWellFormed()}…` : text;
    return this.#opened(place, false, {
      summary: [quoted(cut), ' ', textSpan('json-hint', t`${grouped(text.length)} characters`)],
      content: whole,
      fill: () => whole.append(safeText(text)),
    });
  }
}

interface Opened {
  readonly summary: readonly (HTMLElement | string | undefined)[];
  readonly content: HTMLElement;
  readonly fill: () => void;
}

function quoted(text: string): HTMLElement {
  return element('span', {class: 'json-string'}, '"', safeLine(text), '"');
}

type Member = readonly [key: string | number, value: Json];

function membersOf(value: Json): readonly Member[] | undefined {
  if (isJsonArray(value)) return [...value.entries()];
  return isJsonObject(value) ? Object.entries(value) : undefined;
}

function placeOf(path: JsonPath): string {
  return JSON.stringify(path);
}

/** The names of the first members, or the number of all. */
function hintOf(value: Json, members: readonly Member[]): string {
  if (isJsonArray(value)) return `[${grouped(members.length)}]`;
  const names = members.slice(0, 4).map(([key]) => String(key).slice(0, 40));
  return `{${names.join(', ')}${members.length > 4 ? ', …' : ''}}`;
}

// A button that copies a text exactly as it is.

/** `of`: what is copied, for screen readers. */
export function copyButton(
  of: string,
  text: () => string,
  notify: (text: string) => void,
): HTMLButtonElement {
  return button(t`Copy`, {class: 'quiet small', 'aria-label': `${t`Copy`}: ${of}`}, () => {
    void copy(text()).then((isCopied) =>
      notify(isCopied ? t`Copied.` : t`The browser did not allow copying.`),
    );
  });
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
