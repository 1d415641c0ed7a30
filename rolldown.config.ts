import {readdirSync} from 'node:fs';
import {join} from 'node:path';

import {defineConfig, type PluginContext} from 'rolldown';

import {chartsVersion} from './actors/version.ts';
import {dataFiles} from './rolldown.data-files.ts';
import {licences} from './rolldown.licences.ts';

/**
 * Not part of what is built: two are found by `require`, one has files of its own, and koffi and pg are optional. Of the hundreds of small modules of the
 * others Node would spend more time loading than running.
 */
const loaded = ['koffi', 'libphonenumber-js', 'pg', 'pino', 're2js', 'vitest'];

/**
 * What is loaded at once lies in one file: Node takes longer to find and to open a hundred than to run them. Each part is
 * what its roots import, except the modules of the parts before it, so that it needs only those. Each part is split in
 * three: the static imports of the library, its dynamic imports, and the rest, so that a program loads nothing of the launcher.
 */
const parts = {
  // Apart, as it is read before there is compiled code of the others.
  code: ['cli/compiled-code.ts'],
  processes: [
    'tools/database/query-process.ts',
    'tools/run/sandbox/forward-process.ts',
    'tools/run/sandbox/landlock-process.ts',
  ],
  start: [
    'cli/main.ts',
    'cli/line/arguments.ts',
    'cli/help/text.ts',
    ...readdirSync(join(import.meta.dirname, 'cli/commands')).map((name) => `cli/commands/${name}`),
  ],
  past: [
    'cli/render/tables/show.ts',
    'cli/past/open-journal.ts',
    'actors/sessions/run-state.ts',
    'actors/sessions/sessions.ts',
    'actors/run/run-result.ts',
    'actors/run/validation.ts',
    'actors/journal/sqlite.ts',
  ],
  runtime: ['actors/runtime.ts'],
  run: ['cli/start-run.ts'],
};
const library = ['actors/index.ts'];

/** Ids of modules, by the name of a part, as they were found in the last build. */
const found = new Map<string, ReadonlySet<string>>();
const isOf = (name: string, id: string): boolean => found.get(name)?.has(id) === true;
/** What no run needs stays where it is. */
const isOfRuns = (id: string): boolean => isOf('runtime', id) || isOf('run', id);

/** Throws for a root that is not a module of the package. `isLater`: dynamic imports, too. */
function importedBy(
  roots: readonly string[],
  {getModuleInfo}: PluginContext,
  isLater = false,
): Set<string> {
  const ids = new Set(roots.map((root) => join(import.meta.dirname, root)));
  const unknown = [...ids].find((id) => !getModuleInfo(id));
  if (unknown !== undefined) throw new Error(`${unknown} is not built`);
  for (const id of ids) {
    const {importedIds = [], dynamicallyImportedIds = []} = getModuleInfo(id) ?? {};
    for (const next of isLater ? [...importedIds, ...dynamicallyImportedIds] : importedIds)
      ids.add(next);
  }
  return ids;
}

const knownParts = {
  name: 'known-parts',
  buildEnd(this: PluginContext): void {
    for (const [name, roots] of Object.entries({...parts, library}))
      found.set(name, importedBy(roots, this));
    found.set('later', importedBy(library, this, true));
  },
};

const output = {
  dir: 'dist',
  cleanDir: true,
  chunkFileNames: 'chunks/[name]-[hash].js',
  codeSplitting: {
    groups: Object.keys(parts).flatMap((name) => {
      const isOfPart = (id: string): boolean => isOfRuns(id) && isOf(name, id);
      return [
        {name: `${name}-library`, test: (id: string) => isOfPart(id) && isOf('library', id)},
        {name: `${name}-later`, test: (id: string) => isOfPart(id) && isOf('later', id)},
        {name, test: isOfPart},
      ];
    }),
  },
};

/** A build has no sources to hash, and need not: what they come to is known when it is made. */
const knownVersion = {
  name: 'known-version',
  load: {
    filter: {id: /\/actors\/version\.ts$/},
    handler: () => `export const chartsVersion = () => '${chartsVersion()}';`,
  },
};

/** Sources bundle the script of the inspector's page when it is needed. A build reads it. */
const builtScript = {
  name: 'built-script',
  load: {
    filter: {id: /\/cli\/inspect\/page\/bundle\.ts$/},
    handler: () =>
      `import {readFileSync} from 'node:fs';
       import {shippedFile} from '../../version.ts';
       export const pageScript = async () =>
         readFileSync(shippedFile('dist/cli/inspect/page/browser/main.js'), 'utf8');`,
  },
};

/** A page loads one script, so it shares nothing. */
const pages = ['cli/serve/page/browser/main', 'cli/inspect/page/browser/main'].map((page) => ({
  input: {[page]: `${page}.ts`},
  platform: 'browser' as const,
  output: {dir: 'dist', minify: true},
}));

/** Every entry lies two folders deep but those that are started by their path, and what they share in one folder. */
const program = {
  input: Object.fromEntries(
    [
      'actors/index',
      'machines/index',
      'machines/testing/index',
      'tools/index',
      'cli/bin',
      'tools/database/query-process',
      'tools/run/sandbox/forward-process',
      'tools/run/sandbox/landlock-process',
      'cli/inspect/index',
    ]
      .map((entry) => [entry, `${entry}.ts`])
      // The suite of every journal, for authors of journals: their Vitest runs it.
      .concat([['testing/journal', 'test/actors/journal/conformance.ts']])
      .concat([['postgres/journal', 'actors/journal/postgres/postgres.ts']]),
  ),
  platform: 'node' as const,
  plugins: [knownVersion, builtScript, knownParts, dataFiles, licences],
  external: (id: string) => loaded.some((name) => id === name || id.startsWith(`${name}/`)),
  output,
};

export const builds = [program, ...pages];

export default defineConfig(builds);
