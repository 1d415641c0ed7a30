/** The environment variables of a command. */

const allowedNames = ['HOME', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR'];

/**
 * Keys and tokens of this process are not passed on. Relative folders of PATH are left out, as the workspace could put programs into
 * them. `added`: variables that a person passes on by name.
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
