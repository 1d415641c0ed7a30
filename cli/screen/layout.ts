/**
 * Tabs and panes as an immutable value, in Vim's three layers: an interaction is a buffer, a pane a window, a tab a tab page.
 * Every function is total: an operation that does not apply leaves the layout as it is.
 */

import type {SpawnableForm} from '../../machines/domain/interaction-form.ts';
import type {Style} from '../render/style.ts';
import {oneLine, truncate, widthOfText} from '../render/text.ts';
import {interactionIn, isRunning} from '../render/view/interactions.ts';
import type {RunView} from '../render/view/run-view.ts';
import {runOf, type SessionView} from '../render/view/session-view.ts';

/** Views of an interaction besides its conversation. */
export const paneViews = ['plan', 'votes', 'diff', 'tree', 'log'] as const;

export type PaneView = 'talk' | (typeof paneViews)[number];

export interface Pane {
  /** Unique among all panes and tabs. */
  readonly id: number;
  readonly view: PaneView;
  /** Undefined: the interaction of its tab, also when that is bound later. */
  readonly interaction: string | undefined;
}

interface Split {
  readonly direction: Direction;
  readonly first: PaneTree;
  readonly second: PaneTree;
}

/** `rows`: one above the other; `columns`: side by side. */
export type Direction = 'rows' | 'columns';

type PaneTree = Pane | Split;

export interface Tab {
  readonly id: number;
  readonly form: SpawnableForm;
  /** Undefined: a placeholder, until its interaction begins. */
  readonly interaction: string | undefined;
  /** Of an interview: its form, as the person named it. */
  readonly file: string | undefined;
  /** The tab of the interaction below which its own begins. */
  readonly parent: number | undefined;
  readonly panes: PaneTree;
  /** The focused pane. */
  readonly focus: number;
}

export interface Layout {
  readonly before: readonly Tab[];
  readonly active: Tab;
  readonly after: readonly Tab[];
  /** The next unused ID. */
  readonly nextId: number;
}

export interface NewTab {
  readonly form: SpawnableForm;
  readonly interaction?: string | undefined;
  readonly file?: string | undefined;
  readonly parent?: number | undefined;
  /** Absent: the tab becomes the active one. */
  readonly isInBackground?: boolean;
}

/** One empty tab. */
export function newLayout(form: SpawnableForm = 'agent'): Layout {
  return {before: [], active: newTab(1, {form}), after: [], nextId: 3};
}

export function tabsOf({before, active, after}: Layout): readonly Tab[] {
  return [...before, active, ...after];
}

/** Below its parent, after the tabs that are already there; without a parent at the end. */
export function openTab(layout: Layout, given: NewTab): Layout {
  const tabs = tabsOf(layout);
  const parent = tabs.some(({id}) => id === given.parent) ? given.parent : undefined;
  const tab = newTab(layout.nextId, {...given, parent});
  const at = parent === undefined ? tabs.length : tabs.findLastIndex(below(parent, tabs)) + 1;
  const all = tabs.toSpliced(at, 0, tab);
  const front = given.isInBackground === true ? layout.active.id : tab.id;
  return arranged({...layout, nextId: layout.nextId + 2}, all, front);
}

function newTab(id: number, {form, interaction, file, parent}: NewTab): Tab {
  const panes: Pane = {id: id + 1, view: 'talk', interaction: undefined};
  return {id, form, interaction, file, parent, panes, focus: panes.id};
}

/** True for the tab itself and the tabs below it. */
function below(id: number, tabs: readonly Tab[]): (tab: Tab) => boolean {
  const isBelow = (tab: Tab): boolean => {
    const parent = tabs.find((other) => other.id === tab.parent);
    return tab.id === id || (parent !== undefined && isBelow(parent));
  };
  return isBelow;
}

