/** The modes of a screen: what keys mean, in which mode, and after which keys. */

import * as fc from 'fast-check';
import {beforeAll, describe, expect, test} from 'vitest';
import {createActor} from 'xstate';

import {defaultConfig} from '../../actors/config/schema.ts';
import {keyBindings} from '../../actors/config/sections/keys.ts';
import {clashIn, type KeyBinding, keysText, parseKeys} from '../../machines/terminal/keys.ts';
import {type ModesEmitted, modesMachine} from '../../machines/terminal/modes.ts';
import {explore, type Exploration} from '../../machines/testing/explore.ts';

const {keys: section} = defaultConfig();
const bindings = keyBindings(section);
const withoutVim = keyBindings({...section, vim: false});

const binding = (action: string, keys: string, mode: 'normal' | 'visual'): KeyBinding => ({
  action,
  keys: Array.from(keys),
  modes: [mode],
});

function screen(given = bindings) {
  const actor = createActor(modesMachine, {input: {bindings: given}}).start();
  const emitted: ModesEmitted[] = [];
  actor.on('*', (event) => void emitted.push(event));
  return {
    press: (...keys: readonly string[]): readonly ModesEmitted[] => {
      emitted.length = 0;
      keys.forEach((key) => actor.send({type: 'key.pressed', key}));
      return [...emitted];
    },
    enter: () => actor.send({type: 'line.entered'}),
    mode: () => actor.getSnapshot().value,
    pending: () => actor.getSnapshot().context,
  };
}

const meant = (action: string, count?: number) => ({type: 'key.meant', action, count});
const typed = (key: string) => ({type: 'key.typed', key});

/** In normal mode. */
function normal() {
  const vim = screen();
  vim.press('Esc');
  return vim;
}

describe('insert', () => {
  test('a screen begins with it, and keys are typed', () => {
    const {press, mode} = screen();
    expect(mode()).toBe('insert');
    expect(press('g', 't', 'Enter', '1', 'Ctrl-U')).toEqual(
      ['g', 't', 'Enter', '1', 'Ctrl-U'].map(typed),
    );
    expect(mode()).toBe('insert');
  });

  test('keys that type nothing may have a meaning', () => {
    expect(screen().press('Ctrl-PageDown', 'PageUp', 'Ctrl-R')).toEqual([
      meant('tab_next'),
      meant('page_up'),
      meant('history'),
    ]);
  });

  test('Esc leads to normal mode, and i back', () => {
    const {press, mode} = screen();
    expect(press('Esc')).toEqual([]);
    expect(mode()).toBe('normal');
    expect(press('i')).toEqual([]);
    expect(mode()).toBe('insert');
  });

  test('without Vim’s keys it is the only mode', () => {
    const {press, mode} = screen(withoutVim);
    expect(press('Esc', 'g', 'Ctrl-PageUp')).toEqual([
      typed('Esc'),
      typed('g'),
      meant('tab_previous'),
    ]);
    expect(mode()).toBe('insert');
  });
});

describe('normal', () => {
  test.each<[string[], ReturnType<typeof meant>]>([
    [['j'], meant('line_down')],
    [['g', 'g'], meant('first_line')],
    [['g', 't'], meant('tab_next')],
    [['2', 'g', 't'], meant('tab_next', 2)],
    [['1', '0', 'g', 'T'], meant('tab_previous', 10)],
    [['y', 'y'], meant('copy_line')],
    [['Ctrl-W', 'h'], meant('pane_left')],
    [['g', 'w'], meant('tab_waiting')],
    [['Ctrl-D'], meant('half_page_down')],
    [['Enter'], meant('fold')],
    [['?'], meant('help')],
    [['I'], meant('editor')],
    [Array.from('99999999j'), meant('line_down', 9_999)],
  ])('%j', (keys, meaning) => {
    const {press, mode, pending} = normal();
    expect(press(...keys)).toEqual([meaning]);
    expect(mode()).toBe('normal');
    expect(pending()).toMatchObject({pending: [], count: 0});
  });

  test('a sequence waits for its end', () => {
    const {press, pending} = normal();
    expect(press('3', '0', 'Ctrl-W')).toEqual([]);
    expect(pending()).toMatchObject({pending: ['Ctrl-W'], count: 30});
    expect(press('l')).toEqual([meant('pane_right', 30)]);
  });

  test('Esc, and a key that continues nothing, forget the keys before them', () => {
    const {press, mode} = normal();
    expect(press('2', 'g', 'Esc', 'j')).toEqual([meant('line_down')]);
    expect(press('2', 'g', 'x', 'j')).toEqual([meant('line_down')]);
    expect(press('0', 'j')).toEqual([meant('line_down')]);
    expect(mode()).toBe('normal');
  });

  test.each([
    [':', 'command'],
    ['/', 'search'],
  ])('%s begins a line, which ends with its entry or with Esc', (key, mode) => {
    const vim = normal();
    vim.press('4', key);
    expect(vim.mode()).toBe(mode);
    expect(vim.press('j', 'Ctrl-R', 'Enter')).toEqual([
      typed('j'),
      typed('Ctrl-R'),
      typed('Enter'),
    ]);
    vim.enter();
    expect(vim.mode()).toBe('normal');
    vim.press(key);
    expect(vim.press('Esc')).toEqual([]);
    expect(vim.press('j')).toEqual([meant('line_down')]);
  });
});

