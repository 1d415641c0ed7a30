/**
 * Divides the suites into projects by their imports.
 *
 * charts: pure, test/machines and test/diagrams. integration: suites that start the program, a browser, a sandbox or other
 * processes. parts: the rest, with real files, SQLite and servers of the same process. `npm test` runs charts, parts and the
 * smoke suites, one of each kind of integration; `npm run test:deep` runs all other integration, and the suites that search
 * further in depth.
 */

import {globSync, readFileSync} from 'node:fs';
import {join, normalize} from 'node:path';

const root = join(import.meta.dirname, '../..');

const files = new Set(globSync('test/**/*.ts', {cwd: root}));

/** A suite that imports one of these starts processes, except the few git processes that create a folder. */
const starters = [
  'test/support/built.ts',
  'test/support/chromium.ts',
  'test/actors/secrets/workspace-secrets.test.ts',
  'test/support/killing.ts',
  'test/support/launch.ts',
  'test/support/postgres.ts',
  'test/support/pty.ts',
  'test/support/serving.ts',
  'test/support/undoing.ts',
  'test/tools/mcp/place.ts',
  'test/tools/process.ts',
];

/** Folders whose suites run commands in a sandbox, or query a database in a process of its own. */
const startingFolders = ['test/fuzz/', 'test/tools/run/', 'test/tools/database/'];

/** Modules with which a suite itself starts processes. */
const processModules = /from '(?:node:child_process|node:worker_threads|execa)'/;

/**
 * The launcher, a conversation on a terminal, a sandbox, two processes on one journal, a server, a page in a browser, a
 * package, MCP servers.
 */
const smoke = [
  'test/actors/journal/sqlite-processes.test.ts',
  'test/cli/talk/done.test.ts',
  'test/cli/launcher.test.ts',
  'test/cli/package.test.ts',
  'test/cli/serve/command.test.ts',
  'test/cli/serve/page/chat.test.ts',
  'test/tools/mcp/calls.test.ts',
  'test/tools/run/sandbox.test.ts',
];

/** Suites that listen to their whole process, or measure it: each has a worker of its own. */
const alone = new Set([
  'test/actors/crowd.test.ts',
  'test/actors/policies/command-lists.test.ts',
  'test/tools/database/database.test.ts',
  'test/tools/run/run-command.test.ts',
  'test/tools/web/html-text.test.ts',
]);

export interface Project {
  readonly name: string;
  readonly include: readonly string[];
  /** True when each suite has its own worker. */
  readonly isolate: boolean;
}

/**
 * All projects, by which the scripts of package.json choose. In a deep search the suites that search further are a project of
 * their own.
 */
export function projects(isDeep: boolean): readonly Project[] {
  const suites = [...files].filter((file) => file.endsWith('.test.ts')).toSorted();
  const {charts = [], parts = [], integration = []} = Object.groupBy(suites, kindOf);
  const rest = integration.filter((suite) => !smoke.includes(suite));
  const searching = suites.filter((suite) => imports(suite, 'test/support/depth.ts'));
  const all = isDeep
    ? {integration: rest, depth: searching.filter((suite) => !rest.includes(suite))}
    : {charts, parts, smoke, integration: rest};
  return Object.entries(all).flatMap(([name, include]) => [
    {name, include: include.filter((suite) => !alone.has(suite)), isolate: false},
    {name: `${name}-alone`, include: include.filter((suite) => alone.has(suite)), isolate: true},
  ]);
}

function kindOf(suite: string): 'charts' | 'parts' | 'integration' {
  if (/^test\/(?:machines|diagrams|conventions)\//.test(suite)) return 'charts';
  const isStarting =
    startingFolders.some((folder) => suite.startsWith(folder)) ||
    processModules.test(readFileSync(join(root, suite), 'utf8')) ||
    starters.some((starter) => imports(suite, starter));
  return isStarting ? 'integration' : 'parts';
}

/** True when a test file imports another one, directly or through others. */
function imports(file: string, wanted: string, seen = new Set<string>()): boolean {
  if (file === wanted) return true;
  if (seen.has(file)) return false;
  seen.add(file);
  return importsOf(file).some((each) => imports(each, wanted, seen));
}

const known = new Map<string, readonly string[]>();

function importsOf(file: string): readonly string[] {
  const found = known.get(file) ?? readImports(file);
  known.set(file, found);
  return found;
}

function readImports(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const paths = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    normalize(join(file, '..', path)),
  );
  return paths.filter((path) => files.has(path));
}
