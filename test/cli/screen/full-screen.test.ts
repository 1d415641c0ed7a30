/** The full screen: keys in, rows out, without a terminal. */

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {keyBindings, keysSection} from '../../../actors/config/sections/keys.ts';
import {plainStyle} from '../../../cli/render/style.ts';
import {proseRows} from '../../../cli/render/text.ts';
import {FullScreen} from '../../../cli/screen/full-screen.ts';
import {
  bindInteraction,
  onlyPane,
  openTab,
  splitPane,
  tabFacts,
} from '../../../cli/screen/layout.ts';
import {createProse} from '../../../cli/screen/markdown.ts';
import {plainRow} from '../../../cli/screen/transcript.ts';
import {type TestTerminal, createTestTerminal} from '../gate/person.ts';

const keys = {
  escape: '\u001b',
  enter: '\r',
  pageUp: '\u001b[5~',
  nextTab: '\u001b[6;5~',
  interrupt: '\u0003',
  end: '\u0004',
  up: '\u0015',
  window: '\u0017',
};

const isEnded = (): boolean => false;

describe('the full screen', () => {
  let terminal: TestTerminal;

  let screen: FullScreen;

  let events: string[];

  beforeEach(() => {
    terminal = createTestTerminal({columns: 40, rows: 10});
    open();
  });

  afterEach(() => screen.close());

  function open(vim = true, env: Record<string, string> = {}): void {
    const bindings = keyBindings(keysSection.parse({vim}));
    const {input, output} = terminal;
    events = [];
    screen = new FullScreen(
      {stdin: input, stderr: output, env},
      {
        style: plainStyle,
        prose: createProse(plainStyle, (code) => code.split('\n')),
        bindings,
        history: ['an older line'],
      },
    );
    screen.behaviour = {
      ...screen.behaviour,
      factsOf: (tab) => tabFacts(tab, {runs: []}),
      rowsOf: ({view}, interaction) => [`${view} of ${interaction}`],
      onCommand: (text) => void events.push(`:${text}`),
      onAction: (action, count) => void events.push(`${action} ${count ?? ''}`.trim()),
      onShown: () => void events.push('shown'),
    };
    screen.open({
      onLine: (text) => void events.push(text),
      onInterrupt: (wasTyped) => void events.push(wasTyped ? 'discarded' : 'interrupted'),
      onEnd: () => void events.push('end'),
    });
    screen.status = () => 'the status';
    screen.show('> ');
  }

  function press(...typed: readonly string[]): void {
    for (const key of typed) screen.press(key);
  }

  function type(text: string): void {
    press(...Array.from(text));
  }

  function rows(): string[] {
    return screen.render(40).map(plainRow);
  }

  function at(columns: number): string[] {
    terminal.output.columns = columns;
    return screen.render(columns).map(plainRow).slice(1, 4);
  }

  function print(count: number): void {
    screen.print(Array.from({length: count}, (_, index) => `line ${index + 1}`));
  }

  test('shows tabs, what was printed, the status and the line', () => {
    screen.print(['one', 'two']);
    type('half');
    expect(rows()).toEqual(['[1 · agent]', 'one', 'two', ...blank(5), 'the status', '> half']);
  });

  test('is never higher than the terminal, and shows the end of what was printed', () => {
    print(100);
    expect(rows()).toHaveLength(10);
    expect(rows()[7]).toBe('line 100');
    terminal.output.rows = 7;
    const last = ['line 97', 'line 98', 'line 99', 'line 100'];
    expect(rows()).toEqual(['[1 · agent]', ...last, 'the status', '>']);
  });

  test('a sent line stays in its tab', () => {
    type('do it');
    press(keys.enter);
    expect(events).toEqual(['do it']);
    expect(rows()[1]).toBe('> do it');
  });

  test('a streamed answer is rendered as it comes, with escaped controls', () => {
    const transcript = screen.panes.transcript();
    transcript.say('It is **bold**, see:\n\n- one\n- two\u001b[2J');
    expect(rows().slice(1, 5)).toEqual(['It is bold, see:', '', '- one', '- two\\x1b[2J']);
    transcript.endSaid();
    screen.print(['done']);
    expect(rows().slice(3, 6)).toEqual(['- one', '- two\\x1b[2J', 'done']);
  });

  test('a narrower terminal wraps what was printed, and a wider one joins it again', () => {
    screen.print(['a line of text that has more than thirty columns']);
    terminal.output.columns = 30;
    const narrow = screen.render(30).map(plainRow);
    expect(narrow.slice(1, 3)).toEqual(['a line of text that has more', 'than thirty columns']);
    terminal.output.columns = 60;
    expect(screen.render(60).map(plainRow)[1]).toMatch(/^a line .* columns$/);
  });

  describe('lines that depend on the width', () => {
    const sentence = 'Three reviewers approve the plan, and one of them says why.';

    test('are laid out anew from 200 to 40 to 200 columns', () => {
      screen.print((width) => proseRows(sentence, width, '    '));
      const wide = at(200);
      expect(wide).toEqual([`    ${sentence}`, '', '']);
      expect(at(40)).toEqual([
        '    Three reviewers approve the plan,',
        '    and one of them says why.',
        '',
      ]);
      expect(at(200)).toEqual(wide);
    });

    test('are laid out once for each width, and the oldest stay as they are', () => {
      let laid = 0;
      for (let count = 0; count < 10_000; count += 1) {
        screen.panes.transcript().print(() => {
          laid += 1;
          return [`line ${count}`];
        });
      }
      at(40);
      at(40);
      const atFirst = laid;
      at(80);
      expect([atFirst <= 20_000, laid - atFirst]).toEqual([true, 2000]);
    });
  });

  describe('in normal mode', () => {
    test('keys are not typed, i types again, and the draft is kept', () => {
      type('draft');
      press(keys.escape);
      type('xz');
      expect(rows().slice(-2)).toEqual(['-- NORMAL -- the status', '> draft']);
      type('i!');
      expect(rows().slice(-2)).toEqual(['the status', '> draft!']);
    });

    test('Esc and a key typed fast are two keys', () => {
      press('\u001bj');
      expect(screen.mode).toBe('normal');
    });

    test('k, gg, G, half pages and pages move through what was printed', () => {
      print(100);
      press(keys.escape);
      type('gg');
      expect(rows()[1]).toBe('line 1');
      type('G');
      expect(rows()[7]).toBe('line 100');
      type('7k');
      expect(rows()[1]).toBe('line 93');
      press(keys.up);
      expect(rows()[1]).toBe('line 90');
      press(keys.pageUp);
      expect(rows()[1]).toBe('line 84');
      screen.print(['new']);
      expect(rows()[1]).toBe('line 84');
      expect(rows().at(-2)).toBe('-- NORMAL -- ↓ 11 the status');
    });

    test('a search finds words above, n the next ones', () => {
      print(100);
      press(keys.escape);
      type('/LINE 4');
      press(keys.enter);
      type('yy');
      expect(copied()).toBe('line 49');
      type('nyy');
      expect(copied()).toBe('line 48');
      type('Nyy');
      expect(copied()).toBe('line 49');
    });

    test('v and y copy the selected lines through the terminal', () => {
      print(5);
      press(keys.escape);
      type('vky');
      expect(copied()).toBe('line 4\nline 5');
      expect(screen.mode).toBe('normal');
    });

    test('a colon enters a command; Esc leaves it', () => {
      press(keys.escape);
      type(':tabs');
      expect(rows().at(-1)).toBe(':tabs');
      press(keys.enter);
      type(':no');
      press(keys.escape);
      expect(events).toEqual([':tabs']);
      expect(screen.mode).toBe('normal');
    });

    test('other keys mean actions of the conversation, with their counts', () => {
      press(keys.escape);
      type('gt3gtgT2gTgwadsef?I');
      for (const key of 'hjklwc') press(keys.window, key);
      expect(events).toEqual([
        'tab_next',
        'tab_next 3',
        'tab_previous',
        'tab_previous 2',
        'tab_waiting',
        'tab_ask',
        'tab_discuss',
        'solo',
        'ensemble',
        'fast',
        'help',
        'editor',
        'pane_left',
        'pane_down',
        'pane_up',
        'pane_right',
        'pane_next',
        'pane_close',
      ]);
    });

    test('a paste does nothing', () => {
      press(keys.escape, '\u001b[200~i/approve\u001b[201~');
      expect([screen.mode, events]).toEqual(['normal', []]);
    });
  });

  test('without Vim, Esc does nothing', () => {
    screen.close();
    open(false);
    press(keys.escape);
    type('i am typed');
    expect(rows().at(-1)).toBe('> i am typed');
    press(keys.nextTab);
    expect(events).toEqual(['tab_next']);
  });

  test('Ctrl-C discards the line, then interrupts; Ctrl-D ends only where nothing is typed', () => {
    type('half');
    press(keys.end, keys.interrupt, keys.interrupt, keys.end);
    expect(events).toEqual(['discarded', 'interrupted', 'end']);
    expect(rows()[1]).toBe('> half^C');
    press(keys.escape, keys.end);
    expect(events).toHaveLength(3);
  });

  describe('characters of more than one code or column', () => {
    const family = '👩‍👩‍👧';

    test('stay whole at the last column', () => {
      screen.print([
        'abcdef日本',
        `abcdefgh${family}x`,
        `abcdefghi${family}x`,
        'abcdefghie\u0301x',
      ]);
      terminal.output.columns = 20;
      const parts = screen.panes.transcript().rows(10);
      expect(parts).toEqual([
        'abcdef日本',
        `abcdefgh${family}`,
        'x',
        'abcdefghi',
        `${family}x`,
        'abcdefghie\u0301',
        'x',
      ]);
    });

    test('typed by an input method, also in parts of a character, are one text', async () => {
      const bytes = Buffer.from('日本語で');
      terminal.input.write(bytes.subarray(0, 4));
      terminal.input.write(bytes.subarray(4));
      await terminal.sees('> 日本語で');
      terminal.input.write(`か\u3099${family}`);
      await terminal.sees('か');
      press(keys.enter);
      expect(events).toEqual([`日本語でか\u3099${family}`]);
    });

    test('wrap in the line, with the cursor behind them', () => {
      type('日本語の文をここに打つと行が折り返される。');
      const shown = screen.render(30).slice(-2);
      expect(shown.map(plainRow)).toEqual(['> 日本語の文をここに打つと行', '  が折り返される。']);
      expect(shown[1]).toMatch(/。.*_pi:c/);
      press('\u007f');
      expect(screen.render(30).map(plainRow).at(-1)).toBe('  が折り返される');
    });
  });

  describe('with the keyboard protocol of Kitty', () => {
    test('Esc, Ctrl-C on any layout, and a new row are told apart', () => {
      type('half');
      press('\u001b[13;2u');
      type('more');
      expect(rows().slice(-2)).toEqual(['> half', '  more']);
      const interruptInCyrillic = '\u001b[1089::99;5u';
      press(interruptInCyrillic, '\u001b[99;5u');
      expect(events).toEqual(['discarded', 'interrupted']);
      press('\u001b[27u');
      expect(screen.mode).toBe('normal');
      press('\u001b[119;5u', 'w');
      expect(events.at(-1)).toBe('pane_next');
    });

    test('it is on while the screen is open, and off when it is left, even by a crash', () => {
      expect(inOrder(terminal.screen(), '\u001b[?1049h', '\u001b[>5u')).toEqual([0, 1]);
      expect(inOrder(terminal.screen(), '\u001b[<u')).toEqual([-1]);
      process.listeners('exit').at(-1)?.(1);
      expect(inOrder(terminal.screen(), '\u001b[<u', '\u001b[?2004l', '\u001b[?1049l')).toEqual([
        0, 1, 2,
      ]);
      screen.letGo();
      expect(inOrder(terminal.screen(), '\u001b[<u', '\u001b[?2004l', '\u001b[?1049l')).toEqual([
        0, 1, 2,
      ]);
    });

    test('the console of Linux is not asked for it', () => {
      screen.close();
      terminal = createTestTerminal({columns: 40, rows: 10});
      open(true, {TERM: 'linux'});
      expect(terminal.screen()).not.toContain('\u001b[>5u');
      screen.close();
      expect(terminal.screen()).not.toContain('\u001b[<u');
    });
  });

  test('a long result is folded, and Enter on its last line opens it', () => {
    screen.panes.transcript().print(
      Array.from({length: 50}, (_, index) => `row ${index}`),
      true,
    );
    expect(rows()[7]).toMatch(/^… 30 more lines/);
    press(keys.escape, keys.enter);
    type('G');
    expect(rows().slice(6, 8)).toEqual(['row 49', '… fold (Enter)']);
    press(keys.enter);
    expect(rows()[7]).toMatch(/^… 30 more lines/);
  });

  describe('with several interactions', () => {
    beforeEach(() => {
      screen.panes.begin({id: 'r1', form: 'agent', isOfPerson: true}, isEnded);
      screen.panes.transcript('r1').print(['of the first']);
    });

    test('the first root is in the empty tab, and the next one opens a tab', () => {
      screen.panes.begin({id: 'r2', form: 'ask', isOfPerson: true}, isEnded);
      screen.panes.transcript('r2').print(['of the second']);
      expect(rows().slice(0, 2)).toEqual([' 1 ▸ agent [2 ▸ ask]', 'of the second']);
      expect(screen.panes.isShown('r1')).toBe(false);
      expect(events).toEqual(['shown', 'shown']);
    });

    test('a root continues the tab of one that has ended', () => {
      screen.panes.begin({id: 'r2', form: 'ask', isOfPerson: true}, () => true);
      expect([screen.panes.shown, rows()[1]]).toEqual(['r2', 'of the first']);
    });

    test('a child opens a tab in the background, and is bound to the empty tab that a person opened for it', () => {
      screen.panes.begin({id: 'r1.1', form: 'ask', isOfPerson: false}, isEnded);
      expect([rows()[0], screen.panes.shown]).toEqual(['[1 ▸ agent] 2 ▸ ask', 'r1']);
      const {layout} = screen.panes;
      screen.change(openTab(layout, {form: 'discuss', parent: layout.active.id}));
      expect(rows()[0]).toBe(' 1 ▸ agent  2 ▸ ask [3 · discuss]');
      screen.panes.pending = screen.panes.layout.active.id;
      screen.panes.begin({id: 'r1.2', form: 'discuss', isOfPerson: true}, isEnded);
      expect(screen.panes.shown).toBe('r1.2');
    });

    test('a command of the person is shown where it was typed', () => {
      screen.panes.begin({id: 'r2', form: 'command', isOfPerson: true}, isEnded);
      screen.panes.transcript('r2').print(['$ ls']);
      expect(rows().slice(0, 3)).toEqual(['[1 ▸ agent]', 'of the first', '$ ls']);
    });

    test('a split shows a view below, a second one beside it on a wide screen', () => {
      terminal.output.rows = 16;
      terminal.output.columns = 70;
      screen.change(splitPane(screen.panes.layout, 'rows', {view: 'plan'}));
      const shown = screen.render(70).map(plainRow);
      expect(shown).toContain('plan of r1');
      expect(shown.indexOf('of the first')).toBeLessThan(shown.indexOf('plan of r1'));
      terminal.output.columns = 120;
      screen.change(splitPane(screen.panes.layout, 'columns', {view: 'votes'}));
      expect(screen.render(120).map(plainRow).join('\n')).toMatch(/plan of r1 +│votes of r1/);
    });

    test('a view alone has a title, and lines of the conversation show it again', () => {
      screen.change(onlyPane(splitPane(screen.panes.layout, 'rows', {view: 'plan'})));
      expect(rows().slice(1, 3)).toEqual([expect.stringContaining('── '), 'plan of r1']);
      screen.print(['the tabs']);
      expect(rows().slice(1, 3)).toEqual(['of the first', 'the tabs']);
    });

    test('a view of an empty tab says so', () => {
      screen.change(openTab(screen.panes.layout, {form: 'ask'}));
      screen.change(onlyPane(splitPane(screen.panes.layout, 'rows', {view: 'votes'})));
      expect(rows()[2]).toBe('nothing yet');
    });

    test('a click chooses a tab, and the wheel scrolls', async () => {
      screen.panes.begin({id: 'r2', form: 'ask', isOfPerson: true}, isEnded);
      print(50);
      await terminal.sees('line 50');
      terminal.input.write('\u001b[<64;5;5M');
      await terminal.sees('line 41');
      terminal.input.write('\u001b[<0;3;1M\u001b[<0;3;1m');
      await terminal.sees('of the first');
      expect(screen.panes.shown).toBe('r1');
    });

    test('ten tabs at once: each keeps its own lines', () => {
      for (let count = 2; count <= 10; count += 1) {
        const {layout} = screen.panes;
        screen.change(openTab(layout, {form: 'agent'}));
        screen.change(
          bindInteraction(screen.panes.layout, screen.panes.layout.active.id, `r${count}`),
        );
        screen.panes.transcript(`r${count}`).print([`of ${count}`]);
      }
      expect(rows()[1]).toBe('of 10');
      expect(rows()[0]).toMatch(/^‹.*\[10 ▸ agent\]$/);
    });
  });

  test('a hundred thousand lines: a frame takes at most 10 ms', () => {
    print(100_000);
    rows();
    const took = Array.from({length: 20}, (_, index) => {
      const from = performance.now();
      screen.print([`more ${index}`]);
      screen.render(40);
      return performance.now() - from;
    });
    expect(took.toSorted((one, other) => one - other)[10]).toBeLessThan(10);
  });

  function copied(): string {
    // oxlint-disable-next-line no-control-regex
    const all = [...terminal.screen().matchAll(/\u001b\]52;c;([\w+/=]*)\u0007/g)];
    return Buffer.from(all.at(-1)?.[1] ?? '', 'base64').toString('utf8');
  }
});

/** The place of each sequence among those that were written, by its last occurrence; -1: it was not written. */
function inOrder(written: string, ...sequences: readonly string[]): number[] {
  const places = sequences.map((sequence) => written.lastIndexOf(sequence));
  const sorted = places.toSorted((one, other) => one - other);
  return places.map((place) => (place < 0 ? -1 : sorted.indexOf(place)));
}

function blank(count: number): string[] {
  return Array.from({length: count}, () => '');
}
