/** Whether a repository's configuration names nothing that runs, and nothing elsewhere: known keys with plain values only. */

/** By section, in lower case. */
const keys: Readonly<Record<string, RegExp>> = {
  core: /^(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|safecrlf|eol|quotepath|longpaths)$/,
  user: /^(?:name|email|useconfigonly)$/,
  init: /^defaultbranch$/,
  remote: /^(?:url|fetch|tagopt)$/,
  branch: /^(?:remote|merge|rebase)$/,
  pull: /^(?:rebase|ff)$/,
  push: /^(?:default|autosetupremote)$/,
  merge: /^(?:ff|conflictstyle)$/,
  gc: /^auto(?:detach)?$/,
  advice: /^[a-z]+$/,
};

/** Signing runs a program: only that it is off. */
const signing: ReadonlySet<string> = new Set(['commit.gpgsign', 'tag.gpgsign']);

const header = /^\[(?<section>[A-Za-z]+)(?: "[^"\\]*")?\]$/;
const setting = /^(?<key>[A-Za-z][A-Za-z\d-]*)(?:\s*=\s*(?<value>[^\\]*))?$/;

export function isHarmless(text: string): boolean {
  let section = '';
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '' || /^[#;]/.test(line)) continue;
    const named = header.exec(line)?.groups?.['section'];
    if (named === undefined && !isPlain(section, line)) return false;
    section = named?.toLowerCase() ?? section;
  }
  return true;
}

function isPlain(section: string, line: string): boolean {
  const groups = setting.exec(line)?.groups;
  if (!groups) return false;
  const {key = '', value = ''} = groups;
  const name = key.toLowerCase();
  if (signing.has(`${section}.${name}`)) return value === 'false';
  // `ext::` and the like run a program.
  return (
    Object.hasOwn(keys, section) && keys[section]?.test(name) === true && !value.includes('::')
  );
}
