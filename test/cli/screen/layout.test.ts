/** Tabs and panes as a value: what each operation does, and what holds after any sequence of them. */

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {plainStyle} from '../../../cli/render/style.ts';
import {widthOfText} from '../../../cli/render/text.ts';
import {
  advanceSession,
  emptySession,
  type SessionView,
} from '../../../cli/render/view/session-view.ts';
import {
  arrange,
  bindInteraction,
  closePane,
  closeTab,
  firstWaiting,
  focusedPane,
  type FocusMove,
  goToTab,
  type Layout,
  moveFocus,
  newestOf,
  newLayout,
  nextTab,
  onlyPane,
  openTab,
  panesOf,
  paneViews,
  previousTab,
  shownIn,
  showTab,
  splitPane,
  tabBar,
  type TabFacts,
  tabFacts,
  tabList,
  tabOf,
  tabsOf,
} from '../../../cli/screen/layout.ts';
import type {HumanQuestion} from '../../../machines/domain/human.ts';
import {spawnableForms} from '../../../machines/domain/interaction-form.ts';
import type {Report} from '../../../machines/facts/progress.ts';

const forms = (layout: Layout): readonly string[] => tabsOf(layout).map(({form}) => form);
const ids = (layout: Layout): readonly number[] => tabsOf(layout).map(({id}) => id);

const openBelow = (form: 'ask' | 'discuss', parent: number, layout: Layout): Layout =>
  openTab(layout, {form, parent, isInBackground: true});

const shows = (layout: Layout) =>
  panesOf(layout.active.panes).map(({view, interaction}) => interaction ?? view);

const sessionOf = (...reports: readonly Report[]): SessionView =>
  reports.reduce(
    (session, report) =>
      advanceSession(session, {...report, interaction: 'r', actor: '', seq: 1, at: 1}),
    emptySession,
  );

const ended = (status: 'completed' | 'rejected'): Report => ({
  type: 'interaction.settled',
  status,
  summary: '',
});

/** Tabs of three forms, the last one active. */
function three(): Layout {
  const layout = bindInteraction(newLayout(), 1, 'a');
  return openTab(openTab(layout, {form: 'ask', interaction: 'b'}), {form: 'discuss'});
}

describe('tabs', () => {
  test('a screen begins with an empty tab, which an interaction may take', () => {
    const layout = newLayout();
    expect(layout.active).toMatchObject({form: 'agent', interaction: undefined});
    const bound = bindInteraction(layout, layout.active.id, 'a');
    expect(tabOf(bound, 'a')?.id).toBe(layout.active.id);
    expect(shownIn(bound.active, focusedPane(bound.active))).toBe('a');
    expect(bindInteraction(bound, bound.active.id, 'z').active.interaction).toBe('a');
  });

  test('a new tab is at the end and in front', () => {
    const layout = three();
    expect(forms(layout)).toEqual(['agent', 'ask', 'discuss']);
    expect(layout.active.form).toBe('discuss');
  });

  test('a tab of a form keeps the name of its file', () => {
    const layout = openTab(newLayout(), {form: 'interview', file: 'application'});
    expect(layout.active).toMatchObject({form: 'interview', file: 'application'});
  });

  test('a child opens in the background below its parent, after its older siblings and their children', () => {
    const first = three();
    const one = openBelow('ask', 1, first);
    const grandchild = openBelow('discuss', first.nextId, one);
    const another = openBelow('ask', 1, grandchild);
    expect(ids(another)).toEqual([1, first.nextId, one.nextId, grandchild.nextId, 3, 5]);
    expect(another.active).toEqual(first.active);
  });

  test('the tabs are a ring', () => {
    const layout = three();
    expect(nextTab(layout).active.form).toBe('agent');
    expect(previousTab(layout).active.form).toBe('ask');
    expect(previousTab(layout, 2).active.form).toBe('agent');
    expect(previousTab(layout, 3)).toEqual(layout);
    expect(goToTab(layout, 2).active.form).toBe('ask');
    expect(goToTab(layout, 4)).toEqual(layout);
    expect(showTab(layout, 99)).toEqual(layout);
  });

  test('a closed tab gives way to the next one, the last one to the one before it', () => {
    expect(forms(closeTab(three()))).toEqual(['agent', 'ask']);
    expect(closeTab(three()).active.form).toBe('ask');
    expect(closeTab(goToTab(three(), 1)).active.form).toBe('ask');
    expect(closeTab(three(), 1).active.form).toBe('discuss');
    expect(closeTab(three(), 99)).toEqual(three());
  });

  test('an empty tab takes the place of the only one', () => {
    const layout = bindInteraction(newLayout('ask'), 1, 'a');
    const closed = closeTab(layout);
    expect(closed.active).toMatchObject({form: 'agent', interaction: undefined});
    expect(closed.active.id).not.toBe(layout.active.id);
  });

  test('the children of a closed tab belong to its parent', () => {
    const child = openTab(newLayout(), {form: 'ask', parent: 1});
    const grandchild = openTab(child, {form: 'discuss', parent: child.active.id});
    expect(closeTab(grandchild, child.active.id).active.parent).toBe(1);
    expect(closeTab(child, 1).active.parent).toBeUndefined();
  });

  test('the newest tab of a form, and none', () => {
    const layout = openTab(three(), {form: 'ask', parent: 1, isInBackground: true});
    expect(newestOf(layout, 'ask')?.parent).toBe(1);
    expect(newestOf(layout, 'interview')).toBeUndefined();
  });

  test('the next tab that waits is found from the active one on', () => {
    const layout = bindInteraction(three(), 5, 'c');
    const waiting = (which: string) => firstWaiting(layout, (id) => which.includes(id));
    expect(waiting('ab')?.interaction).toBe('a');
    expect(waiting('bc')?.interaction).toBe('b');
    expect(waiting('c')?.interaction).toBe('c');
    expect(waiting('')).toBeUndefined();
  });
});

