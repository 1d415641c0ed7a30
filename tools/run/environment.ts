/** The variables that a command is started with. */

const allowedNames = ['HOME', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR'];

/**
 * Keys and tokens of this process stay with it. Relative folders of PATH are left out: the workspace could fill
 * them. `added`: what a person gives on by name.
 */
export function allowedEnv(
  env: NodeJS.ProcessEnv,
  added: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const kept = allowedNames.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  const folders = (env['PATH'] ?? '').split(':').filter((folder) => folder.startsWith('/'));
  return {
    ...Object.fromEntries(kept),
    ...added,
    PATH: folders.join(':') || '/usr/local/bin:/usr/bin:/bin',
  };
}
