/** Many events at once: frames are few, keys come between, and nothing is drawn while nothing changes. */

import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';

import {spinnerMs, spinnerText} from '../../../cli/render/live/status.ts';
import {advance} from '../../../cli/render/view/fold.ts';
import {emptyView, type RunView} from '../../../cli/render/view/run-view.ts';
import {createFullSurface, type FullSurface} from '../../../cli/screen/full-surface.ts';
import {createChatReporter} from '../../../cli/talk/chat-reporter.ts';
import {createRoots, type Root} from '../../../cli/talk/roots.ts';
import {noUsage} from '../../../machines/domain/result.ts';
import type {Report} from '../../../machines/facts/progress.ts';
import {createFakeRun} from '../fake-run.ts';
import {type TestTerminal, createTestTerminal} from '../gate/person.ts';

const roots = createRoots(
  {start: () => createFakeRun(), resume: async () => createFakeRun(), ready: async () => {}},
  {onBegun: () => {}, onEvent: () => {}, onResult: () => {}},
);

const frameMs = 16;
const beginFrame = '\u001b[?2026h';

describe('a burst of events', () => {
  let terminal: TestTerminal;

  let surface: FullSurface;

  let typed: string[];

  beforeEach(async () => {
    terminal = createTestTerminal({columns: 60, rows: 12});
    const {input: stdin, output: stderr} = terminal;
    surface = createFullSurface(
      {stdin, stdout: stderr, stderr, env: {NO_COLOR: '1'}},
      {bindings: [], history: [], highlight: (code) => code.split('\n')},
    );
    typed = [];
    const onMessage = (text: string): void => void typed.push(text);
    await surface.openKeyboard(
      stdin,
      {onMessage, onInterrupt: () => {}, onEnd: () => {}},
      undefined,
    );
  });

  afterEach(() => {
    surface.close();
    vi.useRealTimers();
  });

  function frames(): number {
    return terminal.screen().split(beginFrame).length - 1;
  }

  test('is drawn once in 16 ms, with the keys that were typed meanwhile', async () => {
    vi.useFakeTimers();
    await vi.advanceTimersByTimeAsync(1000);
    const before = frames();
    for (let count = 0; count < 10_000; count += 1) {
      surface.print([`line ${count}`], 'r1');
      surface.print([`note ${count}`]);
      if (count % 1000 === 0) surface.screen.press('x');
    }
    await vi.advanceTimersByTimeAsync(frameMs);
    expect(frames() - before).toBe(1);
    const rows = terminal.rows().join('\n');
    expect(rows).toContain('note 9999');
    expect(rows).toContain('x'.repeat(10));
  });

  test('does not keep a key waiting until its end', async () => {
    const run = createFakeRun();
    const whole = Promise.withResolvers<void>();
    const all = 10_000;
    let seen = 0;
    let seenAtKey = 0;
    const runtime = {start: () => run, resume: async () => run, ready: async () => {}};
    createRoots(runtime, {
      onBegun: () => {},
      onResult: () => {},
      onEvent: (_, event) => {
        seen += 1;
        if (seenAtKey === 0 && typed.length > 0) seenAtKey = seen;
        surface.print((width) => [JSON.stringify(event).slice(0, width)], event.interaction);
        if (seen === all) whole.resolve();
      },
    }).begin({form: 'ask', request: 'Say much'});
    terminal.type('hello\n');
    for (let count = 0; count < all; count += 1) {
      run.report({type: 'thought', text: `thought ${count}`});
    }
    await whole.promise;
    expect(typed).toEqual(['hello']);
    expect(seenAtKey).toBeGreaterThan(0);
    expect(seenAtKey).toBeLessThan(all / 2);
  });

  test('the answer of a child is streamed in its tab, and not repeated at its end', () => {
    let root: Root = {
      number: 1,
      id: 'r1',
      session: 'r1',
      form: 'agent',
      request: 'Say hello',
      view: emptyView,
      startedAt: 0,
      isOpen: true,
    };
    const {screen} = surface;
    const ui = {...surface, isAttended: true, isOneScreen: true, isShown: () => true};
    const reporter = createChatReporter(ui, 'normal', () => ({...roots, of: () => root}));
    const report = (event: Report, interaction: string): void => {
      const before = root.view;
      const stamped = {...event, seq: 1, at: 0, interaction, actor: ''};
      root = {...root, view: advance(before, stamped)};
      reporter.onEvent(root, stamped, before);
    };
    const child = {child: 'r1.1', form: 'ask'} as const;
    const begun = {parent: 'r1', depth: 1, contextMode: 'fresh', by: 'person'} as const;
    report({type: 'interaction.spawned', request: 'Why?', ...child, ...begun}, 'r1');
    screen.panes.begin({id: 'r1.1', form: 'ask', isOfPerson: true}, () => true);
    const rows = (): readonly string[] => screen.panes.transcript('r1.1').rows(60);
    report({type: 'model.delta', model: 'mock/a', text: 'Because the limit'}, 'r1.1');
    expect(rows()).toEqual(['Because the limit']);
    report({type: 'model.delta', model: 'mock/a', text: ' is 5.'}, 'r1.1');
    report({type: 'usage', model: 'mock/a', spent: noUsage, totals: noUsage}, 'r1.1');
    const end = {status: 'completed', summary: 'Because the limit is 5.'} as const;
    const text = '[Ask Result]: Because the limit is 5.';
    report({type: 'interaction.settled', child: 'r1.1', text, ...end}, 'r1');
    expect(rows()).toEqual(['Because the limit is 5.']);
  });

  test('while something runs, the status turns and counts; then nothing is drawn', async () => {
    vi.useFakeTimers();
    let view: RunView = advance(emptyView, {
      type: 'interaction.started',
      form: 'ask',
      request: 'Say hello',
      seq: 1,
      at: 0,
      interaction: 'r1',
      actor: '',
    });
    surface.follow(() => `${spinnerText([view])}working`, spinnerMs);
    const shown = new Set<string>();
    for (let tick = 0; tick < 10; tick += 1) {
      await vi.advanceTimersByTimeAsync(spinnerMs + frameMs);
      shown.add(terminal.rows().find((row) => row.endsWith('working')) ?? '');
    }
    expect(shown.size).toBeGreaterThan(5);
    view = emptyView;
    await vi.advanceTimersByTimeAsync(1000);
    const idle = frames();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(frames()).toBe(idle);
    expect(vi.getTimerCount()).toBe(0);
    expect(terminal.rows()).toContain('working');
  });
});
