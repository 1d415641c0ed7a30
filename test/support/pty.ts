/** The launcher on a real pseudo-terminal, opened by `script` of util-linux, and the screen of a person. */

import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';

import {compiledCode, launcherProgram} from './built.ts';
import {TerminalScreen} from './terminal-screen.ts';

const patienceMs = 20_000;

/** Other systems have a different `script`. */
export const hasPty = spawnSync('script', ['--version'], {encoding: 'utf8'}).stdout?.includes(
  'util-linux',
);

export type Sight = string | RegExp | ((text: string) => boolean);

export interface Pty {
  /** Keys as a terminal sends them: Enter is `\r`, Ctrl-C `\u0003`. */
  readonly type: (keys: string) => void;
  /** The rows on the screen and above it, without trailing blanks. */
  readonly rows: () => readonly string[];
  /** All output ever written. */
  readonly written: () => string;
  /** Resolves once the rows, joined by line ends, match. */
  readonly sees: (what: Sight) => Promise<void>;
  /** Resolves with the exit code. */
  readonly exit: Promise<number>;
  /** Sends the launcher a signal, SIGKILL if none is given; resolves when it has gone. */
  readonly kill: (signal?: NodeJS.Signals) => Promise<void>;
  /** Leaves the conversation by two interrupts; resolves when the process has ended. */
  readonly leave: () => Promise<void>;
}

export interface PtyOptions {
  /** A folder with `data` and `config`, like the folder of a launcher. */
  readonly folder: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  /** Run by a shell with job control, which continues it by `fg` after a stop. */
  readonly isJob?: boolean;
}

export async function startOnPty(
  args: readonly string[],
  {folder, cwd = folder, env = {}, columns = 100, rows = 40, isJob = false}: PtyOptions,
): Promise<Pty> {
  const command = [process.execPath, await launcherProgram(), ...args].map(quoted).join(' ');
  const line = isJob ? `set -m; ${command}; echo stopped; fg` : `exec ${command}`;
  const child = spawn(
    'script',
    ['-qefc', `stty cols ${columns} rows ${rows}; ${line}`, '/dev/null'],
    {
      cwd,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        TERM: 'xterm-256color',
        LANG: 'C.UTF-8',
        NODE_COMPILE_CACHE: compiledCode(),
        QUORATE_HOME: `${folder}/data`,
        XDG_CONFIG_HOME: `${folder}/config`,
        ...env,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  child.stdin.on('error', () => {});
  const exit = once(child, 'exit').then(([code]: (number | null)[]) => code ?? -1);
  const screen = new TerminalScreen(columns, rows);
  let written = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    written += text;
    screen.write(text);
    child.emit('written');
  });
  const isSeen = (what: Sight): boolean => {
    const text = screen.rows().join('\n');
    if (typeof what === 'function') return what(text);
    return typeof what === 'string' ? text.includes(what) : what.test(text);
  };
  return {
    type: (keys) => void child.stdin.write(keys),
    rows: () => screen.rows(),
    written: () => written,
    sees: async (what) =>
      await new Promise((found, failed) => {
        const finish = (): void => {
          clearTimeout(timer);
          child.off('written', look).off('exit', ended);
        };
        const look = (): void => {
          if (!isSeen(what)) return;
          finish();
          found();
        };
        const ended = (): void => {
          finish();
          failed(new Error(`${String(what)} was not seen on:\n${screen.rows().join('\n')}`));
        };
        const timer = setTimeout(ended, patienceMs);
        child.on('written', look).on('exit', ended);
        look();
      }),
    exit,
    kill: async (signal = 'SIGKILL') => {
      const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
      for (const pid of children.trim().split(' ')) process.kill(Number(pid), signal);
      await exit;
    },
    leave: async () => {
      const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      child.stdin.write('\u0003\u0003\u0003');
      await exit;
      clearTimeout(timer);
    },
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
