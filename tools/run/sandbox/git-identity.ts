/** The settings of the user's git configuration that a sandbox receives: author and format of commits. No address and no credential. */

import {createMemo} from '../../memo.ts';

/**
 * Writes its first argument, then becomes the rest. An existing file stays: without trying it is unknown whether the home is the
 * sandbox's own.
 */
export const withIdentity =
  'mkdir -p "$HOME"; [ -e "$HOME/.gitconfig" ] || printf %s "$1" >"$HOME/.gitconfig"; shift; exec "$@"';

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
