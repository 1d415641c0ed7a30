/**
 * Names of what tools make again: build outputs, caches, installed packages. Anything else that git ignores is data:
 * uploads, databases, data sets, settings.
 */

import {isCredentialPlace} from '../../machines/places/places.ts';

/** By ecosystem. A tool chose the name; nobody keeps anything of their own there. */
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

/** Words that people use too: they count only where git ignores the folder itself, not one that it lies in. */
const outputNames: Readonly<Record<string, string>> = {
  any: 'dist build out target coverage tmp temp cache',
  dotnet: 'obj',
  php: 'vendor',
  apple: 'Pods .build',
  tests: 'test-results playwright-report',
  c: 'cmake-build-debug cmake-build-release CMakeFiles',
};

const tools = namesIn(toolNames);
const outputs = namesIn(outputNames);

function namesIn(table: Readonly<Record<string, string>>): ReadonlySet<string> {
  return new Set(Object.values(table).flatMap((names) => names.split(' ')));
}

const toolEndings = /\.(?:pyc|pyo|o|obj|class|tsbuildinfo|gcda|gcno)$/i;
const outputEndings = /\.(?:log|tmp|egg-info)$/i;

/** Also in a folder of build output they are somebody's. */
const dataEndings = /\.(?:db|sqlite3?|dump|sql|bak|tfstate(?:\.backup)?)$/i;

/** Its name alone says that a tool has made it. `path` is relative. */
export function isMadeByTool(path: string): boolean {
  const names = path.split('/');
  return names.some((name) => tools.has(name)) || toolEndings.test(path);
}

/**
 * The table has a name of the path, or its ending. `ignoredNames`: after how many names git begins to ignore the path; the
 * words that people use too count only among these.
 */
export function isRegenerable(path: string, ignoredNames = Infinity): boolean {
  if (isMadeByTool(path)) return true;
  const names = path.split('/');
  if (isOutput(path, names.length <= ignoredNames)) return true;
  if (dataEndings.test(path) || isCredentialPlace(path)) return false;
  return names.slice(0, ignoredNames).some((name) => outputs.has(name));
}

function isOutput(path: string, isItself: boolean): boolean {
  return isItself && outputEndings.test(path);
}
