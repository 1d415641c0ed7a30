/** The actors at the shown moment, each with its state and with those that it waits for. */

import type {ActorState} from '../../../../../machines/trace/step.ts';
import {escapeLine} from '../../../../../tools/escape.ts';
import {button, element} from '../../../../serve/page/browser/element.ts';
import {
  type ActorRow,
  actorRows,
  type Move,
  moveFor,
  stateText,
  type Wait,
} from '../derived/actors.ts';
import {textSpan} from '../elements/values.ts';
import {type RowContent, WindowedList} from '../elements/windowed-list.ts';
import {t} from '../language.ts';
import {chartFacts} from '../sources/loaded.ts';
import type {MakePanel, Stage, View} from '../stage.ts';
import {actorName} from './names.ts';

export const treePanel: MakePanel = (stage) => {
  const panel = new TreePanel(stage);
  return {element: panel.element, show: (view) => panel.show(view)};
};

class TreePanel {
  readonly element: HTMLElement;
  readonly #stage: Stage;
  readonly #collapsed = new Set<string>();
  readonly #bar = treeBar(
    () => this.#draw(),
    () => this.#collapseAll(),
  );
  readonly #charts: ReturnType<typeof chartFacts>;
  readonly #list = new WindowedList({
    label: t`Actors`,
    name: 'actor',
    role: 'tree',
    draw: (row) => drawRow(this.#rows[row], this.#charts.isTimed),
    choose: (row, target) => this.#choose(row, target),
    press: (key) => this.#move(moveFor(key, this.#rows, this.#selected())),
  });
  #view: View | undefined;
  #rows: readonly ActorRow[] = [];

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#charts = chartFacts(
      stage.source,
      () => this.#view,
      () => this.#draw(),
    );
    const parts = [this.#bar.element, this.#list.element, this.#bar.empty];
    this.element = element('div', {class: 'panel tree-panel'}, ...parts);
    this.#bar.filter.addEventListener('keydown', ({key}) => {
      if (key === 'ArrowDown') this.#list.element.focus();
    });
  }

  show(view: View): void {
    this.#view = view;
    this.#draw();
  }

  #draw(): void {
    if (!this.#view) return;
    const {moment, moments, index, head} = this.#view;
    const rows = actorRows(moment, {
      collapsed: this.#collapsed,
      filter: this.#bar.filter.value,
      changed: new Set(moments.steps[index]?.changes.map(({path}) => path)),
      servicesOf: this.#charts.servicesOf,
      nameOf: (actor) => actorName(actor, head),
    });
    this.#rows = rows;
    const all = moment.actors.size - moment.open.size;
    this.#bar.show({all, shown: rows.length, isCollapsed: this.#collapsed.size > 0});
    this.#list.element.hidden = rows.length === 0;
    const selected = this.#selected();
    const shown = selected < 0 ? undefined : selected;
    this.#list.show({count: rows.length, shown, version: rows, isCalm: true});
  }

  #selected(): number {
    return this.#rows.findIndex(({actor}) => actor.path === this.#view?.actor);
  }

  #choose(row: number, target: Element | undefined): void {
    const {actor, isExpanded} = this.#rows[row] ?? {};
    if (!actor) return;
    const isTwist = target?.matches('.twist') === true && isExpanded !== undefined;
    const toggle = isExpanded === true ? 'close' : 'open';
    this.#move({path: actor.path, ...(isTwist ? {toggle} : {})});
  }

  #move(move: Move | undefined): boolean {
    if (!move) return false;
    if (move.toggle === undefined) this.#stage.select(move.path);
    else if (move.toggle === 'open') this.#collapsed.delete(move.path);
    else this.#collapsed.add(move.path);
    this.#draw();
    return true;
  }

  #collapseAll(): void {
    const open = this.#rows.filter(({level, isExpanded}) => level > 1 && isExpanded === true);
    if (this.#collapsed.size > 0) this.#collapsed.clear();
    else for (const {actor} of open) this.#collapsed.add(actor.path);
    this.#draw();
  }
}

interface Counts {
  readonly all: number;
  readonly shown: number;
  readonly isCollapsed: boolean;
}

