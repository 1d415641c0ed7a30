/**
 * The settings of git in a sandbox: author and format of commits from the user's configuration, without an address or a credential,
 * and the places that git leaves alone.
 */

import {relative} from 'node:path';

import {createMemo} from '../../memo.ts';

/**
 * Writes its first two arguments, then becomes the rest. An existing file stays: without trying it is unknown whether the home is the
 * sandbox's own.
 */
export const withGitSettings =
  'put() { [ -e "$1" ] || printf %s "$2" >"$1"; }; mkdir -p "$HOME/.config/git"; ' +
  'put "$HOME/.gitconfig" "$1"; put "$HOME/.config/git/ignore" "$2"; shift 2; exec "$@"';

/** Lines for a file of ignored places: git can't remove a mount, and would stop half-way. `root`: of the work tree. */
export function ignoredPlaces(paths: readonly string[], root: string): string {
  return paths
    .map((path) => relative(root, path).replaceAll(/[\\*?[\] ]/g, String.raw`\$&`))
    .filter((path) => !/^\.git\/|\n/.test(path))
    .map((path) => `/${path}\n`)
    .join('');
}

const limitMs = 2_000;

const passedKeys =
  String.raw`^(user\.(name|email)|init\.defaultbranch|core\.(autocrlf|eol|quotepath)|safe\.directory|` +
  String.raw`pull\.(rebase|ff)|merge\.conflictstyle|diff\.(algorithm|renames)|commit\.cleanup|push\.default)$`;

const remember = createMemo<string>();

/** The text of a configuration; empty without git or without such settings. Looked up once per home, again when git gave no answer. Never rejects. */
export async function gitIdentity(env: Readonly<Record<string, string>>): Promise<string> {
  const {HOME: home = '', PATH: path = ''} = env;
  if (home === '') return '';
  const found = remember(home, async () => {
    const {execa} = await import('execa');
    const {stdout, failed, exitCode} = await execa(
      'git',
      ['config', '--global', '--null', '--get-regexp', passedKeys],
      {cwd: '/', env: {HOME: home, PATH: path}, extendEnv: false, timeout: limitMs, reject: false},
    );
    if (exitCode === undefined) throw new Error('git gave no answer');
    return failed ? '' : configuration(stdout);
  });
  return await found.catch(() => '');
}

function configuration(listed: string): string {
  return listed
    .split('\0')
    .filter((entry) => entry.includes('\n'))
    .map((entry) => {
      const [key = '', ...lines] = entry.split('\n');
      const [section = '', name = ''] = key.split('.');
      return `[${section}]\n\t${name} = ${gitConfigString(lines.join('\n'))}\n`;
    })
    .join('');
}

function gitConfigString(value: string): string {
  const escaped = value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);
  return `"${escaped}"`;
}