function arranged(layout: Layout, tabs: readonly Tab[], front: number): Layout {
  const at = tabs.findIndex(({id}) => id === front);
  const active = tabs[at];
  return active
    ? {...layout, before: tabs.slice(0, at), active, after: tabs.slice(at + 1)}
    : layout;
}

function changeTab(layout: Layout, id: number, change: (tab: Tab) => Tab): Layout {
  const changed = (tab: Tab): Tab => (tab.id === id ? change(tab) : tab);
  return {
    ...layout,
    before: layout.before.map(changed),
    active: changed(layout.active),
    after: layout.after.map(changed),
  };
}

/** A tab that shows an interaction keeps it. */
export function bindInteraction(layout: Layout, id: number, interaction: string): Layout {
  return changeTab(layout, id, (tab) => ({...tab, interaction: tab.interaction ?? interaction}));
}

/** The conversation of the tab continues with another interaction. */
export function continueTab(layout: Layout, id: number, interaction: string): Layout {
  return changeTab(layout, id, (tab) => ({...tab, interaction}));
}

export function showTab(layout: Layout, id: number): Layout {
  return arranged(layout, tabsOf(layout), id);
}

/** The n-th tab, from 1. */
export function goToTab(layout: Layout, number: number): Layout {
  return showTab(layout, tabsOf(layout)[number - 1]?.id ?? layout.active.id);
}

/** After the last tab comes the first one. */
export function nextTab(layout: Layout): Layout {
  return goBy(layout, 1);
}

export function previousTab(layout: Layout, count = 1): Layout {
  return goBy(layout, -count);
}

function goBy(layout: Layout, count: number): Layout {
  const {length} = tabsOf(layout);
  return goToTab(layout, ((((layout.before.length + count) % length) + length) % length) + 1);
}

/**
 * The tab after it becomes active, else the one before it; the tabs below it then belong to its parent. In the place of the
 * only tab there is an empty one.
 */
export function closeTab(layout: Layout, id = layout.active.id): Layout {
  const tabs = tabsOf(layout);
  const closed = tabs.find((tab) => tab.id === id);
  if (!closed) return layout;
  const {nextId, active, after, before} = layout;
  const adopted = (tab: Tab): Tab => (tab.parent === id ? {...tab, parent: closed.parent} : tab);
  const left = tabs.filter((tab) => tab !== closed).map(adopted);
  if (left.length === 0)
    return {before: [], active: newTab(nextId, {form: 'agent'}), after: [], nextId: nextId + 2};
  const heir = after[0] ?? before.at(-1);
  return arranged(layout, left, id === active.id && heir ? heir.id : active.id);
}

export function tabOf(layout: Layout, interaction: string): Tab | undefined {
  return tabsOf(layout).find((tab) => tab.interaction === interaction);
}

export function newestOf(layout: Layout, form: SpawnableForm): Tab | undefined {
  return tabsOf(layout)
    .filter((tab) => tab.form === form)
    .toSorted((one, other) => other.id - one.id)[0];
}

/** The next tab whose interaction waits for the person; the active one is the last candidate. */
export function firstWaiting(
  {before, active, after}: Layout,
  isWaiting: (interaction: string) => boolean,
): Tab | undefined {
  return [...after, ...before, active].find(
    ({interaction}) => interaction !== undefined && isWaiting(interaction),
  );
}

// The panes of the active tab.

export function panesOf(tree: PaneTree): readonly Pane[] {
  return 'first' in tree ? [...panesOf(tree.first), ...panesOf(tree.second)] : [tree];
}

export function focusedPane({panes, focus}: Tab): Pane {
  return paneIn(panes, focus) ?? firstPane(panes);
}

function paneIn(tree: PaneTree, id: number): Pane | undefined {
  return panesOf(tree).find((pane) => pane.id === id);
}

function firstPane(tree: PaneTree): Pane {
  return 'first' in tree ? firstPane(tree.first) : tree;
}

