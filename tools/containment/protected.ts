/** Paths that only a person may allow to change: files that later run by themselves, or that set the rules. */

import {protectedKind} from '../../machines/places/places.ts';
import {packageHooks} from './package-files.ts';

/** If a person's request names such a file, the person has decided that it changes; every change to other protected files needs a person. */
const mayBeNamed: ReadonlySet<string> = new Set(['agents', 'build']);

/** The reason why a person must allow this change of `path` (relative to the workspace); undefined when the panel may. */
export function protectedReason(
  path: string,
  before: string | undefined,
  after: string,
  request = '',
): string | undefined {
  const kind = protectedKind(path);
  if (kind && mayBeNamed.has(kind.id) && isNamed(path, request)) return undefined;
  if (kind) return `${path} is protected (${kind.what}): only a person may allow a change`;
  const old = packageHooks(path, before);
  const hooks = [...packageHooks(path, after)];
  const changed = hooks.filter(([name, value]) => old.get(name) !== value).map(([name]) => name);
  if (changed.length === 0) return undefined;
  return `${path} changes what package managers and builds run by themselves (${changed.join(', ')}): only a person may allow that`;
}

function isNamed(path: string, request: string): boolean {
  const text = request.toLowerCase();
  return path
    .toLowerCase()
    .split('/')
    .some((part) => (part.includes('.') || protectedKind(part)) && text.includes(part));
}
