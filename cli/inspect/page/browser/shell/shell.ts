/** The whole page: its parts, their places, which of them are drawn, and the address that names the shown moment. */

import type {TraceRow} from '../../../../../machines/trace/step.ts';
import {button, byId, element} from '../../../../serve/page/browser/element.ts';
import {createTabs, type Tab, type Tabs} from '../elements/panes.ts';
import {safeLine} from '../elements/values.ts';
import {t} from '../language.ts';
import {chartPanel, outlinePanel} from '../panels/chart.ts';
import {contextPanel} from '../panels/context.ts';
import {journalPanel} from '../panels/journal.ts';
import {promptsPanel} from '../panels/prompts.ts';
import {overviewPanel, waterfallPanel} from '../panels/timeline.ts';
import {treePanel} from '../panels/tree.ts';
import {votesPanel} from '../panels/votes.ts';
import {scrubberPanel} from '../scrubber.ts';
import type {Source, SourceError} from '../sources/source.ts';
import {createStore, type MakePanel, type Panel, type Store, type View} from '../stage.ts';
import {createHeading} from './heading.ts';
import {parsePlace, type Place, placeText} from './place.ts';

const panels: Readonly<Record<string, readonly [title: string, make: MakePanel]>> = {
  overview: [t`Overview`, overviewPanel],
  waterfall: [t`Waterfall`, waterfallPanel],
  tree: [t`Actors`, treePanel],
  chart: [t`Chart`, chartPanel],
  outline: [t`States`, outlinePanel],
  context: [t`Context`, contextPanel],
  votes: [t`Votes`, votesPanel],
  prompts: [t`Prompts`, promptsPanel],
  journal: [t`Journal`, journalPanel],
};

/** Begins with the place of the address, else with the newest trace. */
export function createShell(source: Source): Store {
  const place = byId('stage', HTMLElement);
  const address = createAddress();
  const notify = createStatus();
  const connection = createConnection(source.isLive);
  let arrangement: Arrangement | undefined;

  const draw = (view: View, shown: Place): void => {
    heading.show(view);
    for (const panel of arrangement?.visible() ?? []) panel.show(view);
    address(shown);
  };
  const store = createStore(source, {
    changed: draw,
    opened: ({head}, {at, actor}) => {
      arrangement?.restore();
      arrangement ??= arrange(
        place,
        t`Views`,
        {tabs, scrubber: scrubberPanel(store.stage)},
        store.refresh,
      );
      const isWhole = head.kind === 'run' && at === undefined && actor === undefined;
      arrangement.open(isWhole ? 'overview' : 'chart');
    },
    panelOpened: (id, isBeside) => arrangement?.open(id, isBeside),
    notified: notify,
    connected: connection,
    refused: showRefusal,
  });
  const heading = createHeading(store.stage);
  const tabs: readonly Tab[] = Object.entries(panels).map(([id, [title, make]]) => ({
    id,
    title,
    panel: make(store.stage),
  }));
  // The page may have replaced the address meanwhile.
  addEventListener('hashchange', ({newURL}) => store.open(parsePlace(new URL(newURL).hash)));
  keepListed(source, heading.list);
  return store;
}

const relistMs = 10_000;

/** The traces of other processes begin without notice. */
function keepListed(source: Source, list: (rows: readonly TraceRow[]) => void): void {
  const look = (): void => {
    if (!document.hidden) void source.list().then(list, () => {});
  };
  look();
  if (source.isLive) setInterval(look, relistMs);
}

const noticeMs = 8000;

function createStatus(): (text: string) => void {
  const status = byId('status', HTMLElement);
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (text) => {
    clearTimeout(timer);
    status.textContent = text;
    timer = setTimeout(() => status.replaceChildren(), noticeMs);
  };
}

function createConnection(isLive: boolean): (isConnected: boolean) => void {
  const line = byId('connection', HTMLElement);
  const show = (isConnected: boolean): void => {
    line.classList.toggle('is-file', !isLive);
    line.classList.toggle('is-lost', isLive && !isConnected);
    line.textContent = isLive
      ? isConnected
        ? t`Connected`
        : t`The connection is lost. Trying again…`
      : t`File`;
  };
  show(true);
  return show;
}

// The places of the panels: three columns, two, or one, by the width of the page. The scrubber is always in sight.

interface Parts {
  readonly tabs: readonly Tab[];
  readonly scrubber: Panel;
}

interface Arrangement {
  /** The panels in sight. */
  readonly visible: () => readonly Panel[];
  /** `isBeside`: not in the place of the panel with the focus. */
  readonly open: (id: string, isBeside?: boolean) => void;
  /** After something else was shown in the place. */
  readonly restore: () => void;
}

/** Groups of ids by the name of their place. */
type Plan = Readonly<Record<string, readonly string[]>>;

const run = ['overview', 'waterfall'];
const details = ['votes', 'prompts', 'context'];

