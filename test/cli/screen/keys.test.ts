/** The keys of the screen: their names, their configuration, and their help. */

import {describe, expect, test} from 'vitest';

import {type ConfigInput, defaultConfig, parseConfig} from '../../../actors/config/schema.ts';
import {keyActions, keyBindings} from '../../../actors/config/sections/keys.ts';
import {plainStyle} from '../../../cli/render/style.ts';
import {widthOfText} from '../../../cli/render/text.ts';
import {keyHelp, keyName} from '../../../cli/screen/keys.ts';
import {parseKeys} from '../../../machines/terminal/keys.ts';

const defaults = defaultConfig().keys;

test.each([
  ['a', 'a'],
  ['?', '?'],
  ['+', '+'],
  ['space', 'Space'],
  ['escape', 'Esc'],
  ['enter', 'Enter'],
  ['shift+g', 'G'],
  ['ctrl+w', 'Ctrl-W'],
  ['ctrl+c', 'Ctrl-C'],
  ['pageUp', 'PageUp'],
  ['ctrl+pageDown', 'Ctrl-PageDown'],
  ['shift+ctrl+f5', 'Ctrl-Shift-F5'],
  ['ctrl++', 'Ctrl-+'],
  ['f12', 'F12'],
])('the key %s is called %s', (id, name) => {
  expect(keyName(id)).toBe(name);
});

/** What `quorate.toml` sets in `[keys]`. */
function keysWith(input: ConfigInput['keys']) {
  return parseConfig({keys: input}).keys;
}

describe('the configuration', () => {
  test('binds each action to a key that exists', () => {
    for (const action of keyActions) {
      expect(defaults[action].length).toBeGreaterThan(0);
      expect(defaults[action].map(parseKeys)).not.toContain(undefined);
    }
  });

  test('binds an action to other keys, or to none', () => {
    const keys = keysWith({tab_next: ['Ctrl-n', 'L'], fast: []});
    const own = keyBindings(keys).filter(({action}) => ['tab_next', 'fast'].includes(action));
    expect(own.map((binding) => binding.keys)).toEqual([['Ctrl-N'], ['L']]);
  });

  test('leaves only keys that work while text is typed when Vim’s modes are off', () => {
    const actions = keyBindings(keysWith({vim: false})).map(({action}) => action);
    expect([...new Set(actions)]).toEqual([
      'history',
      'tab_next',
      'tab_previous',
      'page_down',
      'page_up',
    ]);
  });

  test.each<[NonNullable<ConfigInput['keys']>, string]>([
    [{tab_next: ['2t']}, 'keys.tab_next: entry 0: "2t" is not a sequence of keys'],
    [{page_up: ['Ctrl-C']}, 'keys.page_up: entry 0: "Ctrl-C" is not a sequence of keys'],
    [{normal: ['jk']}, 'keys.normal: entry 0: "jk" types text'],
    [{insert: []}, 'keys.insert: a list is too small; at least 1 entry'],
  ])('refuses %j', (input, problem) => {
    expect(() => keysWith(input)).toThrow(problem);
  });

  test('refuses a sequence that is the beginning of another one', () => {
    expect(() => keyBindings(keysWith({tab_ask: ['g']}))).toThrow(
      'keys.tab_next: "gt" clashes with "g" of keys.tab_ask; bind one of them to other keys',
    );
    expect(() => keyBindings(keysWith({solo: ['e']}))).toThrow('keys.solo: "e" clashes with "e"');
  });
});

describe('the help', () => {
  test('has each action with its keys', () => {
    const lines = keyHelp(defaults, {style: plainStyle, width: 100});
    expect(lines).toHaveLength(keyActions.length);
    expect(lines).toContain(
      'gt, Ctrl-PageDown  the next tab; with a count: the tab of this number',
    );
    expect(lines.find((line) => line.startsWith('Ctrl-W c'))).toMatch(/ {2}close the pane$/);
  });

  test('shows the configured keys, and no action without one', () => {
    const keys = keysWith({tab_next: ['L'], fast: []});
    const lines = keyHelp(keys, {style: plainStyle, width: 100});
    expect(lines.filter((line) => line.startsWith('L '))).toHaveLength(1);
    expect(lines.join('\n')).not.toContain('only the policy reviewers');
  });

  test('fits a narrow screen, in both languages', () => {
    for (const language of ['en', 'ja'] as const) {
      const lines = keyHelp(defaults, {style: {...plainStyle, language}, width: 50});
      expect(lines.filter((line) => widthOfText(line) > 50)).toEqual([]);
    }
    const japanese = keyHelp(defaults, {style: {...plainStyle, language: 'ja'}, width: 80});
    expect(japanese.join('\n')).toContain('次のペイン');
  });
});
