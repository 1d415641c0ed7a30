/** The actors at the shown moment. Only the rows in sight are elements, so that thousands of actors cost as little as ten. */

import type {ActorState} from '../../../../../machines/trace/step.ts';
import {button, element} from '../../../../serve/page/browser/element.ts';
import {type ActorRow, actorRows} from '../derived/actor-rows.ts';
import {t} from '../language.ts';
import type {MakePanel, Stage, View} from '../stage.ts';
import {chartFacts} from './chart-facts.ts';
import {createOpenEffects} from './open-effects.ts';
import {moveFor} from './tree-keys.ts';
import {drawRow} from './tree-row.ts';

/** In rem, as in the style sheet. */
const rowHeight = 3.25;
const beyond = 6;
const mostKept = 2000;

export const treePanel: MakePanel = (stage) => {
  const panel = new TreePanel(stage);
  return {element: panel.element, show: (view) => panel.show(view)};
};

class TreePanel {
  readonly element: HTMLElement;
  readonly #stage: Stage;
  readonly #collapsed = new Set<string>();
  readonly #filter = element('input', {
    type: 'search',
    placeholder: t`Filter actors`,
    'aria-label': t`Filter actors`,
  });
  readonly #count = element('span', {class: 'muted number'});
  readonly #space = element('div', {class: 'tree-space', role: 'none'});
  readonly #tree = element(
    'div',
    {class: 'tree', role: 'tree', tabindex: 0, 'aria-label': t`Actors`},
    this.#space,
  );
  readonly #empty = element('p', {class: 'empty'});
  readonly #collapse = button(t`Collapse all`, {class: 'quiet'}, () => this.#collapseAll());
  readonly #effects: ReturnType<typeof createOpenEffects>;
  readonly #charts: ReturnType<typeof chartFacts>;
  readonly #drawn: ReturnType<typeof createRows>;
  #view: View | undefined;
  #rows: readonly ActorRow[] = [];
  #selected: string | undefined;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#effects = createOpenEffects(stage);
    this.#charts = chartFacts(
      stage.source,
      () => this.#view,
      () => this.#draw(),
    );
    this.#drawn = createRows(this.#charts.isTimed);
    const head = element('div', {class: 'panel-head'}, this.#filter, this.#count, this.#collapse);
    const parts = [head, this.#tree, this.#empty, this.#effects.element];
    this.element = element('div', {class: 'panel tree-panel'}, ...parts);
    this.#listen();
  }

  show(view: View): void {
    this.#view = view;
    this.#draw();
  }

  #listen(): void {
    const tree = this.#tree;
    tree.addEventListener('click', (event) => this.#choose(event));
    tree.addEventListener('keydown', (event) => this.#move(event));
    tree.addEventListener('scroll', () => this.#drawVisible(), {passive: true});
    new ResizeObserver(() => this.#drawVisible()).observe(tree);
    this.#filter.addEventListener('input', () => this.#draw());
    this.#filter.addEventListener('keydown', ({key}) => {
      if (key === 'ArrowDown') tree.focus();
    });
  }

  #draw(): void {
    const view = this.#view;
    if (!view) return;
    const {moment, actor} = view;
    const {servicesOf} = this.#charts;
    const filter = this.#filter.value;
    const changed = changedIn(view);
    this.#rows = actorRows(moment, {collapsed: this.#collapsed, filter, changed, servicesOf});
    if (actor !== this.#selected) {
      this.#selected = actor;
      revealAt(this.#tree, this.#selectedRow());
    }
    const all = moment.actors.size - moment.open.size;
    this.#filter.placeholder = t`Filter ${all} actors`;
    this.#count.textContent = filter === '' ? '' : t`${this.#rows.length} shown`;
    this.#collapse.textContent = this.#collapsed.size > 0 ? t`Expand all` : t`Collapse all`;
    this.#tree.hidden = this.#rows.length === 0;
    this.#empty.hidden = !this.#tree.hidden;
    this.#empty.textContent =
      all === 0 ? t`There are no actors at this moment.` : t`No actor matches the filter.`;
    this.#effects.show(view);
    this.#drawVisible();
  }

  #drawVisible(): void {
    this.#space.style.setProperty('height', `${this.#rows.length * rowHeight}rem`);
    const [first, last] = rangeIn(this.#tree, this.#rows.length);
    this.#space.replaceChildren(
      ...this.#rows
        .slice(first, last)
        .map((row, index) => this.#drawn(row, first + index, this.#view?.actor)),
    );
    const active = this.#space.querySelector('[aria-selected="true"]');
    if (active) this.#tree.setAttribute('aria-activedescendant', active.id);
    else this.#tree.removeAttribute('aria-activedescendant');
  }

  #toggle(path: string, isExpanded: boolean): void {
    if (isExpanded) this.#collapsed.delete(path);
    else this.#collapsed.add(path);
    this.#draw();
  }

  #collapseAll(): void {
    if (this.#collapsed.size > 0) this.#collapsed.clear();
    else
      for (const {actor, level, isExpanded} of this.#rows)
        if (level > 1 && isExpanded === true) this.#collapsed.add(actor.path);
    this.#draw();
  }

  #choose({target}: Event): void {
    if (!(target instanceof Element)) return;
    const index = target.closest('.actor-row')?.getAttribute('data-index');
    const row = this.#rows[Number(index ?? -1)];
    if (!row) return;
    if (target.matches('.twist') && row.isExpanded !== undefined)
      this.#toggle(row.actor.path, !row.isExpanded);
    else this.#stage.select(row.actor.path);
  }

  #move(event: KeyboardEvent): void {
    const move = moveFor(event.key, this.#rows, this.#selectedRow());
    if (!move) return;
    event.preventDefault();
    if (move.toggle) this.#toggle(move.path, move.toggle === 'open');
    else this.#stage.select(move.path);
  }

  #selectedRow(): number {
    return this.#rows.findIndex((row) => row.actor.path === this.#selected);
  }
}