describe('visual', () => {
  test('moves extend the selection, and its end is copied or left', () => {
    const {press, mode} = normal();
    expect(press('v', '3', 'j', 'g', 'g')).toEqual([meant('line_down', 3), meant('first_line')]);
    expect(mode()).toBe('visual');
    expect(press('y')).toEqual([meant('copy')]);
    expect(mode()).toBe('normal');
    expect(press('v', 'v')).toEqual([]);
    expect(mode()).toBe('normal');
    press('v', 'g', 'Esc');
    expect(mode()).toBe('visual');
    press('Esc');
    expect(mode()).toBe('normal');
  });

  test('keys of normal mode alone do nothing', () => {
    const {press, mode} = normal();
    expect(press('v', 'x', 's', 'g', 't')).toEqual([]);
    expect(mode()).toBe('visual');
  });
});

describe('all ways through the chart', () => {
  const keys = ['Esc', 'i', 'v', ':', '/', 'y', 'g', '1', 'j', 'x', 'PageUp'];
  let found: Exploration;

  beforeAll(() => {
    found = explore(modesMachine, {
      input: {bindings},
      events: {'key.pressed': keys.map((key) => ({key}))},
      distinguish: ({pending, count}) => [pending, Math.min(count, 1)],
    });
  });

  test('enter every state and take every transition without a failure', () => {
    expect(found.states.missing).toEqual([]);
    expect(found.transitions.missing).toEqual([]);
    expect([found.failures, found.limits]).toEqual([[], []]);
  });

  test('lead back to insert mode from every state, by at most three keys', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...keys)), (pressed) => {
        const {press, mode} = screen();
        press(...pressed, 'Esc', 'Esc', 'i');
        expect(mode()).toBe('insert');
      }),
    );
  });
});

describe('keys as text', () => {
  test.each([
    ['gt', ['g', 't']],
    ['Ctrl-W h', ['Ctrl-W', 'h']],
    ['Ctrl-w  h', ['Ctrl-W', 'h']],
    ['Esc', ['Esc']],
    ['Esca', ['E', 's', 'c', 'a']],
    ['Ctrl-PageDown', ['Ctrl-PageDown']],
    ['Alt-Shift-F12', ['Alt-Shift-F12']],
    ['Space j', ['Space', 'j']],
    ['あ', ['あ']],
    ['g2', ['g', '2']],
  ])('%s', (text, keys) => {
    expect(parseKeys(text)).toEqual(keys);
    expect(parseKeys(keysText(keys))).toEqual(keys);
  });

  test.each([
    '',
    ' ',
    '1',
    '2gt',
    'Ctrl-C',
    'g Ctrl-C',
    'abcde',
    'Ctrl-',
    'Hyper-A',
    '\t',
    'a\u{200b}',
  ])('%j is no sequence', (text) => {
    expect(parseKeys(text)).toBeUndefined();
  });

  test('a sequence is not the beginning of another one in the same mode', () => {
    const [y, yy] = [binding('copy', 'y', 'normal'), binding('copy_line', 'yy', 'normal')];
    expect(clashIn([y, yy])).toEqual([y, yy]);
    expect(clashIn([yy, y])).toEqual([yy, y]);
    expect(clashIn([y, binding('copy_line', 'yy', 'visual')])).toBeUndefined();
    expect(clashIn([yy, binding('other', 'yx', 'normal')])).toBeUndefined();
    expect(clashIn(bindings)).toBeUndefined();
  });
});
