/** The launcher in a real terminal: a window of tmux, whose rows are those that a person sees. */

import {execFileSync, spawnSync} from 'node:child_process';
import {setTimeout} from 'node:timers/promises';

import {compiledCode, launcherProgram} from './built.ts';
import type {PtyOptions, Sight} from './pty.ts';

const patienceMs = 20_000;
const lookMs = 50;

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

export interface TmuxWindow {
  /** Characters as they are typed. */
  readonly type: (text: string) => void;
  /** Names of keys, such as `Enter`, `Escape`, `C-w`. */
  readonly press: (...keys: readonly string[]) => void;
  /** Resolves once the rows of the window, joined by line ends, match. */
  readonly sees: (what: Sight) => Promise<void>;
  /** The rows of the window. */
  readonly rows: () => readonly string[];
  /** The rows of the window, with the codes of their colours. */
  readonly coloured: () => readonly string[];
  /** The rows of the window and of the scrollback. */
  readonly history: () => readonly string[];
  readonly resize: (columns: number, rows: number) => void;
  readonly close: () => void;
}

function isSeen(text: string, what: Sight): boolean {
  if (typeof what === 'function') return what(text);
  return typeof what === 'string' ? text.includes(what) : what.test(text);
}

async function untilSeen(
  what: Sight,
  look: () => string,
  until = Date.now() + patienceMs,
): Promise<void> {
  const text = look();
  if (isSeen(text, what)) return;
  if (Date.now() > until) throw new Error(`${String(what)} was not seen on:\n${text}`);
  await setTimeout(lookMs);
  await untilSeen(what, look, until);
}

let count = 0;

/** A shell stays after the launcher, so that what is left on the screen can be seen. */
export async function startInTmux(
  args: readonly string[],
  {folder, cwd = folder, env = {}, columns = 100, rows = 30}: PtyOptions,
): Promise<TmuxWindow> {
  count += 1;
  const socket = `quorate-test-${process.pid}-${count}`;
  const variables = {
    HOME: folder,
    LC_ALL: 'C.UTF-8',
    NODE_COMPILE_CACHE: compiledCode(),
    QUORATE_HOME: `${folder}/data`,
    XDG_CONFIG_HOME: `${folder}/config`,
    ...env,
  };
  const tmux = (...words: readonly string[]): string =>
    execFileSync('tmux', ['-f', '/dev/null', '-L', socket, '-u', ...words], {encoding: 'utf8'});
  const command = [process.execPath, await launcherProgram(), ...args].map(quoted).join(' ');
  const shell = `echo before; ${command}; echo left with $?; exec cat`;
  const set = Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const size = ['-x', String(columns), '-y', String(rows)];
  tmux('new-session', '-d', ...size, ...set, '-c', cwd, shell);
  const capture = (...from: readonly string[]): readonly string[] =>
    tmux('capture-pane', '-p', ...from)
      .split('\n')
      .map((row) => row.trimEnd());
  return {
    type: (text) => void tmux('send-keys', '-l', text),
    press: (...keys) => void tmux('send-keys', ...keys),
    rows: () => capture(),
    coloured: () => capture('-e'),
    history: () => capture('-S', '-'),
    resize: (width, height) =>
      void tmux('resize-window', '-x', String(width), '-y', String(height)),
    close: () => void spawnSync('tmux', ['-L', socket, 'kill-server']),
    sees: async (what) => await untilSeen(what, () => capture().join('\n')),
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
