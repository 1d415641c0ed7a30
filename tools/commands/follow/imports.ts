/** The files that a code file loads, if its text states them plainly: relative imports of JavaScript and Python. */

import {posix} from 'node:path';

import type {Shell} from '../walk/shell.ts';

const maxFollowed = 200;

interface Following {
  readonly shell: Shell;
  readonly tracked: ReadonlySet<string>;
  /** Unknown code. */
  readonly strange: ReadonlySet<string>;
}

/** Undefined: a file loads something that its text does not state, or that is not looked at. */
export async function loadedFrom(
  shell: Shell,
  starts: readonly string[],
  strange: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  const files = await shell.places.files();
  const following = {shell, tracked: new Set(files?.tracked), strange: new Set(strange)};
  const seen = new Set(starts);
  for (const path of seen) {
    if (seen.size > maxFollowed) return undefined;
    // oxlint-disable-next-line no-await-in-loop -- one file after the other, up to a limit
    const loads = await loadsOf(following, path);
    if (!loads) return undefined;
    for (const each of loads) seen.add(each);
  }
  return seen;
}

/** The existing files that one file loads. */
async function loadsOf(following: Following, path: string): Promise<readonly string[] | undefined> {
  const {places} = following.shell;
  const place = await places.look(path, places.workspace);
  if (place.state === 'absent') return [];
  // Ignored files are build output, not source.
  const isSource = following.strange.has(path) || /^(?:clean|changed)$/.test(place.state);
  if (!isSource || place.path !== path) return undefined;
  const text = await places.readFileText(place);
  if (text === undefined) return undefined;
  if (javascript.test(path)) return await imported(following, path, text);
  if (python.test(path)) return await importedInPython(following, path, text);
  if (inert.test(path)) return [];
  return settings.test(path) ? mentioned(following, path, text) : undefined;
}

const javascript = /\.[cm]?[jt]sx?$/;
const python = /\.py$/;
const settings = /\.(?:jsonc?|ya?ml|toml|cfg|ini|neon|xml|dist)$|rc$|(?:^|\/)(?:\.flake8|Pipfile)$/;
/** They name no file that runs. */
const inert = /(?:^|\/)go\.(?:mod|work)$/;

/** For settings: files that the text names by path, or as Python modules. */
function mentioned({strange}: Following, path: string, text: string): readonly string[] {
  const folder = posix.dirname(path);
  const own = posix.basename(path) === 'package.json' ? withoutEntries(text) : text;
  const names = (own.match(/[\w@./-]+/g) ?? []).flatMap((name) => [
    name,
    name.replaceAll('.', '/'),
  ]);
  const paths = new Set(names.map((name) => withoutEnding(posix.join(folder, name))));
  return [...strange].filter((one) => paths.has(one) || paths.has(withoutEnding(one)));
}

function withoutEnding(path: string): string {
  return path.replace(/(?<=[^/])\.\w+$/, '');
}

/** Without the fields of a package.json by which others load the package. */
function withoutEntries(text: string): string {
  return text.replaceAll(
    /"(?:main|module|types|typings|browser|exports|bin|files|scripts)"\s*:\s*(?:"[^"]*"|\{[^{}]*\}|\[[^\]]*\])/g,
    '',
  );
}

