/** The keys of the screen for people and for the chart of modes: their names, and the help that `?` shows. */

import type {Config} from '../../actors/config/schema.ts';
import {rowAt} from '../../actors/config/schema.ts';
import {keyActions, keyBindings} from '../../actors/config/sections/keys.ts';
import {keysText, parseKeys} from '../../machines/terminal/keys.ts';
import {say} from '../language.ts';
import type {Style} from '../render/style.ts';
import {padTo, widthOfText, wrapWords} from '../render/text.ts';

/** `Ctrl-W` for `ctrl+w`, `G` for `shift+g`, `PageUp` for `pageUp`; a character is its own name. */
export function keyName(id: string): string {
  if (/^(?:[^ ]|shift\+[a-z])$/.test(id)) return id.length > 1 ? id.slice(-1).toUpperCase() : id;
  const [, modifiers = '', base = ''] = /^((?:[a-z]+\+)*)(.+)$/.exec(id) ?? [];
  const text = modifiers.replaceAll(/[a-z]+\+/g, (one) => `${capital(one).slice(0, -1)}-`);
  const key = text + (otherNames[base] ?? capital(base));
  return parseKeys(key)?.[0] ?? key;
}

const otherNames: Readonly<Record<string, string>> = {escape: 'Esc', return: 'Enter'};

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A line for each action with its keys: `gt, Ctrl-PageDown  the next tab`. Throws like {@link keyBindings}. */
export function keyHelp(
  keys: Config['keys'],
  {style, width}: {readonly style: Style; readonly width: number},
): readonly string[] {
  const bindings = keyBindings(keys);
  const rows = keyActions.flatMap((action) => {
    const own = bindings.filter((binding) => binding.action === action);
    const text = own.map((binding) => keysText(binding.keys)).join(', ');
    const meaning = say(rowAt(['keys', action])?.text ?? action, style);
    return text === '' ? [] : [{text, meaning}];
  });
  const column = Math.max(...rows.map(({text}) => widthOfText(text))) + 2;
  return rows.flatMap(({text, meaning}) =>
    wrapWords(meaning, Math.max(leastMeaning, width - column)).map(
      (row, index) => style.bold(padTo(index === 0 ? text : '', column)) + row,
    ),
  );
}

const leastMeaning = 20;
