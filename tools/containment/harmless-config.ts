/** The settings of a repository's configuration that may run a program or lead elsewhere: all except known keys with plain values. */

/** By section, in lower case. */
const keys: Readonly<Record<string, RegExp>> = {
  core: /^(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|safecrlf|eol|quotepath|longpaths|sparsecheckout(?:cone)?)$/,
  extensions: /^(?:objectformat|refstorage|partialclone)$/,
  user: /^(?:name|email|useconfigonly)$/,
  init: /^defaultbranch$/,
  remote: /^(?:url|fetch|tagopt|promisor|partialclonefilter)$/,
  branch: /^(?:remote|merge|rebase)$/,
  submodule: /^(?:url|active|path)$/,
  lfs: /^(?:repositoryformatversion|access)$/,
  pull: /^(?:rebase|ff)$/,
  push: /^(?:default|autosetupremote)$/,
  merge: /^(?:ff|conflictstyle)$/,
  gc: /^auto(?:detach)?$/,
  advice: /^[a-z]+$/,
};

/** Signing runs a program: only switching it off is harmless. */
const signing: ReadonlySet<string> = new Set(['commit.gpgsign', 'tag.gpgsign']);

const header = /^\[(?<section>[A-Za-z]+)(?: "[^"\\]*")?\]$/;
const setting = /^(?<key>[A-Za-z][A-Za-z\d-]*)(?:\s*=\s*(?<value>[^\\]*))?$/;

/** `worktree`: the folder is one that the repository may name as its work tree. */
export interface Terms {
  readonly mayHaveWorktree?: (value: string) => boolean;
}

/** `section.key = value`, without the subsection, the key in lower case; for a line that is not understood, the line. */
export function riskySettings(text: string, {mayHaveWorktree}: Terms = {}): string[] {
  const risky: string[] = [];
  let section = '';
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '' || /^[#;]/.test(line)) continue;
    const named = header.exec(line)?.groups?.['section'];
    if (named === undefined) risky.push(...riskIn(section, line, mayHaveWorktree));
    section = named?.toLowerCase() ?? section;
  }
  return risky;
}

function riskIn(
  section: string,
  line: string,
  mayHaveWorktree: Terms['mayHaveWorktree'] = () => false,
): string[] {
  const groups = setting.exec(line)?.groups;
  if (!groups) return [line];
  const {key = '', value = ''} = groups;
  const name = `${section}.${key.toLowerCase()}`;
  const isHarmless =
    name === 'core.worktree' ? mayHaveWorktree(value) : isPlain(section, name, value);
  return isHarmless ? [] : [`${name} = ${value}`];
}

function isPlain(section: string, name: string, value: string): boolean {
  if (signing.has(name)) return value === 'false';
  const known = Object.hasOwn(keys, section) ? keys[section] : undefined;
  // `ext::` and the like run a program.
  return known?.test(name.slice(section.length + 1)) === true && !value.includes('::');
}