/** The file may load files by computed names, or start other programs. */
const evasive =
  /\b(?:child_process|worker_threads|node:(?:vm|module|cluster|test)|createRequire|eval|readdir\w*|globSync|fork|import\.meta\.(?:glob|resolve)|require\.(?:resolve|context|main))\b|\bFunction\s*\(|['"](?:vm|module|cluster)['"]|\b(?:import|require)\s*\((?!\s*['"])|\brequire\b(?!\s*\(\s*['"])|\bfrom\s*\/[*/]/;
const specifiers = /\b(?:from|import|require)\s*\(?\s*(['"])([^'"\n]+)\1/g;

/** Packages that load files of the workspace by themselves. */
const loaders =
  /^(?:jest|vitest|mocha|ava|tsx|jiti|ts-node|esbuild-register|@babel\/(?:register|node)|require-|glob|fast-glob|globby|tinyglobby|next|nuxt|nodemon|pm2|execa|cross-spawn|shelljs|zx|import-|fdir)/;

async function imported(
  following: Following,
  path: string,
  text: string,
): Promise<readonly string[] | undefined> {
  if (evasive.test(text)) return undefined;
  const names = [...text.matchAll(specifiers)].map(([, , name = '']) => name);
  const bare = names.filter((name) => !name.startsWith('.') && !name.startsWith('node:'));
  const isPlain = await Promise.all(bare.map(async (name) => isInstalled(following, path, name)));
  if (isPlain.includes(false)) return undefined;
  const bases = names
    .filter((name) => name.startsWith('.'))
    .map((name) => posix.join(posix.dirname(path), name));
  const found = await Promise.all(bases.map(async (base) => resolved(following, base)));
  return found.includes(undefined) ? undefined : found.flatMap((paths) => paths ?? []);
}

const endings = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx', '.json'];

/** `./a`: every file that the import may mean. */
async function resolved(
  {shell, tracked, strange}: Following,
  base: string,
): Promise<readonly string[] | undefined> {
  if (tracked.has(base) || strange.has(base)) return [base];
  const stem = base.replace(/\.[cm]?jsx?$/, '');
  const {workspace, matches} = shell.places;
  const patterns = [`${stem}*`, `${base}/index.*`];
  const listed = await Promise.all(
    patterns.map(async (pattern) => matches(pattern, workspace, {isKept: true})),
  );
  if (listed.some((paths) => paths === undefined || paths === 'many')) return undefined;
  const names = [stem, base, `${base}/index`];
  const files = new Set(names.flatMap((name) => endings.map((ending) => name + ending)));
  const found = listed.flatMap((paths) => (Array.isArray(paths) ? paths : []));
  return found.filter((path) => files.has(path) && path !== stem);
}

const builtIn =
  /^(?:assert|async_hooks|buffer|console|constants|crypto|dgram|diagnostics_channel|dns|domain|events|fs|http|http2|https|inspector|net|os|path|perf_hooks|process|punycode|querystring|readline|stream|string_decoder|timers|tls|tty|url|util|v8|wasi|zlib)(?:\/|$)/;

/** In node_modules, and not a folder of the workspace that is linked there. */
async function isInstalled(
  {shell: {places}}: Following,
  path: string,
  name: string,
): Promise<boolean> {
  if (builtIn.test(name)) return true;
  const [, folder] = /^((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/|$)/i.exec(name) ?? [];
  if (folder === undefined || loaders.test(name)) return false;
  for (let at = posix.dirname(path); ; at = posix.dirname(at)) {
    const given = posix.join(at, 'node_modules', folder);
    // oxlint-disable-next-line no-await-in-loop -- the nearest
    const place = await places.look(given, places.workspace, {isKept: true});
    if (place.state !== 'absent') return place.inside && /(?:^|\/)node_modules\//.test(place.path);
    if (at === '.') return false;
  }
}

const evasiveInPython =
  /\b(?:importlib|__import__|exec|eval|compile|subprocess|os\.(?:system|popen|exec\w*|spawn\w*)|runpy|pkgutil|multiprocessing|sys\.(?:path|modules|meta_path)|ctypes|django|celery|flask|pytest|unittest)\b/;
const importsInPython = /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import|import[ \t]+([\w., \t]+))/gm;

async function importedInPython(
  {shell, tracked, strange}: Following,
  path: string,
  text: string,
): Promise<readonly string[] | undefined> {
  if (evasiveInPython.test(text)) return undefined;
  const modules = [...text.matchAll(importsInPython)].flatMap(([, from, list = '']) =>
    from === undefined ? list.split(',').map((one) => one.trim().split(/\s/)[0] ?? '') : [from],
  );
  // `from . import x` may name a file, or a name in one.
  if (modules.some((name) => name.startsWith('.'))) return undefined;
  const folder = posix.dirname(path);
  const tops = [...new Set(modules.map((name) => name.split('.')[0] ?? ''))];
  const {matches, workspace} = shell.places;
  const listed = await Promise.all(
    tops.map(async (top) => matches(posix.join(folder, `${top}*`), workspace, {isKept: true})),
  );
  const found = listed.flatMap((paths) => (Array.isArray(paths) ? paths : []));
  const own = found.filter((one) => tops.includes(posix.parse(one).name));
  const isPlain = own.every((one) => tracked.has(one) || strange.has(one));
  return isPlain && listed.every(Array.isArray) ? own : undefined;
}
