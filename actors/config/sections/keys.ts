/** `[keys]`: the keys of the screen. */

import {z} from 'zod';

import {AppError} from '../../../machines/domain/app-error.ts';
import {t} from '../../../machines/message.ts';
import {
  clashIn,
  isSilent,
  type KeyBinding,
  keysText,
  type Mode,
  parseKeys,
} from '../../../machines/terminal/keys.ts';
import {fixed} from './row.ts';

const sequence = z
  .string()
  .max(100)
  .refine(
    (text) => parseKeys(text) !== undefined,
    'is not a sequence of keys such as gt, Ctrl-W h or PageDown; it takes no digit at its start, and no Ctrl-C',
  );

const silent = sequence.refine(
  (text) => isSilent(parseKeys(text) ?? []),
  'types text; write a key that types nothing, such as Esc or Ctrl-R',
);

const keys =
  (text: string, each = sequence) =>
  (...preset: string[]) =>
    fixed(text)(z.array(each).max(8).default(preset));

/** In the order of the help. */
const actionRows = {
  insert: fixed('type in the line')(z.array(sequence).min(1).max(8).default(['i'])),
  normal: keys('leave the line, a command, a search or a selection', silent)('Esc'),
  command: keys('enter a command')(':'),
  search: keys('search the text above')('/'),
  visual: keys('select lines')('v'),
  help: keys('show all keys')('?'),
  editor: keys('edit the line in $EDITOR')('I'),
  history: keys('search earlier lines', silent)('Ctrl-R'),
  tab_next: keys('the next tab; with a count: the tab of this number')('gt', 'Ctrl-PageDown'),
  tab_previous: keys('the previous tab; with a count: so many tabs back')('gT', 'Ctrl-PageUp'),
  tab_waiting: keys('the next tab that waits for you')('gw'),
  tab_ask: keys('the newest tab of a question, or a new one')('a'),
  tab_discuss: keys('the newest tab of a discussion, or a new one')('d'),
  pane_left: keys('the pane to the left')('Ctrl-W h'),
  pane_down: keys('the pane below')('Ctrl-W j'),
  pane_up: keys('the pane above')('Ctrl-W k'),
  pane_right: keys('the pane to the right')('Ctrl-W l'),
  pane_next: keys('the next pane')('Ctrl-W w'),
  pane_close: keys('close the pane')('Ctrl-W c'),
  line_down: keys('one line down')('j', 'Down'),
  line_up: keys('one line up')('k', 'Up'),
  half_page_down: keys('half a page down')('Ctrl-D'),
  half_page_up: keys('half a page up')('Ctrl-U'),
  page_down: keys('a page down')('PageDown'),
  page_up: keys('a page up')('PageUp'),
  first_line: keys('the first line; with a count: the line of this number')('gg', 'Home'),
  last_line: keys('the last line')('G', 'End'),
  match_next: keys('the next place that matches the search')('n'),
  match_previous: keys('the previous place that matches the search')('N'),
  fold: keys('open or close a long result')('Enter'),
  copy_line: keys('copy the line')('yy'),
  copy: keys('copy the selected lines')('y'),
  solo: keys('one model plans')('s'),
  ensemble: keys('each model of the panel drafts a plan')('e'),
  fast: keys('only the policy reviewers vote')('f'),
};

export type KeyAction = keyof typeof actionRows;

const moving: readonly Mode[] = ['normal', 'visual'];
const anywhere: readonly Mode[] = ['insert', 'normal', 'visual'];

/** Of actions that are not for normal mode only. */
const modes: Readonly<Partial<Record<KeyAction, readonly Mode[]>>> = {
  normal: ['insert', 'visual', 'command', 'search'],
  visual: moving,
  history: ['insert'],
  tab_next: ['insert', 'normal'],
  tab_previous: ['insert', 'normal'],
  line_down: moving,
  line_up: moving,
  half_page_down: moving,
  half_page_up: moving,
  page_down: anywhere,
  page_up: anywhere,
  first_line: moving,
  last_line: moving,
  match_next: moving,
  match_previous: moving,
  copy: ['visual'],
};

export const keysSection = z.strictObject({
  vim: fixed('Esc leads to the normal mode of Vim; false: it does not, and keys are typed')(
    z.boolean().default(true),
  ),
  ...actionRows,
});

type Keys = z.infer<typeof keysSection>;

export const keyActions: readonly KeyAction[] = Object.keys(actionRows).filter(isKeyAction);

export function isKeyAction(name: string): name is KeyAction {
  return Object.hasOwn(actionRows, name);
}

/** Each sequence with its action; without Vim's modes, those of insert mode. Throws AppError `config` if one is the beginning of another in the same mode. */
export function keyBindings(section: Keys): readonly KeyBinding[] {
  const actions = keyActions.filter((action) => section.vim || isForTyping(action));
  const bindings = actions.flatMap((action) =>
    section[action].map((text) => ({action, keys: parseKeys(text) ?? [], modes: modesOf(action)})),
  );
  const [one, other] = clashIn(bindings) ?? [];
  if (!one || !other) return bindings;
  const [taken, wanted] = [keysText(other.keys), keysText(one.keys)];
  throw new AppError(
    'config',
    t`keys.${one.action}: "${wanted}" clashes with "${taken}" of keys.${other.action}; bind one of them to other keys`,
  );
}

function modesOf(action: KeyAction): readonly Mode[] {
  return modes[action] ?? ['normal'];
}

function isForTyping(action: KeyAction): boolean {
  return action !== 'normal' && modesOf(action).includes('insert');
}
