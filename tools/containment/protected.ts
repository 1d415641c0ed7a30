/** Paths that only a person may allow to change: what runs later without being asked, or sets the rules. */

import {protectedKind} from '../../machines/domain/places.ts';

/** npm runs these by itself when a package is installed, packed or published. */
const lifecycle = [
  'preinstall',
  'install',
  'postinstall',
  'preprepare',
  'prepare',
  'postprepare',
  'prepublish',
  'prepublishOnly',
  'prepack',
  'postpack',
  'publish',
  'postpublish',
  'dependencies',
];

/** Why a person must allow this change of `path` (relative to the workspace); undefined when the panel may. */
export function protectedReason(
  path: string,
  before: string | undefined,
  after: string,
): string | undefined {
  const kind = protectedKind(path);
  if (kind) return `${path} is protected (${kind.what}): only a person may allow a change`;
  if (!/(?:^|\/)package\.json$/i.test(path.normalize('NFKC'))) return undefined;
  const changed = changedHooks(before, after);
  if (changed.length === 0) return undefined;
  return `${path} changes scripts that npm runs by itself (${changed.join(', ')}): only a person may allow that`;
}

function changedHooks(before: string | undefined, after: string): string[] {
  const old = scriptsOf(before);
  const next = scriptsOf(after);
  return lifecycle.filter(
    (name) => next.get(name) !== undefined && next.get(name) !== old.get(name),
  );
}

function scriptsOf(text: string | undefined): ReadonlyMap<string, string> {
  try {
    const parsed: unknown = JSON.parse((text ?? '{}').replace(/^\ufeff/, ''));
    const scripts = memberOf(parsed, 'scripts');
    if (typeof scripts !== 'object' || scripts === null) return new Map();
    return new Map(Object.entries(scripts).map(([name, value]) => [name, JSON.stringify(value)]));
  } catch {
    // Not JSON: npm refuses such a file whole, so none of its scripts can run.
    return new Map();
  }
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
