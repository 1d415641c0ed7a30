/** The rows in which a person types, at the end of the main screen. */

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {type Surface, createSurface} from '../../../cli/terminal/surface.ts';
import {type TestTerminal, createTestTerminal} from '../gate/person.ts';

const names = ['/approve ', '/always ', '/reject'];

describe('the line at the end of the main screen', () => {
  let terminal: TestTerminal;

  let surface: Surface;

  let events: string[];

  beforeEach(async () => {
    terminal = createTestTerminal({columns: 40, rows: 10});
    surface = createSurface({stderr: terminal.output, env: {NO_COLOR: '1'}});
    events = [];
    const options = {
      history: ['/tree', 'npm test', 'Say hello'],
      complete: (line: string) => [names.filter((name) => name.startsWith(line)), line] as const,
    };
    const keys = {
      onMessage: (text: string) => void events.push(text),
      onInterrupt: () => void events.push('interrupt'),
      onEnd: () => void events.push('end'),
    };
    await surface.openKeyboard(terminal.input, keys, options);
    surface.prompt('> ');
  });

  afterEach(() => surface.close());

  test('Enter sends what is typed, not the word that the list shows first', async () => {
    terminal.type('/app');
    await terminal.sees('/approve');
    terminal.type('\r');
    expect(events).toEqual(['/app']);
  });

  test('Tab completes what all words have in common, then shows them', async () => {
    terminal.type('/rej\ttoo risky\r');
    expect(events).toEqual(['/reject too risky']);
    terminal.type('/a\t');
    await terminal.sees('/always');
    expect(terminal.rows().join('\n')).toContain('/approve');
  });

  test('a paste that ends in a line end is text: only Enter sends it', async () => {
    terminal.input.write('\u001b[200~/approve\r\u001b[201~');
    await terminal.sees('> /approve');
    expect(events).toEqual([]);
  });

  test('Ctrl-R finds older messages with the typed words', async () => {
    terminal.type('e\u0012');
    await terminal.sees('> /tree');
    terminal.type('\u0012');
    await terminal.sees('> npm test');
    terminal.type('\r');
    expect(events).toEqual(['npm test']);
  });

  test('a prompt that is wider than the screen is above the line', async () => {
    surface.prompt(`Remove ${'a long name '.repeat(5)}and all that belongs to it? [y/N] `);
    terminal.type('y');
    await terminal.sees('belongs to it? [y/N]\ny');
    terminal.type('\r');
    expect(events).toEqual(['y']);
  });

  test('another size draws the rows anew and leaves the lines above as they are', async () => {
    surface.print(['one', 'two']);
    terminal.type('half a line');
    await terminal.sees('> half a line');
    Object.assign(terminal.output, {columns: 25, rows: 8}).emit('resize');
    surface.print(['three']);
    expect(terminal.rows()).toEqual(['one', 'two', 'three', '> half a line']);
    for (const clear of ['\u001b[2J', '\u001b[3J']) expect(terminal.screen()).not.toContain(clear);
  });

  test('a text of several rows, combined characters and wide ones keep their places', async () => {
    terminal.type('日本語 é 👩‍👩‍👧 です。\\\r次の行');
    await terminal.sees('次の行');
    expect(terminal.rows().slice(-2)).toEqual([expect.stringMatching(/^> 日本語 é /), '  次の行']);
    terminal.type('\r');
    expect(events).toEqual(['日本語 é 👩‍👩‍👧 です。\n次の行']);
  });
});
