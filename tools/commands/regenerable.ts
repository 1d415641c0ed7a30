/**
 * Names of files that tools make again: build output, caches, installed packages. Everything else that git ignores is data:
 * uploads, databases, data sets, settings.
 */

import {posix} from 'node:path';

import {isCredentialPlace} from '../../machines/places/places.ts';

/** By ecosystem. A tool chose the name; people keep no files of their own there. */
const toolNames: Readonly<Record<string, string>> = {
  javascript:
    'node_modules bower_components .next .nuxt .output .svelte-kit .angular .docusaurus .parcel-cache .turbo .vite .vitest .nyc_output .eslintcache .stylelintcache .sass-cache storybook-static',
  python:
    '__pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .venv venv site-packages .eggs .pytype .pyre htmlcov __pypackages__ .coverage',
  jvm: '.gradle',
  rust: 'rustc-ice',
  elixir: '_build',
  haskell: '.stack-work dist-newstyle',
  zig: 'zig-cache .zig-cache zig-out',
  dart: '.dart_tool',
  swift: 'DerivedData',
  elm: 'elm-stuff',
  bazel: 'bazel-bin bazel-out bazel-testlogs',
  any: '.cache .ccache',
};

/** Words that people use as well: they count only if git ignores the folder itself, not just a parent. */
const outputNames: Readonly<Record<string, string>> = {
  any: 'dist build out target coverage tmp temp cache',
  dotnet: 'obj',
  php: 'vendor',
  apple: 'Pods .build',
  tests: 'test-results playwright-report',
  c: 'cmake-build-debug cmake-build-release CMakeFiles',
};

/** Files that show that a tool has made a folder of this name: in it or, with `../`, beside it. The other names need none. */
const signs: Readonly<Record<string, string>> = {
  node_modules:
    '../package.json ../package-lock.json ../pnpm-lock.yaml ../yarn.lock ../bun.lock ../bun.lockb ../deno.json ../deno.jsonc .package-lock.json .modules.yaml',
  bower_components: '../bower.json ../.bowerrc',
  '.venv': 'pyvenv.cfg',
  venv: 'pyvenv.cfg',
  target: '../Cargo.toml ../pom.xml ../build.sbt',
  vendor: '../composer.json ../go.mod ../Gemfile',
  Pods: '../Podfile',
  _build: '../mix.exs ../rebar.config ../dune-project ../conf.py ../Makefile',
  'elm-stuff': '../elm.json',
};

/** True if a path exists. It is relative to the same folder as the path in question. */
export type Exists = (path: string) => boolean;

const assumed: Exists = () => true;

const tools = namesIn(toolNames);
const outputs = namesIn(outputNames);

function namesIn(table: Readonly<Record<string, string>>): ReadonlySet<string> {
  return new Set(Object.values(table).flatMap((names) => names.split(' ')));
}

const toolEndings = /\.(?:pyc|pyo|o|obj|class|tsbuildinfo|gcda|gcno)$/i;
const outputEndings = /\.(?:log|tmp|egg-info)$/i;

/** These files belong to a person, even in a folder of build output. */
const dataEndings = /\.(?:db|sqlite3?|dump|sql|bak|tfstate(?:\.backup)?)$/i;

/** The name shows that a tool has made it. `path` is relative. */
export function isMadeByTool(path: string, exists = assumed): boolean {
  return hasName(path.split('/'), tools, exists) || toolEndings.test(path);
}

function hasName(names: readonly string[], wanted: ReadonlySet<string>, exists: Exists): boolean {
  return names.some((name, at) => wanted.has(name) && isSigned(names.slice(0, at + 1), exists));
}

function isSigned(folder: readonly string[], exists: Exists): boolean {
  const files = signs[folder.at(-1) ?? ''];
  return (
    files === undefined || files.split(' ').some((file) => exists(posix.join(...folder, file)))
  );
}

/**
 * The table lists a name in the path, or its ending. `ignoredNames`: the number of leading names after which git ignores the path;
 * words that people use as well count only among these. `exists`: absent, the signs of tools are assumed.
 */
export function isRegenerable(path: string, ignoredNames = Infinity, exists = assumed): boolean {
  if (isMadeByTool(path, exists)) return true;
  const names = path.split('/');
  if (isOutput(path, names.length <= ignoredNames)) return true;
  if (dataEndings.test(path) || isCredentialPlace(path)) return false;
  return hasName(names.slice(0, ignoredNames), outputs, exists);
}

function isOutput(path: string, isItself: boolean): boolean {
  return isItself && outputEndings.test(path);
}