describe('panes', () => {
  test('a pane shows another interaction, or a view of that of its tab', () => {
    const layout = splitPane(splitPane(three(), 'rows', {view: 'votes'}), 'columns', {
      interaction: 'b',
    });
    expect(shows(layout)).toEqual(['talk', 'votes', 'b']);
    expect(focusedPane(layout.active)).toMatchObject({interaction: 'b', view: 'talk'});
    const bound = bindInteraction(layout, layout.active.id, 'c');
    expect(panesOf(bound.active.panes).map((pane) => shownIn(bound.active, pane))).toEqual([
      'c',
      'c',
      'b',
    ]);
  });

  test('a pane that is split again shows the same interaction', () => {
    const layout = splitPane(splitPane(three(), 'rows', {interaction: 'b'}), 'rows', {view: 'log'});
    expect(focusedPane(layout.active)).toMatchObject({interaction: 'b', view: 'log'});
  });

  test('closing a pane leaves the one before it in focus, and the last one open', () => {
    const two = splitPane(three(), 'rows', {view: 'log'});
    const one = closePane(two);
    expect(shows(one)).toEqual(['talk']);
    expect(focusedPane(one.active).view).toBe('talk');
    expect(closePane(one)).toEqual(one);
  });

  test('only the focused pane is left', () => {
    const layout = onlyPane(splitPane(splitPane(three(), 'rows'), 'columns', {view: 'diff'}));
    expect(shows(layout)).toEqual(['diff']);
  });

  /** `talk` on the left, `plan` above `votes` on the right, which has the focus. */
  const corner = splitPane(splitPane(newLayout(), 'columns', {view: 'plan'}), 'rows', {
    view: 'votes',
  });
  const walk = (keys: readonly FocusMove[], width: number): string => {
    const walked = keys.reduce((layout, key) => moveFocus(layout, key, width), corner);
    return focusedPane(walked.active).view;
  };

  test.each<[readonly FocusMove[], number, string]>([
    [['k'], 120, 'plan'],
    [['h'], 120, 'talk'],
    [['l'], 120, 'votes'],
    [['j'], 120, 'votes'],
    [['h', 'l'], 120, 'plan'],
    [['w'], 120, 'talk'],
    [['w', 'w'], 120, 'plan'],
    [['k', 'k'], 80, 'talk'],
    [['h'], 80, 'votes'],
    [['h'], 40, 'talk'],
  ])('the keys %j on %i columns lead to %s', (keys, width, view) => {
    expect(walk(keys, width)).toBe(view);
  });

  test('panes of one direction get the same room', () => {
    const layout = splitPane(splitPane(newLayout(), 'columns'), 'columns');
    expect(arrange(layout, 120, 30).map(({width}) => width)).toEqual([40, 40, 40]);
  });

  test('with fewer columns panes stack, then one is left', () => {
    const sizes = (width: number, height = 30) =>
      arrange(corner, width, height).map(({x, y}) => [x, y]);
    expect(sizes(100)).toEqual([
      [0, 0],
      [50, 0],
      [50, 15],
    ]);
    expect(sizes(99)).toEqual([
      [0, 0],
      [0, 10],
      [0, 20],
    ]);
    expect(sizes(59)).toEqual([[0, 0]]);
    expect(arrange(corner, 59, 30)[0]?.pane.view).toBe('votes');
    expect(arrange(corner, 99, 8).map(({pane}) => pane.view)).toEqual(['votes']);
  });
});