/** The interaction that a pane shows; undefined while its tab is a placeholder. */
export function shownIn(tab: Tab, pane: Pane): string | undefined {
  return pane.interaction ?? tab.interaction;
}

/** The new pane is below the focused one, or to the right of it, and gets the focus. */
export function splitPane(
  layout: Layout,
  direction: Direction,
  {view = 'talk', interaction}: Partial<Omit<Pane, 'id'>> = {},
): Layout {
  const {active, nextId} = layout;
  const focused = focusedPane(active);
  const second: Pane = {id: nextId, view, interaction: interaction ?? focused.interaction};
  const panes = replacePane(active.panes, focused.id, {direction, first: focused, second});
  return {...layout, active: {...active, panes, focus: nextId}, nextId: nextId + 1};
}

function replacePane(tree: PaneTree, id: number, by: PaneTree): PaneTree {
  if (!('first' in tree)) return tree.id === id ? by : tree;
  const {direction, first, second} = tree;
  return {
    direction,
    first: replacePane(first, id, by),
    second: replacePane(second, id, by),
  };
}

/** Leaves the focused pane only. */
export function onlyPane(layout: Layout): Layout {
  const panes = focusedPane(layout.active);
  return {...layout, active: {...layout.active, panes, focus: panes.id}};
}

/** Where no pane of the active tab shows a conversation, the focused one shows that of the tab. */
export function withConversation(layout: Layout): Layout {
  const {active} = layout;
  if (panesOf(active.panes).some(({view}) => view === 'talk')) return layout;
  const pane: Pane = {...focusedPane(active), view: 'talk', interaction: undefined};
  return {...layout, active: {...active, panes: replacePane(active.panes, pane.id, pane)}};
}

/** The last pane of a tab stays. */
export function closePane(layout: Layout): Layout {
  const {active} = layout;
  const {id} = focusedPane(active);
  const panes = withoutPane(active.panes, id) ?? active.panes;
  const at = panesOf(active.panes).findIndex((pane) => pane.id === id);
  const focus = panesOf(panes)[Math.max(0, at - 1)]?.id ?? id;
  return {...layout, active: {...active, panes, focus}};
}

function withoutPane(tree: PaneTree, id: number): PaneTree | undefined {
  if (!('first' in tree)) return tree.id === id ? undefined : tree;
  const [first, second] = [withoutPane(tree.first, id), withoutPane(tree.second, id)];
  return first && second ? {direction: tree.direction, first, second} : (first ?? second);
}

/** By Vim's keys: left, down, up, right; `w`: the next one. */
export type FocusMove = 'h' | 'j' | 'k' | 'l' | 'w';

/** `width`: columns of the screen, on which the arrangement of the panes depends. */
export function moveFocus(layout: Layout, move: FocusMove, width: number): Layout {
  const {active} = layout;
  const all = panesOf(active.panes);
  const at = all.findIndex(({id}) => id === focusedPane(active).id);
  const focus =
    move === 'w' ? all[(at + 1) % all.length]?.id : neighbour(active, move, width)?.pane.id;
  return {...layout, active: {...active, focus: focus ?? active.focus}};
}

/** Where panes are not shown together, they are neighbours as on a large screen. */
function neighbour(tab: Tab, move: Exclude<FocusMove, 'w'>, width: number): Tile | undefined {
  const isStack = width < columnsForTwo && width >= columnsForStack;
  const tiles = tile(isStack ? stacked(tab.panes) : tab.panes, large);
  const own = tiles.find(({pane}) => pane.id === focusedPane(tab).id);
  if (!own) return undefined;
  const next = tiles.filter((other) => isBeside(own, other, move));
  const along = move === 'j' || move === 'k' ? 'x' : 'y';
  return next.findLast((other) => other[along] <= own[along]) ?? next[0];
}

