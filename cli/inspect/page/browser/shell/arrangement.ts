/** The places of the panels: three columns, two, or one, by the width of the page. The scrubber is always in sight. */

import {button, element} from '../../../../serve/page/browser/element.ts';
import {t} from '../language.ts';
import type {Panel} from '../stage.ts';
import {createTabs, type Tab, type Tabs} from './tabs.ts';

export interface Parts {
  readonly tabs: readonly Tab[];
  readonly scrubber: Panel;
}

export interface Arrangement {
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
export function arrange(
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
