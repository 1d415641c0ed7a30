/**
 * The settings of package files by which package managers and builds run code by themselves, or fetch it from elsewhere. Dependencies and
 * versions are not included.
 */

import {parse} from 'smol-toml';

import {protectedKind} from '../../machines/places/places.ts';

/** Keys from the outermost, each may be a pattern; and what counts of the value, if not all of it: undefined for a harmless one. */
type HookSetting = readonly [at: readonly (string | RegExp)[], read?: (value: unknown) => unknown];

const lifecycle =
  /^(?:(?:pre|post)?(?:install|prepare|publish)|prepublishOnly|(?:pre|post)pack|dependencies)$/;

/** Packages of build systems that do only what their names say. */
const knownBuild =
  /^(?:setuptools|setuptools[-_]scm|wheel|hatchling|hatch-vcs|poetry[-_]core|poetry-dynamic-versioning|flit[-_]core|pdm-backend|maturin|uv[-_]build|scikit-build-core|meson-python|cython|numpy|pybind11)\s*(?:\[[\w,-]+\])?\s*(?:[<>=!~,.*\s\dabrcposdev]*)$/i;
const knownBackend =
  /^(?:setuptools\.build_meta|hatchling\.build|poetry\.core\.masonry\.api|poetry_dynamic_versioning\.backend|flit_core\.buildapi|pdm\.backend|maturin|uv_build|scikit_build_core\.build|mesonpy)$/;

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Undefined if no text of the value matches. */
function where(pattern: RegExp) {
  return (value: unknown): unknown =>
    textsIn(value).some((text) => pattern.test(text)) ? value : undefined;
}

/** Undefined if every text of the value matches. */
function unless(pattern: RegExp) {
  return (value: unknown): unknown =>
    textsIn(value).every((text) => pattern.test(text)) ? undefined : value;
}

/** Undefined for a dependency that only states a version. */
function sourceOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return 'by version';
  const counted = Object.entries(value).filter(
    ([key]) => !/^(?:version|features|default-features|optional|workspace)$/.test(key),
  );
  return counted.length === 0 ? 'by version' : Object.fromEntries(counted);
}

