/** The surface of a terminal: lines above, a status, and the one line editor. */

import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';

import type {LineEvents} from '../../../cli/terminal/line-editor.ts';
import {
  type Dialogue,
  type Prompter,
  createAsked,
  createPrompter,
  sendAsked,
} from '../../../cli/terminal/prompter.ts';
import {type Surface, createSurface} from '../../../cli/terminal/surface.ts';
import type {AskedInput} from '../../../machines/terminal/asked.ts';
import {type TestTerminal, createTestTerminal} from '../gate/person.ts';

const columns = 30;

describe('the surface', () => {
  let terminal: TestTerminal;

  let surface: Surface;

  let events: string[];

  beforeEach(() => {
    terminal = createTestTerminal({columns});
    surface = createSurface({stderr: terminal.output, env: {NO_COLOR: '1'}});
    events = [];
  });

  afterEach(() => surface.close());

  function rows(): readonly string[] {
    return terminal.rows();
  }

  async function open(more: Partial<LineEvents> = {}): Promise<void> {
    await surface.openKeyboard(terminal.input, {
      onMessage: (text) => {
        events.push(text);
        terminal.output.emit('written');
      },
      onInterrupt: () => void events.push('interrupt'),
      onEnd: () => void events.push('end'),
      ...more,
    });
  }

  /** Resolves with the next message. */
  async function message(keys: string): Promise<string> {
    const sent = Promise.withResolvers<string>();
    await open({onMessage: sent.resolve});
    terminal.type(keys);
    return await sent.promise;
  }

  test('a paste longer than a screen is a short mark on the row, and is sent whole', async () => {
    const pasted = 'x'.repeat(20_000);
    const sent = await message(`see \u001B[200~${pasted}\u001B[201~\r`);
    expect(sent).toBe(`see ${pasted}`);
    expect(rows().join('')).toMatch(/see \[paste #1 20000 chars\]/);
  });

  test('a closed terminal ends the input, even if it refuses to change its mode', async () => {
    const ended = Promise.withResolvers<string>();
    const gone = Object.assign(terminal.input, {
      setRawMode: (raw: boolean) => {
        if (!raw) throw new Error('setRawMode EIO');
      },
    });
    await open({onEnd: () => ended.resolve('end')});
    gone.emit('end');
    expect(await ended.promise).toBe('end');
  });

  test('a pasted line of usual length is shown in the row', async () => {
    expect(await message('\u001B[200~npm test\u001B[201~\r')).toBe('npm test');
    expect(rows()).toContain('npm test');
  });

  describe('without a keyboard', () => {
    test('the status is below all lines, and below a text in the middle of a row', () => {
      surface.follow(() => 'at work', 60_000);
      surface.print(['one', 'two']);
      expect(rows()).toEqual(['one', 'two', 'at work']);
      surface.write('a part');
      expect(rows()).toEqual(['one', 'two', 'a part']);
    });

    test('nothing is left of the status after it is closed', () => {
      surface.follow(() => 'at work', 60_000);
      surface.print(['one']);
      surface.close();
      surface.print(['two']);
      expect(rows()).toEqual(['one', 'two', '']);
    });
  });

  describe('while a person types', () => {
    test('lines appear above the status and the typed text, even over several rows', async () => {
      surface.follow(() => 'at work', 60_000);
      await open();
      surface.prompt('> ');
      terminal.type('日本語で書いた長い文は次の行に続きます');
      await terminal.sees('す');
      surface.print(['one']);
      surface.write('not yet a row');
      surface.write(', now it is\nnext');
      expect(rows()).toEqual([
        'one',
        'not yet a row, now it is',
        'at work',
        '> 日本語で書いた長い文は次の',
        '  行に続きます',
      ]);
    });

    test.each([
      ['a line', 'one line\r', 'one line'],
      ['a backslash at its end continues it', 'one \\\rtwo\r', 'one \ntwo'],
      ['a paste', 'see \u001b[200~a\nb\n\u001b[201~\r', 'see a\nb'],
      ['four lines at once', 'a\rb\rc\rd\r', 'a\nb\nc\nd'],
    ])('%s is one message', async (_, keys, text) => {
      expect(await message(keys)).toBe(text);
    });

    test('Ctrl-C discards typed text; without any it interrupts', async () => {
      await open();
      terminal.type('some words\u0003');
      expect(events).toEqual([]);
      terminal.type('\u0003');
      expect(events).toEqual(['interrupt']);
    });

    test('Ctrl-D and a closed terminal end it, once', async () => {
      await open();
      terminal.type('\u0004');
      surface.closeKeyboard();
      expect(events).toEqual(['end']);
    });

    test('a single question is answered by a line that was begun after it was shown', async () => {
      await open();
      terminal.type('typed ahead');
      const line = surface.ask('sure? ');
      terminal.type('\r');
      terminal.type('y\r');
      expect(await line).toEqual({kind: 'line', text: 'y'});
      expect(events).toEqual([]);
    });

    test('a single question is withdrawn with the keyboard, and ended by Ctrl-C alone', async () => {
      await open();
      const first = surface.ask('sure? ');
      terminal.type('\u0003');
      expect(await first).toEqual({kind: 'interrupt'});
      expect(events).toEqual([]);
      const second = surface.ask('sure? ');
      surface.closeKeyboard();
      expect(await second).toEqual({kind: 'withdrawn'});
    });

    test('lines wait while another program has the terminal', async () => {
      await open();
      surface.prompt('> ');
      const seen = await surface.aside(async () => {
        surface.print(['meanwhile']);
        return rows().join('\n');
      });
      expect(seen).not.toContain('meanwhile');
      expect(rows()).toEqual(['meanwhile', '>']);
    });
  });
});

describe('the event loop of a person', () => {
  let terminal: TestTerminal;

  let surface: Surface;

  let prompter: Prompter;

  let events: string[];

  beforeEach(() => {
    terminal = createTestTerminal();
    surface = createSurface({stderr: terminal.output, env: {NO_COLOR: '1'}});
    events = [];
  });

  afterEach(async () => {
    await prompter.close();
    surface.close();
  });

  function start(turns: AskedInput['turns'], more: Partial<Dialogue> = {}): void {
    const dialogue: Dialogue = {
      refresh: () => {},
      prompt: () => '> ',
      complete: (line) => [[], line],
      receive: async (text) => {
        events.push(text);
        return text === 'leave';
      },
      onLeft: (why) => void events.push(why),
      ...more,
    };
    const asked = createAsked(turns);
    prompter = createPrompter(dialogue, {asked, surface, input: terminal.input});
    prompter.refresh();
  }

  test('text that was typed before the keyboard opens is discarded, and a line can leave', async () => {
    terminal.type('ahead\n');
    start('one-by-one');
    terminal.type('still ahead\n');
    await terminal.sees('> ');
    terminal.type('now\nleave\n');
    await vi.waitFor(() => expect(events).toEqual(['now', 'leave', 'waiting']));
  });

  test('Ctrl-C that was typed before the keyboard opens interrupts', async () => {
    terminal.type('\u0003');
    start('one-by-one');
    await vi.waitFor(() => expect(events).toEqual(['interrupted']));
  });

  test('beside a program of the pipeline, the keyboard is open while a question is asked', async () => {
    const asked = createAsked('one-by-one');
    const question = {key: 'a', interaction: 'r', kind: 'gate'} as const;
    const dialogue: Dialogue = {
      refresh: () => {},
      prompt: () => 'decide> ',
      complete: (line) => [[], line],
      receive: async (text) => {
        events.push(text);
        sendAsked(asked, {type: 'question.settled', key: 'a'});
        return false;
      },
      onLeft: (why) => void events.push(why),
    };
    prompter = createPrompter(dialogue, {asked, surface, input: terminal.input, isBorrowed: true});
    prompter.refresh();
    expect(terminal.input.listenerCount('data')).toBe(0);
    sendAsked(asked, {type: 'question.asked', question, at: performance.now()});
    await terminal.sees('decide> ');
    terminal.type('/approve\n');
    await vi.waitFor(() => expect(terminal.input.listenerCount('data')).toBe(0));
    expect(events).toEqual(['/approve']);
  });

  test('a terminal that is closed leaves the run waiting', async () => {
    start('one-by-one');
    await terminal.sees('> ');
    terminal.input.end();
    await vi.waitFor(() => expect(events).toEqual(['waiting']));
  });

  test('in a conversation lines are performed in their order, and the second Ctrl-C leaves', async () => {
    start('conversation', {
      receive: async (text) => {
        events.push(`begins ${text}`);
        if (text === 'slow') await terminal.sees('^C');
        events.push(text);
        return false;
      },
      onWarned: () => void events.push('warned'),
    });
    terminal.type('slow\nnext\n');
    await vi.waitFor(() => expect(events).toEqual(['begins slow']));
    terminal.type('\u0003');
    const obeyed = ['begins slow', 'warned', 'slow', 'begins next', 'next'];
    await vi.waitFor(() => expect(events).toEqual([...obeyed]));
    terminal.type('\u0003');
    await vi.waitFor(() => expect(events).toEqual([...obeyed, 'interrupted']));
  });
});
