/** A list of which only the visible rows are in the document: as fast for a million rows as for ten. All rows have one height. */

import {element} from '../../../../serve/page/browser/element.ts';

export interface RowContent {
  readonly className?: string;
  readonly content: readonly (Node | string | undefined)[];
  /** Its depth, for the style sheet. */
  readonly level?: number;
  /** Over those that all rows have. */
  readonly attributes?: Readonly<Record<string, string | number | undefined>>;
  /** It can't be chosen. */
  readonly isPassive?: boolean;
}

export interface ListOptions {
  readonly label: string;
  /** Unique on the page: ids of rows begin with it. */
  readonly name: string;
  readonly role?: 'listbox' | 'tree';
  readonly draw: (row: number) => RowContent;
  /** `target`: the pressed element of the row. */
  readonly choose: (row: number, target?: Element) => void;
  /** True for a key that it handles itself. */
  readonly press?: (key: string) => boolean;
}

export interface Rows {
  readonly count: number;
  /** The chosen row. It is brought into view when it is another one. */
  readonly shown?: number | undefined;
  /** Another version means other rows. */
  readonly version: unknown;
  /** Other rows do not bring the shown one into view. */
  readonly isCalm?: boolean;
}

/** Rows beyond each end of the visible part. */
const margin = 6;
/** While the list is not visible, px. */
const defaultHeight = 28;

export class WindowedList {
  readonly element: HTMLElement;
  readonly #options: ListOptions;
  readonly #probe = element('div', {class: 'window-row probe', 'aria-hidden': 'true'}, ' ');
  readonly #space = element('div', {class: 'window-space', role: 'presentation'}, this.#probe);
  readonly #drawn = new Map<number, HTMLElement>();
  #rows: Rows = {count: 0, version: undefined};
  /** Kept, px: to measure them while something is drawn would lay out the whole page at once. */
  #rowHeight = defaultHeight;
  #height = 0;
  #top = 0;

  constructor(options: ListOptions) {
    this.#options = options;
    const {label, role = 'listbox'} = options;
    const attributes = {role, 'aria-label': label, tabindex: 0};
    this.element = element('div', {class: 'window-list', ...attributes}, this.#space);
    this.element.addEventListener('scroll', () => this.#scroll(), {passive: true});
    this.element.addEventListener('click', ({target}) => this.#click(target));
    this.element.addEventListener('keydown', (event) => this.#press(event));
    const sizes = new ResizeObserver(() => this.#resize());
    sizes.observe(this.element);
    sizes.observe(this.#probe);
  }

  show(rows: Rows): void {
    const before = this.#rows;
    this.#rows = rows;
    const isOther = rows.version !== before.version;
    if (isOther) this.#redraw();
    else if (rows.count !== before.count) this.#setHeight();
    if ((isOther && rows.isCalm !== true) || rows.shown !== before.shown) this.#reveal();
    this.#place();
  }

  #setHeight(): void {
    this.#space.style.setProperty('height', `${this.#rows.count * this.#rowHeight}px`);
  }

  #redraw(): void {
    for (const node of this.#drawn.values()) node.remove();
    this.#drawn.clear();
    this.#setHeight();
  }

  /** The size of the list, or of its font, has changed. */
  #resize(): void {
    this.#rowHeight = this.#probe.offsetHeight || defaultHeight;
    this.#height = this.element.clientHeight;
    this.#top = this.element.scrollTop;
    this.#redraw();
    this.#reveal();
    this.#place();
  }

  #reveal(): void {
    const {shown} = this.#rows;
    if (shown === undefined || this.#height === 0) return;
    const height = this.#rowHeight;
    const isAbove = shown * height < this.#top;
    const isBelow = (shown + 1) * height > this.#top + this.#height;
    if (!isAbove && !isBelow) return;
    const end = Math.max(0, this.#rows.count * height - this.#height);
    this.#top = Math.min(end, Math.max(0, (shown + 0.5) * height - this.#height / 2));
    this.element.scrollTop = this.#top;
  }

  #scroll(): void {
    this.#top = this.element.scrollTop;
    this.#place();
  }

  #place(): void {
    const {count, shown} = this.#rows;
    const height = this.#rowHeight;
    const first = Math.max(0, Math.floor(this.#top / height) - margin);
    const end = Math.min(count, Math.ceil((this.#top + this.#height) / height) + margin);
    for (const [row, node] of this.#drawn) {
      if (row >= first && row < end) continue;
      node.remove();
      this.#drawn.delete(row);
    }
    for (let row = first; row < end; row += 1) {
      const node = this.#drawn.get(row) ?? this.#draw(row, height);
      if (this.#options.role !== 'tree') node.setAttribute('aria-setsize', String(count));
      node.setAttribute('aria-selected', String(row === shown));
    }
    const isDrawn = shown !== undefined && this.#drawn.has(shown);
    if (isDrawn) this.element.setAttribute('aria-activedescendant', this.#idOf(shown));
    else this.element.removeAttribute('aria-activedescendant');
  }

  #draw(row: number, height: number): HTMLElement {
    const {className = '', content, level = 0, isPassive, attributes} = this.#options.draw(row);
    const all = {
      id: this.#idOf(row),
      class: `window-row ${className}`,
      role: 'option',
      'aria-posinset': row + 1,
      'aria-disabled': isPassive === true ? 'true' : undefined,
      'data-row': row,
      ...attributes,
    };
    const made = element('div', all, ...content);
    made.style.setProperty('--level', String(level));
    made.style.setProperty('top', `${row * height}px`);
    this.#drawn.set(row, made);
    this.#space.append(made);
    return made;
  }

  #idOf(row: number): string {
    return `${this.#options.name}-${row}`;
  }

  #click(target: EventTarget | null): void {
    if (!(target instanceof Element)) return;
    const row = target.closest<HTMLElement>('[data-row]');
    if (row && row.ariaDisabled !== 'true')
      this.#options.choose(Number(row.dataset['row']), target);
  }

  #press(event: KeyboardEvent): void {
    const {altKey, ctrlKey, metaKey, key} = event;
    if (altKey || ctrlKey || metaKey || this.#rows.count === 0) return;
    if (this.#options.press?.(key) === true) event.preventDefault();
    else this.#move(event);
  }

  #move(event: KeyboardEvent): void {
    const {key} = event;
    const {count, shown = -1} = this.#rows;
    const page = Math.max(1, Math.floor(this.#height / this.#rowHeight) - 1);
    const wanted = rowForKey(key, {count, shown, page});
    if (wanted === undefined) return;
    event.preventDefault();
    const row = Math.min(count - 1, Math.max(0, wanted));
    const chosen = this.#nearest(row, row < shown ? -1 : 1);
    if (chosen !== undefined) this.#options.choose(chosen);
  }

  /** The nearest row in this direction that can be chosen. */
  #nearest(from: number, direction: number): number | undefined {
    for (let row = from; row >= 0 && row < this.#rows.count; row += direction) {
      if (this.#options.draw(row).isPassive !== true) return row;
    }
    return undefined;
  }
}

function rowForKey(
  key: string,
  {count, shown, page}: {readonly count: number; readonly shown: number; readonly page: number},
): number | undefined {
  const rows: Readonly<Record<string, number>> = {
    ArrowDown: shown + 1,
    ArrowUp: shown - 1,
    PageDown: shown + page,
    PageUp: shown - page,
    Home: 0,
    End: count - 1,
  };
  return rows[key];
}