function changedIn({moments, index}: View): ReadonlySet<string> {
  return new Set(moments.steps[index]?.changes.map(({path}) => path));
}

function rowPixels(): number {
  return rowHeight * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}

function rangeIn({scrollTop, clientHeight}: HTMLElement, count: number): [number, number] {
  const height = rowPixels();
  // A tree that has become shorter is scrolled back later.
  const top = Math.max(0, Math.min(scrollTop, count * height - clientHeight));
  const first = Math.max(0, Math.floor(top / height) - beyond);
  return [first, Math.min(count, Math.ceil((top + clientHeight) / height) + beyond)];
}

function revealAt(tree: HTMLElement, index: number): void {
  if (index < 0) return;
  const height = rowPixels();
  const top = index * height;
  if (top < tree.scrollTop) tree.scrollTop = top;
  else if (top + height > tree.scrollTop + tree.clientHeight)
    tree.scrollTop = top + height - tree.clientHeight;
}

/** Rows that have not changed keep their elements. */
function createRows(
  isTimed: (actor: ActorState) => boolean,
): (row: ActorRow, index: number, selected: string | undefined) => HTMLElement {
  const nodes = new Map<string, {readonly key: string; readonly node: HTMLElement}>();
  return (row, index, selected) => {
    const {path, machine, status, state} = row.actor;
    const isWaitingForTimer = row.waits.length === 0 && isTimed(row.actor);
    const key = JSON.stringify([
      {...row, actor: undefined},
      machine,
      status,
      state,
      isWaitingForTimer,
    ]);
    const known = nodes.get(path);
    const node = known?.key === key ? known.node : drawRow(row, isWaitingForTimer);
    if (nodes.size > mostKept) nodes.clear();
    nodes.set(path, {key, node});
    node.id = `actor-${index}`;
    node.dataset['index'] = String(index);
    node.setAttribute('aria-selected', String(path === selected));
    node.style.setProperty('top', `${index * rowHeight}rem`);
    return node;
  };
}
