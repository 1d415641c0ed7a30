/** Runs git on a repository of others: nothing that its configuration names is run, nothing is fetched, nothing is changed. */

import type {ExecFileException, ExecFileOptions} from 'node:child_process';

import {allowedEnv} from '../run/quota.ts';

/** No hook, no monitor of files, no program that checks signatures, no color. */
const settings = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'log.showSignature=false',
  'color.ui=false',
].flatMap((setting) => ['-c', setting]);

export interface GitCall {
  /** The variables added to the environment of this process, or all variables with `isAlone`. */
  readonly env?: Readonly<Record<string, string>>;
  readonly isAlone?: boolean;
  /** In bytes: a longer output is a failure. */
  readonly maxBytes: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** The output is text of one character per byte. */
  readonly isBinary?: boolean;
  /** For its standard input. Absent: empty. */
  readonly input?: string;
}

export type GitOutput =
  | {readonly ok: true; readonly text: string}
  | {readonly ok: false; readonly isMissing: boolean; readonly why: string};

/** Never rejects. `why`: the first line of its errors; may be empty. */
export async function runGit(
  args: readonly string[],
  cwd: string,
  {env = {}, isAlone = false, maxBytes, timeoutMs, signal, input, isBinary = false}: GitCall,
): Promise<GitOutput> {
  const own = {
    ...(isAlone ? {} : process.env),
    ...env,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    LC_ALL: 'C',
  };
  const limits = {maxBuffer: maxBytes, timeout: timeoutMs, signal};
  const encoding = isBinary ? 'latin1' : 'utf8';
  const options = {cwd, env: own, ...limits, killSignal: 'SIGKILL', encoding} as const;
  const {failure, stdout, stderr} = await outputOf('git', [...settings, ...args], options, input);
  if (!failure) return {ok: true, text: stdout};
  return {ok: false, isMissing: failure.code === 'ENOENT', why: stderr.split('\n')[0] ?? ''};
}

export interface GitInput {
  /** The path of an index to use. */
  readonly index?: string;
  readonly input?: string;
  readonly isBinary?: boolean;
}

const maxOutputBytes = 128 * 1024 * 1024;
const limitMs = 20_000;

/** Without the variables of this process that steer git. Never rejects. */
export async function gitIn(
  folder: string,
  args: readonly string[],
  {index, input, isBinary = false}: GitInput = {},
): Promise<GitOutput> {
  return await runGit(['-c', 'core.logAllRefUpdates=true', ...args], folder, {
    env: {...allowedEnv(process.env), ...(index === undefined ? {} : {GIT_INDEX_FILE: index})},
    isAlone: true,
    isBinary,
    maxBytes: maxOutputBytes,
    timeoutMs: limitMs,
    ...(input === undefined ? {} : {input}),
  });
}

export interface Output {
  readonly stdout: string;
  readonly stderr: string;
  readonly failure?: ExecFileException;
}

/** The output of a program. Never rejects. Much lighter than execa, which runs before many first calls. */
export async function outputOf(
  program: string,
  args: readonly string[],
  options: ExecFileOptions & {readonly encoding?: 'utf8' | 'latin1'},
  input?: string,
): Promise<Output> {
  const {execFile} = await import('node:child_process');
  return await new Promise((resolve) => {
    try {
      const child = execFile(
        program,
        args,
        {...options, encoding: options.encoding ?? 'utf8'},
        (failure, stdout, stderr) => resolve({stdout, stderr, ...(failure ? {failure} : {})}),
      );
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input);
    } catch (error) {
      resolve({stdout: '', stderr: '', failure: new Error(String(error))});
    }
  });
}

/**
 * Variables without the filter programs that the repository's own configuration names. Those of the person's configuration,
 * such as `git lfs`, still run. Undefined if git can't read the configuration.
 */
export async function withoutFilters(
  top: string,
  call: GitCall,
): Promise<Readonly<Record<string, string>> | undefined> {
  const list = ['config', '--show-scope', '--name-only', '-z', '--list'];
  const listing = await runGit(list, top, call);
  if (!listing.ok) return undefined;
  const found = listing.text.matchAll(/(?:^|\0)(?:local|worktree)\0(filter\.[^\0]+\.\w+)(?=\0)/g);
  const keys = [...found];
  const pairs = keys.flatMap(([, key = ''], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, key.endsWith('.required') ? 'false' : ''],
  ]);
  return {...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(keys.length)};
}
