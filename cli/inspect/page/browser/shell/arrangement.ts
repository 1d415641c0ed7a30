/** The places of the panels: three columns, two, or one, by the width of the page. The scrubber is always in sight. */

import {element} from '../../../../serve/page/browser/element.ts';
import type {Panel} from '../stage.ts';
import {createTabs, type Tab, type Tabs} from './tabs.ts';

export interface Parts {
  readonly tabs: readonly Tab[];
  readonly scrubber: Panel;
}

export interface Arrangement {
  /** The panels in sight. */
  readonly visible: () => readonly Panel[];
  readonly open: (id: string) => void;
  /** After something else was shown in the place. */
  readonly restore: () => void;
}

/** Groups of ids by the name of their place. */
type Plan = Readonly<Record<string, readonly string[]>>;

const details = ['context', 'votes', 'prompts'];

const plans: readonly {readonly query: string; readonly name: string; readonly plan: Plan}[] = [
  {
    query: '(min-width: 75rem) and (min-height: 34rem)',
    name: 'wide',
    plan: {
      left: ['tree'],
      middle: ['chart', 'outline'],
      right: details,
      bottom: ['journal'],
    },
  },
  {
    query: '(min-width: 48rem) and (min-height: 34rem)',
    name: 'medium',
    plan: {
      left: ['tree'],
      middle: ['chart', 'outline', ...details],
      bottom: ['journal'],
    },
  },
  {
    query: 'all',
    name: 'narrow',
    plan: {middle: ['chart', 'tree', 'outline', 'journal', ...details]},
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
  const scrub = element('div', {class: 'area scrub'}, scrubber.element);
  const open = (id: string): void => {
    for (const group of groups) group.select(id);
  };
  const build = (): void => {
    const before = groups.map((group) => group.selected().id);
    const {name, plan} = plans.find(({query}) => matchMedia(query).matches) ?? {name: '', plan: {}};
    const places = Object.entries(plan).flatMap(([area, ids]) => {
      const [first, ...rest] = ids.flatMap((id) => tabs.find((tab) => tab.id === id) ?? []);
      return first ? [{area, group: createTabs(label, [first, ...rest], changed)}] : [];
    });
    place.dataset['layout'] = name;
    place.replaceChildren(
      ...places.map(({area, group}) => element('div', {class: `area ${area}`}, group.element)),
      scrub,
    );
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
