/**
 * Imports a module of a user's project: through the Vite that the project has, with its aliases and plugins; else through Node,
 * which then resolves as bundlers do, transforms TypeScript, and reads style sheets and pictures as nothing.
 */

import {existsSync, readFileSync, statSync} from 'node:fs';
import {createRequire, registerHooks, stripTypeScriptTypes} from 'node:module';
import {basename, dirname, extname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

import {once} from '../../machines/domain/once.ts';

export type Exports = Readonly<Record<string, unknown>>;

/** By file: a module is evaluated once, also when it holds the samples of its machine. */
const imported = new Map<string, Promise<Exports>>();

/** `mayUseVite`: the configuration of Vite is code that runs. Rejects with what the import throws. */
export async function importModule(
  file: string,
  mayUseVite: (root: string) => Promise<boolean>,
): Promise<Exports> {
  const known = imported.get(file);
  if (known) return await known;
  const importing = importOnce(file, mayUseVite);
  imported.set(file, importing);
  return await importing;
}

async function importOnce(
  file: string,
  mayUseVite: (root: string) => Promise<boolean>,
): Promise<Exports> {
  const vite = resolvedFrom(file, 'vite');
  const root = rootOf(file);
  if (vite !== undefined && (await mayUseVite(root))) {
    const server = await serverOf(vite, root);
    if (server) return withMembers(await server.ssrLoadModule(file));
  }
  hook();
  const exported: Exports = await import(pathToFileURL(file).href);
  return withMembers(exported);
}

/** CommonJS: the members of what `module.exports` is. */
function withMembers(exported: Exports): Exports {
  const {default: whole} = exported;
  const isPlain = typeof whole === 'object' && whole !== null && !('root' in whole);
  return isPlain ? {...whole, ...exported} : exported;
}

function resolvedFrom(file: string, name: string): string | undefined {
  try {
    return createRequire(file).resolve(name);
  } catch {
    return undefined;
  }
}

const viteConfigs = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].flatMap((ending) => [
  `vite.config.${ending}`,
  `vitest.config.${ending}`,
]);

/** The nearest folder with a configuration of Vite, else the nearest package. */
function rootOf(file: string): string {
  const configured = nearest(file, (folder) =>
    viteConfigs.some((name) => existsSync(join(folder, name))),
  );
  return (
    configured ??
    nearest(file, (folder) => existsSync(join(folder, 'package.json'))) ??
    dirname(file)
  );
}

/** The nearest folder above a file that passes the test. */
function nearest(file: string, test: (folder: string) => boolean): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (test(folder)) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

interface ViteServer {
  readonly ssrLoadModule: (file: string) => Promise<Exports>;
}

const servers = new Map<string, Promise<ViteServer | undefined>>();

async function serverOf(vite: string, root: string): Promise<ViteServer | undefined> {
  const known = servers.get(root);
  if (known) return await known;
  const server = createServer(vite, root);
  servers.set(root, server);
  return await server;
}

/** Undefined when the project's Vite can't start, for its configuration wants what is not there: Node remains. */
async function createServer(vite: string, root: string): Promise<ViteServer | undefined> {
  try {
    const entry = vite.replace(/index\.cjs$/, 'dist/node/index.js');
    const {createServer: create} = await import(pathToFileURL(entry).href);
    const server: ViteServer & {readonly close: () => Promise<void>} = await create({
      root,
      logLevel: 'silent',
      appType: 'custom',
      server: {middlewareMode: true, hmr: false, ws: false, watch: null},
      optimizeDeps: {noDiscovery: true, include: []},
    });
    return server;
  } catch {
    return undefined;
  }
}

// Node, with the resolution and the kinds of files that bundlers have.

const own = resolve(import.meta.dirname, '../..');

const hook = once(() => registerHooks({resolve: resolveLike, load: loadLike}));

type Resolve = NonNullable<Parameters<typeof registerHooks>[0]['resolve']>;
type Load = NonNullable<Parameters<typeof registerHooks>[0]['load']>;