type Operation = (layout: Layout) => Layout;

const simple: readonly Operation[] = [closeTab, nextTab, closePane, onlyPane];

const operations: fc.Arbitrary<Operation> = fc.oneof(
  fc
    .record({
      form: fc.constantFrom(...spawnableForms),
      parent: fc.option(fc.nat(12), {nil: undefined}),
      isInBackground: fc.boolean(),
      interaction: fc.option(fc.constantFrom('a', 'b', 'c'), {nil: undefined}),
    })
    .map(
      (given): Operation =>
        (layout) =>
          openTab(layout, given),
    ),
  fc.nat(12).map(
    (id): Operation =>
      (layout) =>
        closeTab(layout, id),
  ),
  fc.nat(12).map(
    (id): Operation =>
      (layout) =>
        showTab(layout, id),
  ),
  fc.nat(12).map(
    (id): Operation =>
      (layout) =>
        bindInteraction(layout, id, `of ${id}`),
  ),
  fc.integer({min: -9, max: 9}).map(
    (count): Operation =>
      (layout) =>
        previousTab(layout, count),
  ),
  fc.integer({min: -2, max: 9}).map(
    (number): Operation =>
      (layout) =>
        goToTab(layout, number),
  ),
  fc.tuple(fc.constantFrom('rows', 'columns'), fc.constantFrom(...paneViews)).map(
    ([direction, view]): Operation =>
      (layout) =>
        splitPane(layout, direction, {view}),
  ),
  fc.tuple(fc.constantFrom('h', 'j', 'k', 'l', 'w'), fc.integer({min: 1, max: 200})).map(
    ([move, width]): Operation =>
      (layout) =>
        moveFocus(layout, move, width),
  ),
  fc.constantFrom(...simple),
);

const layouts = fc
  .array(operations, {maxLength: 30})
  .map((all) => all.reduce((layout, operate) => operate(layout), newLayout()));

describe('after any operations', () => {
  test('ids are unique, parents come before their children, and the focused pane exists', () => {
    fc.assert(
      fc.property(layouts, (layout) => {
        const tabs = tabsOf(layout);
        const all = tabs.flatMap(({id, panes}) => [id, ...panesOf(panes).map((pane) => pane.id)]);
        expect(new Set(all).size).toBe(all.length);
        expect(Math.max(...all)).toBeLessThan(layout.nextId);
        tabs.forEach(({parent, panes, focus}, index) => {
          const above = tabs.slice(0, index).map(({id}) => id);
          expect([undefined, ...above]).toContain(parent);
          expect(panesOf(panes).map(({id}) => id)).toContain(focus);
        });
      }),
    );
  });

  test('the panes cover the area once, the focused one among them', () => {
    const sides = [fc.integer({min: 0, max: 220}), fc.integer({min: 0, max: 60})] as const;
    fc.assert(
      fc.property(layouts, ...sides, (layout, width, height) => {
        const tiles = arrange(layout, width, height);
        const covered = Array.from({length: width * height}, () => 0);
        for (const {x, y, width: columns, height: rows} of tiles)
          for (let row = y; row < y + rows; row += 1)
            for (let column = x; column < x + columns; column += 1)
              covered[row * width + column] = (covered[row * width + column] ?? 9) + 1;
        expect(covered.filter((times) => times !== 1)).toEqual([]);
        expect(covered).toHaveLength(width * height);
        expect(tiles.map(({pane}) => pane.id)).toContain(layout.active.focus);
      }),
      {numRuns: 60},
    );
  });

  test('the key w visits every pane, and returns', () => {
    fc.assert(
      fc.property(layouts, (layout) => {
        const {length} = panesOf(layout.active.panes);
        const seen = new Set<number>();
        let walked = layout;
        for (let step = 0; step < length; step += 1) {
          walked = moveFocus(walked, 'w', 120);
          seen.add(walked.active.focus);
        }
        expect(seen.size).toBe(length);
        expect(walked).toEqual(layout);
      }),
    );
  });

  test('the bar shows the active tab within its width', () => {
    const titles = fc.string({unit: 'grapheme', maxLength: 60});
    fc.assert(
      fc.property(layouts, titles, fc.integer({min: 1, max: 160}), (layout, title, width) => {
        const bar = tabBar(layout, () => ({title, state: 'running'}), width);
        expect(bar.filter(({isActive}) => isActive).map(({tab}) => tab)).toEqual([
          layout.active.id,
        ]);
        expect(bar.reduce((sum, {text}) => sum + widthOfText(text), 0)).toBeLessThanOrEqual(width);
        bar.forEach(({x, text}, index) =>
          expect(x + widthOfText(text)).toBe(bar[index + 1]?.x ?? x + widthOfText(text)),
        );
      }),
    );
  });
});

