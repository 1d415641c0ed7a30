/** Runs git on a repository of others: nothing that its configuration names is run, nothing is fetched, nothing is changed. */

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
}

export type GitOutput =
  | {readonly ok: true; readonly text: string}
  | {readonly ok: false; readonly isMissing: boolean; readonly why: string};

/** Never rejects. `why`: the first line of its errors; may be empty. */
export async function runGit(
  args: readonly string[],
  cwd: string,
  {env = {}, isAlone = false, maxBytes, timeoutMs, signal}: GitCall,
): Promise<GitOutput> {
  const {execa} = await import('execa');
  const {failed, stdout, stderr, code} = await execa('git', [...settings, ...args], {
    cwd,
    env: {
      ...env,
      GIT_OPTIONAL_LOCKS: '0',
      GIT_TERMINAL_PROMPT: '0',
      GIT_NO_LAZY_FETCH: '1',
      GIT_ALLOW_PROTOCOL: 'none',
      LC_ALL: 'C',
    },
    extendEnv: !isAlone,
    stdin: 'ignore',
    maxBuffer: maxBytes,
    stripFinalNewline: false,
    reject: false,
    ...(timeoutMs === undefined ? {} : {timeout: timeoutMs}),
    ...(signal ? {cancelSignal: signal} : {}),
  });
  if (!failed) return {ok: true, text: stdout};
  return {ok: false, isMissing: code === 'ENOENT', why: stderr.split('\n')[0] ?? ''};
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