const resolveLike: Resolve = (specifier, context, next) => {
  try {
    return next(specifier, context);
  } catch (error) {
    const {parentURL} = context;
    if (!parentURL?.startsWith('file:')) throw error;
    const found = fileFor(specifier, fileURLToPath(parentURL));
    if (found !== undefined) return next(pathToFileURL(found).href, context);
    // A file outside of a project takes XState from Quorate.
    if (/^xstate(?:\/|$)/.test(specifier)) {
      return next(specifier, {...context, parentURL: import.meta.url});
    }
    if (!/^[@\w][^:]*\/[^.]+$/.test(specifier)) throw error;
    // A package without a list of exports, such as next, is imported by the names of its files.
    return next(`${specifier}.js`, context);
  }
};

/** The file of an import that Node can't resolve: without an ending, of a folder, or by an alias of tsconfig.json. */
function fileFor(specifier: string, parent: string): string | undefined {
  if (/^\.{0,2}\//.test(specifier)) return existing(resolve(dirname(parent), specifier));
  for (const path of aliased(specifier, parent)) {
    const found = existing(path);
    if (found !== undefined) return found;
  }
  return undefined;
}

const endings = ['.ts', '.tsx', '.js', '.jsx', '.mts', '.cts', '.mjs', '.cjs', '.json'];

function existing(path: string): string | undefined {
  const plain = path.replace(/[?#].*$/, '');
  const written = /\.[cm]?jsx?$/.test(plain)
    ? [plain.replace(/js(x?)$/, 'ts$1'), plain.replace(/js$/, 'tsx')]
    : [];
  const candidates = [
    plain,
    ...endings.map((ending) => plain + ending),
    ...written,
    ...endings.map((ending) => join(plain, `index${ending}`)),
  ];
  return candidates.find((file) => statSync(file, {throwIfNoEntry: false})?.isFile());
}

interface Aliases {
  /** Absolute: what the paths are relative to. */
  readonly base: string;
  readonly hasBase: boolean;
  readonly paths: Readonly<Record<string, readonly string[]>>;
}

function* aliased(specifier: string, parent: string): Generator<string> {
  const {base, hasBase, paths} = aliasesOf(parent);
  for (const [pattern, targets] of Object.entries(paths)) {
    const [before = '', after] = pattern.split('*');
    const isMatch =
      after === undefined
        ? specifier === pattern
        : specifier.startsWith(before) && specifier.endsWith(after);
    if (!isMatch) continue;
    const rest =
      after === undefined ? '' : specifier.slice(before.length, specifier.length - after.length);
    for (const target of targets) yield resolve(base, target.replace('*', rest));
  }
  if (hasBase) yield resolve(base, specifier);
}

const aliases = new Map<string, Aliases>();

/** `paths` and `baseUrl` of the nearest tsconfig.json or jsconfig.json. */
function aliasesOf(parent: string): Aliases {
  const names = ['tsconfig.json', 'jsconfig.json'];
  const config = (folder: string) =>
    names.map((name) => join(folder, name)).find((file) => existsSync(file));
  const folder = nearest(parent, (each) => config(each) !== undefined);
  const file = folder === undefined ? undefined : config(folder);
  if (file === undefined) return {base: dirname(parent), hasBase: false, paths: {}};
  const known = aliases.get(file) ?? readAliases(file);
  aliases.set(file, known);
  return known;
}

/** With what the file extends. */
function readAliases(file: string): Aliases {
  const {compilerOptions = {}, extends: above} = readConfig(file);
  const {paths, baseUrl} = compilerOptions;
  const base = resolve(dirname(file), baseUrl ?? '.');
  const hasBase = baseUrl !== undefined;
  if (paths !== undefined || hasBase) return {base, hasBase, paths: paths ?? {}};
  for (const each of [above ?? []].flat().toReversed()) {
    const found = /^\.{1,2}\//.test(each)
      ? existing(resolve(dirname(file), each))
      : resolvedFrom(file, each);
    if (found !== undefined) return readAliases(found);
  }
  return {base, hasBase, paths: {}};
}

interface ProjectFile {
  readonly type?: string;
  readonly extends?: string | readonly string[];
  readonly compilerOptions?: {
    readonly baseUrl?: string;
    readonly paths?: Readonly<Record<string, readonly string[]>>;
  };
}

/** JSON with comments and trailing commas. */
function readConfig(file: string): ProjectFile {
  const text = readFileSync(file, 'utf8');
  const plain = text.replaceAll(
    /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[^]*?\*\/|,(?=\s*[}\]])/g,
    (_, string: string | undefined) => string ?? '',
  );
  try {
    const config: ProjectFile = JSON.parse(plain);
    return config;
  } catch {
    return {};
  }
}

const loadLike: Load = (url, context, next) => {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return next(url, context);
  const file = fileURLToPath(url);
  const ending = extname(file);
  if (file.startsWith(`${own}/`) || /^\.(?:[cm]?js|node|wasm|)$/.test(ending)) {
    return next(url, context);
  }
  if (ending === '.json') return loaded('module', `export default ${readFileSync(file, 'utf8')}`);
  if (!/^\.(?:[cm]?tsx?|jsx)$/.test(ending)) return loaded('module', 'export default {}');
  const source = readFileSync(file, 'utf8');
  const code = ending.endsWith('x') ? transpiled(source, file) : stripped(source);
  return loaded(formatOf(file, code), code);
};

function loaded(format: 'module' | 'commonjs', source: string) {
  return {format, source, shortCircuit: true} as const;
}

/** Without the types, also those that are imported by name beside values: `import {setup, ActorRefFrom} from 'xstate'`. */
function stripped(source: string): string {
  const code = stripTypeScriptTypes(source, {mode: 'transform'});
  const imports = /(?<=^[ \t]*import\s+(?:[\w$]+\s*,\s*)?)\{([^}]*)\}(?=\s*from\b)/gm;
  const words = new Set(code.replaceAll(imports, '').match(/[\w$]+/g));
  return code.replaceAll(imports, (_, list: string) => {
    const used = list
      .split(',')
      .filter((each) => words.has(/[\w$]+(?=\s*$)/.exec(each)?.[0] ?? ''));
    return `{${used.join(',')}}`;
  });
}