describe('titles', () => {
  const facts: readonly TabFacts[] = [
    {title: 'Fix the failing test of the journal', state: 'running'},
    {title: 'なぜテストが失敗するのか', state: 'waiting'},
    {title: 'discuss', state: 'empty'},
  ];
  const factsOf = ({id}: {readonly id: number}): TabFacts =>
    facts[(id - 1) / 2] ?? {title: '', state: 'failed'};
  const bar = (layout: Layout, width: number): string =>
    tabBar(layout, factsOf, width)
      .map(({text}) => text)
      .join('');

  test('all tabs are in the bar while they fit', () => {
    expect(bar(three(), 100)).toBe(
      ' 1 ▸ Fix the failing test of…  2 ? なぜテストが失敗するのか [3 · discuss]',
    );
    expect(bar(three(), 50)).toBe(' 1 ▸ Fix the …  2 ? なぜテス… [3 · discuss]');
  });

  test('those around the active one are left on a narrow screen', () => {
    expect(bar(three(), 30)).toBe('‹ 2 ? なぜテ… [3 · discuss]');
    expect(bar(goToTab(three(), 2), 20)).toBe('‹[2 ? なぜテ…]›');
    expect(bar(three(), 6)).toBe('[3 · …');
    expect(bar(three(), 1)).toBe('…');
  });

  test('the list has each tab below its parent', () => {
    const layout = openTab(three(), {form: 'ask', parent: 1, isInBackground: true});
    expect(tabList(layout, factsOf, {style: plainStyle, width: 40})).toEqual([
      '  1 ▸ agent: Fix the failing test of th…',
      '  2 ✗   ask',
      '  3 ? ask: なぜテストが失敗するのか',
      '> 4 · discuss',
    ]);
  });

  const begun: Report = {type: 'interaction.started', form: 'ask', request: 'why?'};
  const asked: Report = {
    type: 'interview.asked',
    ask: '1',
    agent: 'interviewer',
    message: 'Who?',
  };
  const question: HumanQuestion = {
    kind: 'plan',
    request: 'why?',
    reason: 'nobody else can',
    proposalHash: 'x',
    history: [],
    allowed: ['approve'],
  };
  const gate: Report = {type: 'human.requested', gate: 'g', question};
  test.each<[string, readonly Report[], string]>([
    ['runs', [begun], 'running'],
    ['asks', [begun, asked], 'waiting'],
    ['stands at a gate', [begun, gate], 'waiting'],
    ['is done', [begun, ended('completed')], 'done'],
    ['failed', [begun, ended('rejected')], 'failed'],
  ])('the mark says that an interaction %s', (_, reports, state) => {
    const tab = openTab(newLayout(), {form: 'ask', interaction: 'r'}).active;
    expect(tabFacts(tab, sessionOf(...reports))).toEqual({title: 'why?', state});
  });

  test('a placeholder has the name of its form, and an interaction without events too', () => {
    const {active} = openTab(newLayout(), {form: 'interview', file: 'application'});
    expect(tabFacts(active, emptySession)).toEqual({
      title: 'interview application',
      state: 'empty',
    });
    expect(tabFacts({...active, interaction: 'r'}, emptySession).state).toBe('running');
  });
});