const elsewhere =
  /^(?:https?:|git[+:@]|ssh:|github:|gitlab:|bitbucket:|file:|link:|portal:|[\w.-]+\/[\w.-]+(?:#|$))/;
const outside = /^(?:file:|link:)?(?:\.\.(?:\/|$)|\/)/;
const knownManager = /^(?:npm|pnpm|yarn|bun)@\d[\w.-]*(?:\+sha\d+\.[\da-z]+)?$/;

const npm: readonly HookSetting[] = [
  [['scripts', lifecycle]],
  [['publishConfig', /registry$/]],
  [['overrides'], where(elsewhere)],
  [['resolutions'], where(elsewhere)],
  [['pnpm', 'overrides'], where(elsewhere)],
  [['pnpm', /^(?:onlyBuilt|patched|config)Dependencies|^dangerouslyAllowAllBuilds$|^allowBuilds$/]],
  [[/^(?:trustedDependencies|lavamoat)$/]],
  [['dependenciesMeta', /./, 'built']],
  [['packageManager'], unless(knownManager)],
  [[/^(?:husky|simple-git-hooks|gitHooks|lint-staged|pre-commit|pre-push)$/]],
  [['gypfile']],
  [['workspaces'], where(outside)],
];

const composer: readonly HookSetting[] = [
  [['scripts', /^(?:pre|post)-/]],
  [['repositories']],
  [['config', /^(?:allow-plugins|secure-http|disable-tls)$/]],
];

const uvSources = /^(?:index|index-url|extra-index-url|find-links|build-constraint-dependencies)$/;

const python: readonly HookSetting[] = [
  [['build-system', 'requires'], unless(knownBuild)],
  [['build-system', 'build-backend'], unless(knownBackend)],
  [['build-system', 'backend-path']],
  [['tool', 'uv', uvSources]],
  [['tool', /^(?:poetry|pdm)$/, 'source']],
  [['tool', 'poetry', 'build']],
  [['tool', 'pdm', 'scripts', /^(?:pre|post)_/]],
  [['tool', 'pdm', 'build', /^(?:run-setuptools|custom-hook|setup-script)$/]],
  [['tool', 'hatch', 'build', 'hooks', /./]],
  [['tool', 'hatch', 'build', 'targets', /./, 'hooks', /./]],
  [['tool', 'hatch', 'metadata', 'hooks', /./]],
  [['tool', 'setuptools', /^(?:cmdclass|ext-modules)$/]],
  [['tool', 'pixi', 'activation']],
  [['tool', 'pylint', /./, 'init-hook']],
];

const cargo: readonly HookSetting[] = [
  [['package', 'build'], (value) => (value === false ? undefined : value)],
  [['package', 'links']],
  [['build-dependencies', /./], sourceOf],
  [['target', /./, 'build-dependencies', /./], sourceOf],
  [['workspace', 'members'], where(outside)],
  [['patch', /./, /./]],
  [['replace', /./]],
  [['registries', /./]],
];

type Read = (text: string) => ReadonlyMap<string, string>;

/** By file name, in lower case. */
const formats: Readonly<Record<string, Read>> = {
  'package.json': (text) => hooksAmong(npm, tryJson(text)),
  'composer.json': (text) => hooksAmong(composer, tryJson(text)),
  'pyproject.toml': (text) => tomlHooks(python, text),
  'cargo.toml': (text) => tomlHooks(cargo, text),
  'build.gradle': gradleHooks,
  'build.gradle.kts': gradleHooks,
  'settings.gradle': gradleHooks,
  'settings.gradle.kts': gradleHooks,
};

/** Settings of a package file that run code by themselves, with their values as JSON; empty for other files. */
export function packageHooks(path: string, text: string | undefined): ReadonlyMap<string, string> {
  const name = path
    .slice(path.lastIndexOf('/') + 1)
    .normalize('NFKC')
    .toLowerCase();
  const read = Object.hasOwn(formats, name) ? formats[name] : undefined;
  return read === undefined || text === undefined ? new Map() : read(text.replace(/^\uFEFF/, ''));
}

/** npm and composer refuse a file that is not JSON: nothing in it is run. */
function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Another parser may accept a text that this one rejects. */
function tomlHooks(settings: readonly HookSetting[], text: string): ReadonlyMap<string, string> {
  try {
    return hooksAmong(settings, parse(text));
  } catch {
    return new Map([['a text that is not TOML', text]]);
  }
}

interface Found {
  readonly keys: readonly string[];
  readonly value: unknown;
}

function hooksAmong(settings: readonly HookSetting[], root: unknown): ReadonlyMap<string, string> {
  const found = settings.flatMap(([at, read = (value: unknown) => value]) => {
    let all: readonly Found[] = [{keys: [], value: root}];
    for (const step of at) all = all.flatMap((one) => below(one, step));
    return all.flatMap(({keys, value}) => {
      const counted = read(value);
      return counted === undefined ? [] : [[keys.join('.'), JSON.stringify(counted)] as const];
    });
  });
  return new Map(found);
}

function below({keys, value}: Found, step: string | RegExp): readonly Found[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([key]) => (typeof step === 'string' ? key === step : step.test(key)))
    .map(([key, inner]) => ({keys: [...keys, key], value: inner}));
}

/** Lines of a build script that run programs, or load code or packages from elsewhere. */
const gradleRuns: readonly RegExp[] = [
  /\b(?:exec|javaexec|commandLine|ProcessBuilder|getRuntime|GroovyShell|evaluate|includeBuild)\b/,
  /\.execute\s*\(|\bURL\s*\(|\b(?:https?|ftp|file):\/\//,
  /\bapply\s*(?:\(\s*)?from\b|\bclasspath\b|\b(?:do|eval)(?:First|Last)\b/,
  /\b(?:maven|ivy)\s*(?:\(|\{)|\bflatDir\b|\bsetUrl\b/,
];

const plugin =
  /\bid\s*\(?\s*["'](?<name>[^"']+)["']|\bapply\s*\(?\s*plugin\s*[:=]\s*["'](?<applied>[^"']+)["']/;

/** Plugins that come with Gradle, and the usual ones of languages. */
const knownPlugin =
  /^(?:java(?:-[a-z]+)*|application|base|groovy|scala|war|ear|jacoco|checkstyle|pmd|idea|eclipse|maven-publish|signing|distribution|(?:org\.)?kotlin.*|org\.jetbrains\.kotlin\..+|com\.android\..+|org\.springframework\.boot|io\.spring\.dependency-management)$/;

function gradleHooks(text: string): ReadonlyMap<string, string> {
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
  if (gradleRuns.some((pattern) => pattern.test(line))) return true;
  const {name, applied = name} = plugin.exec(line)?.groups ?? {};
  return applied !== undefined && !knownPlugin.test(applied);
}

// Paths that only a person may allow to change: files that later run by themselves, or that set the rules.

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