const plans: readonly {readonly query: string; readonly name: string; readonly plan: Plan}[] = [
  {
    query: '(min-width: 75rem) and (min-height: 34rem)',
    name: 'wide',
    plan: {
      left: ['tree'],
      middle: [...run, 'chart', 'outline'],
      right: details,
      bottom: ['journal'],
    },
  },
  {
    query: '(min-width: 48rem) and (min-height: 34rem)',
    name: 'medium',
    plan: {
      left: ['tree'],
      middle: [...run, 'chart', 'outline', ...details],
      bottom: ['journal'],
    },
  },
  {
    query: 'all',
    name: 'narrow',
    plan: {middle: [...run, 'chart', 'tree', 'outline', 'journal', ...details]},
  },
];

/** `changed`: other panels are in sight. Panels that were stay so where the places allow it. */
function arrange(
  place: HTMLElement,
  label: string,
  {tabs, scrubber}: Parts,
  changed: () => void,
): Arrangement {
  let groups: readonly Tabs[] = [];
  const fold = button(t`Journal`, {class: 'fold quiet', 'aria-expanded': 'true'}, () => {
    const isFolded = place.classList.toggle('is-folded');
    fold.setAttribute('aria-expanded', String(!isFolded));
  });
  const scrub = areaOf('scrub', scrubber.element, fold);
  const open = (id: string, isBeside = false): void => {
    const {activeElement} = document;
    for (const group of groups)
      if (!isBeside || !group.element.contains(activeElement)) group.select(id);
  };
  const build = (): void => {
    const before = groups.map((group) => group.selected().id);
    const {name, plan} = plans.find(({query}) => matchMedia(query).matches) ?? {name: '', plan: {}};
    const places = Object.entries(plan).flatMap(([area, ids]) => {
      const [first, ...rest] = ids.flatMap((id) => tabs.find((tab) => tab.id === id) ?? []);
      return first ? [{area, group: createTabs(label, [first, ...rest], changed)}] : [];
    });
    place.dataset['layout'] = name;
    place.replaceChildren(...places.map(({area, group}) => areaOf(area, group.element)), scrub);
    groups = places.map(({group}) => group);
    for (const id of before) open(id);
    changed();
  };
  for (const {query} of plans) matchMedia(query).addEventListener('change', build);
  build();
  return {
    visible: () => [scrubber, ...groups.map((group) => group.selected().panel)],
    open,
    restore: () => {
      if (!place.contains(scrub)) build();
    },
  };
}

function areaOf(name: string, ...content: readonly HTMLElement[]): HTMLElement {
  const area = element('div', {class: `area ${name}`}, ...content);
  area.style.setProperty('grid-area', name);
  return area;
}

// The address of the page: it names the shown moment, so that this can be linked and opened again.

const tokenName = 'quorate-inspect-token';

/** The token of the address, which is removed from it at once; else the one of this tab. */
export function takeToken(hash = location.hash): string {
  const token = new URLSearchParams(hash.slice(1)).get('token');
  if (token === null) return sessionStorage.getItem(tokenName) ?? '';
  sessionStorage.setItem(tokenName, token);
  history.replaceState(null, '', placeText(parsePlace(hash)));
  return token;
}

/** For an address that was opened in the tab of another one: that changes its fragment only. */
export function reloadForToken(event: HashChangeEvent): void {
  const {hash} = new URL(event.newURL);
  if (!new URLSearchParams(hash.slice(1)).has('token')) return;
  event.stopImmediatePropagation();
  takeToken(hash);
  location.reload();
}

/** Browsers limit how often an address may be replaced. */
const restMs = 250;

/** Keeps the address current. */
function createAddress(): (place: Place) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (place) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const text = placeText(place);
      if (text !== location.hash) history.replaceState(null, '', text);
    }, restMs);
  };
}

// The page when there is nothing to show, or nothing yet.

const refusals = {
  unauthorized: [
    t`This address has no valid token`,
    t`Open the address that quorate inspect printed; it is valid while the command runs.`,
  ],
  'not-found': [t`This run does not exist`, t`It may have been deleted.`],
};

export function showLoading(): void {
  byId('stage', HTMLElement).replaceChildren(
    element('p', {class: 'empty loading'}, t`Loading the trace…`),
  );
}

export function showNoRuns(): void {
  showNotice(t`There are no runs yet`, t`The first one appears here as soon as it has begun.`);
}

export function showRefusal({code, message}: SourceError): void {
  const isKnown = code === 'unauthorized' || code === 'not-found';
  const [title = '', text = ''] = isKnown
    ? refusals[code]
    : [t`The trace could not be opened`, message];
  showNotice(title, text);
}

function showNotice(title: string, text: string): void {
  document.title = `${title} · Quorate`;
  const words = [element('h2', {}, title), element('p', {class: 'muted'}, safeLine(text))];
  byId('stage', HTMLElement).replaceChildren(element('section', {class: 'ending'}, ...words));
}