/** By the TypeScript or the esbuild of the project: Node does not know JSX. Throws Error when it has neither. */
function transpiled(source: string, file: string): string {
  const require = createRequire(file);
  const typescript = resolvedFrom(file, 'typescript');
  const compiler = typescript === undefined ? undefined : require(typescript);
  if (typeof compiler?.transpileModule === 'function') {
    const compilerOptions = {module: 99, target: 99, jsx: 4, esModuleInterop: true};
    return compiler.transpileModule(source, {compilerOptions, fileName: basename(file)}).outputText;
  }
  const esbuild = resolvedFrom(file, 'esbuild');
  if (esbuild === undefined) {
    throw new Error(
      'it has JSX, and the project has neither Vite nor TypeScript 5 or 6 nor esbuild to compile it',
    );
  }
  return require(esbuild).transformSync(source, {loader: extname(file).slice(1), jsx: 'automatic'})
    .code;
}

function formatOf(file: string, code: string): 'module' | 'commonjs' {
  if (/\.[cm]/.test(extname(file))) return extname(file)[1] === 'm' ? 'module' : 'commonjs';
  const folder = nearest(file, (each) => existsSync(join(each, 'package.json')));
  const {type} = folder === undefined ? {} : readConfig(join(folder, 'package.json'));
  if (type === 'module') return 'module';
  const hasModules = /^[ \t]*(?:import\b(?!\s*\()|export\b)/m.test(code);
  return hasModules ? 'module' : 'commonjs';
}
