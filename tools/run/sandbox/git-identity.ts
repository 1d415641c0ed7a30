/**
 * The settings of git in a sandbox: author and format of commits from the user's configuration, without an address or a credential,
 * the places that git leaves alone, and the versions that it can't write as a whole.
 */

import {relative} from 'node:path';

import type {Guard} from '../../containment/guarded.ts';
import {createMemo} from '../../memo.ts';

/** git writes the files of a version that it can, and fails for the others: so the versions are compared before. */
const checkVersions =
  'check() { IFS="\n"; set -f; for range in $1; do ' +
  'found=$(git diff --no-ext-diff --name-only "$range" -- $2 2>/dev/null) && [ -n "$found" ] && ' +
  '{ echo "${range##*..} differs in" $found", which a confined command can\'t write; a person can"; exit 1; }; ' +
  'done; set +f; unset IFS; }; ';

/**
 * Writes its first two arguments, compares the versions of the third in the paths of the fourth, then becomes the rest. An existing
 * file stays: without trying it is unknown whether the home is the sandbox's own.
 */
export const withGitSettings =
  `${checkVersions}put() { [ -e "$1" ] || printf %s "$2" >"$1"; }; mkdir -p "$HOME/.config/git"; ` +
  'put "$HOME/.gitconfig" "$1"; put "$HOME/.config/git/ignore" "$2"; check "$3" "$4"; shift 4; exec "$@"';

/** The arguments before those of the command. `root`: of the work tree. */
export function gitSettings(
  identity: string,
  {ignored, versions = [], places, root}: GitPlaces,
): readonly string[] {
  const compared = places.filter(({as}) => as === 'shut').map(({path}) => relative(root, path));
  const specs = compared.filter((path) => !/^\.git(?:\/|$)|\n/.test(path));
  return [
    identity,
    ignoredPlaces(ignored, root),
    versions.join('\n'),
    specs.map((path) => `:(top,literal)${path}`).join('\n'),
  ];
}

interface GitPlaces extends Pick<Guard, 'places'> {
  /** Absolute. */
  readonly ignored: readonly string[];
  readonly versions: readonly string[] | undefined;
  readonly root: string;
}

/** Lines for a file of ignored places: git can't remove a mount, and would stop half-way. */
function ignoredPlaces(paths: readonly string[], root: string): string {
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

/**
 * The text of a configuration; empty without git or without such settings. Looked up once per home, and again when git gave no
 * answer. Never rejects.
 */
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
