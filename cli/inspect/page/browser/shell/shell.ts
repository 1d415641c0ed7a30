/** The whole page: its parts, and which of them are drawn. */

import type {TraceRow} from '../../../../../machines/trace/step.ts';
import {byId} from '../../../../serve/page/browser/element.ts';
import {t} from '../language.ts';
import {chartPanel} from '../panels/chart.ts';
import {contextPanel} from '../panels/context.ts';
import {journalPanel} from '../panels/journal.ts';
import {outlinePanel} from '../panels/outline.ts';
import {promptsPanel} from '../panels/prompts.ts';
import {overviewPanel, waterfallPanel} from '../panels/timeline.ts';
import {treePanel} from '../panels/tree.ts';
import {votesPanel} from '../panels/votes.ts';
import {scrubber} from '../scrubber.ts';
import type {Source} from '../sources/source.ts';
import type {MakePanel, View} from '../stage.ts';
import {createAddress} from './address.ts';
import {arrange, type Arrangement} from './arrangement.ts';
import {createHeading} from './heading.ts';
import {showRefusal} from './no-trace.ts';
import {parsePlace, type Place} from './place.ts';
import {createStore, type Store} from './store.ts';
import type {Tab} from './tabs.ts';

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
        {tabs, scrubber: scrubber(store.stage)},
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
