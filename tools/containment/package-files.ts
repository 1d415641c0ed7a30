/** Finds the settings of package files with which package managers and builds run code by themselves. */

import {parse} from 'smol-toml';

import {
  gradleHooks,
  gradlePlugin,
  type HookSetting,
  knownPlugin,
  packageFormats,
} from './package-hooks.ts';

export function isPackageFile(path: string): boolean {
  return formatOf(path) !== undefined;
}

function formatOf(path: string) {
  const name = path
    .slice(path.lastIndexOf('/') + 1)
    .normalize('NFKC')
    .toLowerCase();
  return Object.hasOwn(packageFormats, name) ? packageFormats[name] : undefined;
}

/** Settings of a package file that run code by themselves, with their values as JSON; empty for other files. */
export function packageHooks(path: string, text: string | undefined): ReadonlyMap<string, string> {
  const known = formatOf(path);
  if (!known || text === undefined) return new Map();
  const plain = text.replace(/^\uFEFF/, '');
  if (known.format === 'gradle') return gradleHooksIn(plain);
  const parsed = known.format === 'json' ? tryJson(plain) : tryToml(plain);
  return parsed === unreadable
    ? new Map([['a text that is not TOML', plain]])
    : new Map(known.settings.flatMap((setting) => foundAt(parsed, setting)));
}

/** The hooks that `after` adds to or changes in `before`. */
export function newPackageHooks(
  path: string,
  before: string | undefined,
  after: string | undefined,
): readonly (readonly [name: string, value: string])[] {
  const old = packageHooks(path, before);
  return [...packageHooks(path, after)].filter(([name, value]) => old.get(name) !== value);
}

/** npm and composer refuse a file that is not JSON: nothing in it is run. */
function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const unreadable = Symbol('unreadable');

/** Another parser may accept a text that this one rejects. */
function tryToml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return unreadable;
  }
}

interface Found {
  readonly keys: readonly string[];
  readonly value: unknown;
}

function foundAt(
  root: unknown,
  {at, read = (value) => value}: HookSetting,
): (readonly [name: string, value: string])[] {
  let found: readonly Found[] = [{keys: [], value: root}];
  for (const step of at) found = found.flatMap((one) => below(one, step));
  return found.flatMap(({keys, value}) => {
    const counted = read(value);
    return counted === undefined ? [] : [[keys.join('.'), JSON.stringify(counted)] as const];
  });
}

function below({keys, value}: Found, step: string | RegExp): readonly Found[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([key]) => (typeof step === 'string' ? key === step : step.test(key)))
    .map(([key, inner]) => ({keys: [...keys, key], value: inner}));
}

function gradleHooksIn(text: string): ReadonlyMap<string, string> {
  const lines = text
    .replaceAll(/\/\*[^]*?\*\//g, ' ')
    .split('\n')
    .map((line) =>
      line
        .replace(/(?<!:)\/\/.*$/, '')
        .trim()
        .replaceAll(/\s+/g, ' '),
    )
    .filter(isGradleHook);
  return new Map(lines.map((line) => [line, line]));
}

function isGradleHook(line: string): boolean {
  if (gradleHooks.some((pattern) => pattern.test(line))) return true;
  const {name, applied = name} = gradlePlugin.exec(line)?.groups ?? {};
  return applied !== undefined && !knownPlugin.test(applied);
}