/** The filter, and the button that collapses all actors or expands them. */
function treeBar(
  filtered: () => void,
  press: () => void,
): {
  readonly element: HTMLElement;
  readonly filter: HTMLInputElement;
  readonly empty: HTMLElement;
  readonly show: (counts: Counts) => void;
} {
  const filter = element('input', {type: 'search', 'aria-label': t`Filter actors`});
  filter.addEventListener('input', filtered);
  const count = element('span', {class: 'muted number'});
  const collapse = button('', {class: 'quiet'}, press);
  const empty = element('p', {class: 'empty'});
  return {
    element: element('div', {class: 'panel-head'}, filter, count, collapse),
    filter,
    empty,
    show: ({all, shown, isCollapsed}) => {
      filter.placeholder = t`Filter ${all} actors`;
      count.textContent = filter.value === '' ? '' : t`${shown} shown`;
      collapse.textContent = isCollapsed ? t`Expand all` : t`Collapse all`;
      empty.hidden = shown > 0;
      empty.textContent =
        all === 0 ? t`There are no actors at this moment.` : t`No actor matches the filter.`;
    },
  };
}

/** `isTimed`: one of its active states has a delay. */
function drawRow(row: ActorRow | undefined, isTimed: (actor: ActorState) => boolean): RowContent {
  if (!row) return {content: []};
  const {actor, id, name, level, position, size, isExpanded, hidden, isChanged} = row;
  const {machine = actor.logic} = actor;
  const state = stateText(actor.state);
  const isNamed = name !== id || machine === id;
  return {
    className: `actor-row${isChanged ? ' is-changed' : ''}`,
    level,
    attributes: {
      role: 'treeitem',
      'aria-level': level,
      'aria-posinset': position,
      'aria-setsize': size,
      'aria-expanded': isExpanded === undefined ? undefined : String(isExpanded),
      title: escapeLine(actor.path),
    },
    content: [
      element('span', {class: 'twist', 'aria-hidden': 'true'}),
      element(
        'span',
        {class: 'actor-name'},
        textSpan('strong cut', name),
        isNamed ? undefined : textSpan('muted cut', machine),
        hidden > 0 ? textSpan('badge', t`${hidden} below`) : undefined,
        ...(isChanged ? changedMark() : []),
      ),
      element(
        'span',
        {class: 'actor-more'},
        state === '' ? undefined : textSpan('actor-state cut', state),
        ...waitsOf(row, isTimed),
      ),
    ],
  };
}

function changedMark(): HTMLElement[] {
  return [
    element('span', {class: 'delta', 'aria-hidden': 'true', title: t`changed{:row}`}, 'Δ'),
    textSpan('visually-hidden', t`changed{:row}`),
  ];
}

const waitTexts = {
  model: (text: string) => t`waits for the model ${text}`,
  tool: (text: string) => t`waits for the tool ${text}`,
  person: (text: string) => t`waits for a person: ${text}`,
  resume: (text: string) => t`waits to be resumed: ${text}`,
  effect: (text: string) => t`waits for ${text}`,
};

const ends = {done: t`done`, error: t`failed`, stopped: t`stopped`};

const mostNames = 3;

/** One text for each effect, and one for all children. */
function waitsOf(
  {actor, waits}: ActorRow,
  isTimed: (actor: ActorState) => boolean,
): readonly HTMLElement[] {
  const {status, machine} = actor;
  if (status !== 'active') return [waitOf('over', ends[status])];
  if (waits.length === 0) {
    if (machine === undefined) return [];
    return isTimed(actor)
      ? [waitOf('timer', t`waits for a timer or an event`)]
      : [waitOf('event', t`waits for an event`)];
  }
  const effects = waits.flatMap(({kind, text}) =>
    kind === 'actor' ? [] : [waitOf(kind, waitTexts[kind](text))],
  );
  const names = waits.flatMap(({kind, text}) => (kind === 'actor' ? [text] : []));
  if (names.length === 0) return effects;
  const shown = names.slice(0, mostNames).join(t`, `);
  const more = names.length - mostNames;
  const text = more > 0 ? t`waits for ${shown} and ${more} more` : t`waits for ${shown}`;
  return [...effects, waitOf('actor', text)];
}

function waitOf(kind: Wait['kind'] | 'over' | 'timer' | 'event', text: string): HTMLElement {
  return textSpan(`wait cut is-${kind}`, text);
}
