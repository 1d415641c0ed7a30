/** Paths as text: where they lead, seen from the workspace. Links are the tools' business. */

import {options} from './command-facts.ts';
import type {Command} from './shell-commands.ts';
import type {Word} from './shell-reader.ts';

/**
 * A path relative to the workspace, without `.` and `..`; undefined when it leaves the workspace.
 * `from` is the folder it starts in, relative to the workspace.
 */
export function insidePath(path: string, workspace: string, from = ''): string | undefined {
  if (/^~|^[A-Za-z]:[\\/]|^\\\\|^file:|\0/.test(path)) return undefined;
  const root = workspace.replace(/\/+$/, '');
  if (path.startsWith('/')) {
    const resolved = joinPath('', path);
    if (root === '' || resolved === undefined) return undefined;
    if (`/${resolved}` === root) return '';
    return `/${resolved}`.startsWith(`${root}/`) ? resolved.slice(root.length) : undefined;
  }
  return joinPath(from, path);
}

function joinPath(from: string, path: string): string | undefined {
  const parts: string[] = [];
  for (const part of `${from}/${path.replaceAll('\\', '/')}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

const harmlessDevice = /^\/dev\/(?:null|zero|u?random|std(?:in|out|err)|tty|fd\/\d+)$/;
const writers =
  /^(?:rm|mv|cp|tee|touch|mkdir|rmdir|ln|install|rsync|truncate|chmod|chown|patch|unlink|shred|split)$/;
const editors = /^(?:sed|gsed|perl|ruby|awk|gawk|prettier|eslint|sort|dd)$/;

/** Files that a command would write, as far as its words tell. */
export function writtenBy(command: Command): readonly Word[] {
  const redirected = command.redirects
    .filter(({operator}) => operator.includes('>') && !/^[<>]&$/.test(operator))
    .map(({target}) => target);
  return [...redirected, ...writtenOperands(command)].filter(
    ({text}) => !harmlessDevice.test(text),
  );
}

function writtenOperands({name, args}: Command): readonly Word[] {
  const plain = args.filter(({text}) => !/^-./.test(text));
  if (/^(?:cp|install|ln|rsync)$/.test(name)) return plain.slice(-1);
  if (writers.test(name)) return name === 'chmod' || name === 'chown' ? plain.slice(1) : plain;
  if (!editors.test(name)) return [];
  const inPlace = options({args}).some((option) =>
    /^(?:-[a-z]*i|--in-place|--write|--fix|-o)/.test(option),
  );
  return inPlace ? plain.slice(/^(?:g?sed|perl|ruby|g?awk)$/.test(name) ? 1 : 0) : [];
}

const homes = /^\$(?:\{?(?:HOME|TMPDIR|OLDPWD|TMP|TEMP|XDG_\w+)\b)/;
const patternFirst =
  /^(?:grep|egrep|fgrep|rg|sed|gsed|awk|gawk|perl|tr|cut|jq|yq|find|expr|echo|printf|git|curl|wget)$/;

/** Words of a command that name a place outside the workspace, started in the folder `from`. */
export function outsideWords(command: Command, workspace: string, from: string): readonly string[] {
  const {name, args, redirects} = command;
  const targets = redirects
    .filter(({operator}) => !/&$|<<</.test(operator))
    .map(({target}) => target);
  const words = [...argumentWords(name, args), ...targets];
  const outside = words.filter(
    ({text}) =>
      !harmlessDevice.test(text) &&
      pathsOf(text).some((path) => homes.test(path) || leaves(path, workspace, from)),
  );
  const computed = targets.filter((target) => target.computed && !/^\$\{?PWD\b/.test(target.text));
  return [...new Set([...outside, ...computed].map(({text}) => text))];
}

/** Patterns and scripts are no paths; texts that are only printed are none either. */
function argumentWords(name: string, args: readonly Word[]): readonly Word[] {
  if (name === 'echo' || name === 'printf') return [];
  if (!patternFirst.test(name)) return args;
  const first = args.findIndex(({text}) => !text.startsWith('-'));
  return name === 'find' || name === 'git' ? args : args.filter((_word, at) => at !== first);
}

function pathsOf(text: string): readonly string[] {
  if (/^\w+:\/\//.test(text)) return [];
  const attached = /^(?:--?[\w-]+=|-[A-Za-z])((?:\/|~|\.\.).*)$/s.exec(text)?.[1];
  return attached === undefined ? [text] : [attached];
}

function leaves(path: string, workspace: string, from: string): boolean {
  if (!/^(?:\/|~|[A-Za-z]:[\\/]|\\\\)|(?:^|\/)\.\.(?:\/|$)/.test(path)) return false;
  return insidePath(path, workspace, from) === undefined;
}