function isBeside(own: Area, other: Area, move: Exclude<FocusMove, 'w'>): boolean {
  const isSameColumn = other.x < own.x + own.width && own.x < other.x + other.width;
  const isSameRow = other.y < own.y + own.height && own.y < other.y + other.height;
  if (move === 'h') return isSameRow && other.x + other.width === own.x;
  if (move === 'l') return isSameRow && own.x + own.width === other.x;
  if (move === 'k') return isSameColumn && other.y + other.height === own.y;
  return isSameColumn && own.y + own.height === other.y;
}

// Places on the screen.

export interface Area {
  readonly x: number;
  readonly y: number;
  /** Columns. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
}

export interface Tile extends Area {
  readonly pane: Pane;
}

/** With fewer columns, panes stack. */
const columnsForTwo = 100;
/** With fewer columns, only the focused pane is shown. */
const columnsForStack = 60;
const leastColumns = 20;
const leastRows = 3;
const large: Area = {x: 0, y: 0, width: 10_000, height: 10_000};

/** The visible panes of the active tab. They cover the area; where a pane would be too small, only the focused one is shown. */
export function arrange({active}: Layout, width: number, height: number): readonly Tile[] {
  const area = {x: 0, y: 0, width, height};
  const tree = width < columnsForTwo ? stacked(active.panes) : active.panes;
  const tiles = width < columnsForStack ? [] : tile(tree, area);
  const isRoomy = tiles.every((one) => one.width >= leastColumns && one.height >= leastRows);
  return tiles.length > 0 && isRoomy ? tiles : [{...area, pane: focusedPane(active)}];
}

function stacked(tree: PaneTree): PaneTree {
  const panes: readonly PaneTree[] = panesOf(tree);
  return panes.reduce((first, second) => ({direction: 'rows', first, second}));
}

function tile(tree: PaneTree, area: Area): readonly Tile[] {
  if (!('first' in tree)) return [{...area, pane: tree}];
  const {direction, first, second} = tree;
  const {x, y, width, height} = area;
  const part = span(first, direction) / (span(first, direction) + span(second, direction));
  if (direction === 'rows') {
    const rows = Math.round(height * part);
    return [
      ...tile(first, {...area, height: rows}),
      ...tile(second, {...area, y: y + rows, height: height - rows}),
    ];
  }
  const columns = Math.round(width * part);
  return [
    ...tile(first, {...area, width: columns}),
    ...tile(second, {...area, x: x + columns, width: width - columns}),
  ];
}

/** How many panes are beside each other in a direction: all of them get the same room. */
function span(tree: PaneTree, direction: Direction): number {
  if (!('first' in tree)) return 1;
  const [first, second] = [span(tree.first, direction), span(tree.second, direction)];
  return tree.direction === direction ? first + second : Math.max(first, second);
}

// The bar of the tabs.

/** `empty`: a placeholder. `waiting`: for the person. */
export type TabState = 'empty' | 'running' | 'waiting' | 'done' | 'failed';

export interface TabFacts {
  readonly title: string;
  readonly state: TabState;
}

const marks: Readonly<Record<TabState, string>> = {
  empty: '·',
  running: '▸',
  waiting: '?',
  done: '✓',
  failed: '✗',
};

/** The title is the request; without one, the form. */
export function tabFacts({form, file, interaction}: Tab, session: SessionView): TabFacts {
  const run = interaction === undefined ? undefined : runOf(session, interaction);
  const one = run && interactionIn(run, interaction ?? '');
  const name = [form, file].filter((part) => part !== undefined).join(' ');
  if (!run || !one) return {title: name, state: interaction === undefined ? 'empty' : 'running'};
  return {title: one.request === '' ? name : one.request, state: stateIn(run, one)};
}

function stateIn(run: RunView, one: RunView['interactions'][number]): TabState {
  const {state, id} = one;
  const isAsked = [...run.gates, ...run.asks].some(({interaction}) => interaction === id);
  if (isAsked || state === 'waiting') return 'waiting';
  if (isRunning(one)) return 'running';
  return state === 'completed' ? 'done' : 'failed';
}

export interface BarItem {
  /** Undefined: there are more tabs on this side. */
  readonly tab: number | undefined;
  /** The column at which it begins. */
  readonly x: number;
  readonly text: string;
  readonly isActive: boolean;
  readonly state: TabState | undefined;
}

const widestTitle = 24;
const narrowestTitle = 8;

/** Titles become shorter until all tabs fit; then those next to the active tab are shown. */
export function tabBar(
  layout: Layout,
  factsOf: (tab: Tab) => TabFacts,
  width: number,
): readonly BarItem[] {
  const tabs = tabsOf(layout);
  const heads = tabs.reduce((sum, _, index) => sum + labelOf(index, 'empty', '').length + 1, 0);
  const room = Math.floor((width - heads) / tabs.length);
  const most = Math.min(widestTitle, Math.max(narrowestTitle, room));
  const items = tabs.map((tab, index): Omit<BarItem, 'x'> => {
    const {title, state} = factsOf(tab);
    const text = labelOf(index, state, oneLine(title, most));
    const isActive = tab === layout.active;
    return {tab: tab.id, text: isActive ? `[${text.trim()}]` : text, isActive, state};
  });
  return placed(fitting(items, layout.before.length, width));
}

function labelOf(index: number, state: TabState, title: string): string {
  return ` ${index + 1} ${marks[state]} ${title} `;
}

type Unplaced = Omit<BarItem, 'x'>;

const more = (text: string): Unplaced => ({
  tab: undefined,
  text,
  isActive: false,
  state: undefined,
});

/** The active item, and the items around it that fit, beginning with the nearest. */
function fitting(items: readonly Unplaced[], active: number, width: number): readonly Unplaced[] {
  const shown = (from: number, to: number): readonly Unplaced[] => [
    ...(from > 0 ? [more('‹')] : []),
    ...items.slice(from, to),
    ...(to < items.length ? [more('›')] : []),
  ];
  const fits = (from: number, to: number): boolean =>
    shown(from, to).reduce((sum, {text}) => sum + widthOfText(text), 0) <= width;
  let [from, to] = [active, active + 1];
  const item = items[active];
  if (item && !fits(from, to))
    return [{...item, text: width > 0 ? truncate(item.text, width) : ''}];
  for (let isWider = true; isWider;) {
    isWider = false;
    if (to < items.length && fits(from, to + 1)) [to, isWider] = [to + 1, true];
    if (from > 0 && fits(from - 1, to)) [from, isWider] = [from - 1, true];
  }
  return shown(from, to);
}

function placed(items: readonly Unplaced[]): readonly BarItem[] {
  let x = 0;
  return items.map((item) => {
    const at = x;
    x += widthOfText(item.text);
    return {...item, x: at};
  });
}

/** All tabs, one a line, each below its parent: `> 2 ▸ ask: What does it do?`. */
export function tabList(
  layout: Layout,
  factsOf: (tab: Tab) => TabFacts,
  {style, width}: {readonly style: Style; readonly width: number},
): readonly string[] {
  const tabs = tabsOf(layout);
  const digits = String(tabs.length).length;
  return tabs.map((tab, index) => {
    const {title, state} = factsOf(tab);
    const isActive = tab === layout.active;
    const number = String(index + 1).padStart(digits);
    const indent = '  '.repeat(depthIn(tab, tabs));
    const head = `${isActive ? '>' : ' '} ${number} ${marks[state]} ${indent}${tab.form}`;
    const name =
      title === tab.form || title === ''
        ? ''
        : `: ${oneLine(title, width - widthOfText(head) - 2)}`;
    return isActive ? style.bold(head + name) : head + name;
  });
}

function depthIn({parent}: Tab, tabs: readonly Tab[]): number {
  const above = tabs.find(({id}) => id === parent);
  return above ? 1 + depthIn(above, tabs) : 0;
}
