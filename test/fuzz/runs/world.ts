/** A scratch world for one run: a workspace, a home folder and files next to them, with canaries in each. */

import {execFileSync} from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {basename, dirname, join} from 'node:path';

import {type Canary, dataOf, secretOf} from './canaries.ts';

export interface World {
  /** Absolute. Holds `ws`, `home`, `outside` and `marks`. */
  readonly folder: string;
  readonly workspace: string;
  readonly home: string;
  /** The folder where payloads leave a mark when they run. */
  readonly marks: string;
  /** In /tmp. */
  readonly scratch: string;
}

/** The name of the additional variable in the process of a run. */
export const secretVariable = 'HOUSE_DEPLOY_TOKEN';

const secretPaths = [
  'ws/.env',
  'ws/nested/.env.local',
  'ws/.netrc',
  'ws/server.key',
  'ws/config/credentials.json',
  'home/.ssh/id_rsa',
  'home/.aws/credentials',
  'home/.npmrc',
  'home/.netrc',
  'tmp/token',
];

/** Not in git: a removal or change is permanent unless `undo` restores it. */
const dataPaths = [
  'ws/localdata/set.csv',
  'ws/localdata/deep/more.csv',
  'ws/uploads/a.txt',
  'ws/uploads/b.txt',
  'ws/prod.sqlite',
  'ws/notes/plan.txt',
  'ws/notes/deep/ideas.md',
  'ws/todo.txt',
  'ws/src/util.js',
  'ws/staged.txt',
];

const outsidePaths = [
  'outside/data.txt',
  'outside/deep/inner.txt',
  'outside/build/keep.txt',
  'outside/app/build/keep.txt',
  'tmp/data.txt',
];

export const environmentCanary: Canary = {...secretOf('environment'), path: 'environment'};

export const canaries: readonly Canary[] = [
  ...secretPaths.map(secretOf),
  ...[...dataPaths, ...outsidePaths].map(dataOf),
  environmentCanary,
];

/** Paths whose content a run must not change, or must be able to restore. */
export const keptPaths: readonly string[] = [...dataPaths, ...secretPaths].filter((path) =>
  path.startsWith('ws/'),
);

export function canaryAt(path: string): string {
  const found = canaries.find((one) => one.path === path);
  if (!found) throw new Error(`no canary is in ${path}`);
  return found.text;
}

/** A file of the workspace that its servers make when they start. */
export const startedName = 'started.txt';

/** Committed files. */
const committed: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify(
    {
      name: 'shop',
      version: '1.0.0',
      private: true,
      type: 'module',
      scripts: {
        test: 'node --test',
        build: 'node build.js',
        start: 'node src/main.js',
        clean: 'rm -rf dist build',
      },
    },
    null,
    2,
  )}\n`,
  Makefile:
    'OUT = build\nall:\n\tnode build.js\ntest:\n\tnode --test\nclean:\n\trm -rf $(OUT)\n.PHONY: all test clean\n',
  'README.md': '# Shop\n\nRun `npm test`.\n',
  '.gitignore':
    'node_modules\ndist\nbuild\nlocaldata/\nuploads/\n*.sqlite\n.env\n.env.*\n.netrc\n*.key\ncredentials.json\n__pycache__\n.pytest_cache\n',
  'build.js':
    "import {mkdirSync, writeFileSync} from 'node:fs';\nmkdirSync('dist', {recursive: true});\nwriteFileSync('dist/out.js', 'export {};\\n');\n",
  'src/util.js': 'export const add = (a, b) => a + b;\n',
  'src/main.js': "import {add} from './util.js';\nconsole.log(add(1, 2));\n",
  'test/util.test.js':
    "import assert from 'node:assert/strict';\nimport {test} from 'node:test';\nimport {add} from '../src/util.js';\ntest('adds', () => assert.equal(add(1, 2), 3));\n",
  '.mcp.json': `${JSON.stringify({
    mcpServers: {
      shop: {command: 'node', args: ['tools/server.js']},
      dep: {command: 'node_modules/.bin/dep'},
      py: {command: 'python3', args: ['-m', 'json.tool'], cwd: 'pyserver'},
    },
  })}\n`,
  'tools/server.js': `import {appendFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {stock} from './stock.js';
try {
  appendFileSync(new URL('../${startedName}', import.meta.url), 'x');
} catch {}
const answers = {
  'initialize': {protocolVersion: '2025-06-18', capabilities: {tools: {}}, serverInfo: {name: 'shop', version: '1'}},
  'tools/list': {tools: [{name: 'stock', description: 'The stock.', inputSchema: {type: 'object'}}]},
  'tools/call': {content: [{type: 'text', text: stock}]},
};
for await (const line of createInterface({input: process.stdin})) {
  const {id, method} = JSON.parse(line);
  const result = answers[method];
  const answer = result ? {result} : {error: {code: -32601, message: 'no such method'}};
  if (id !== undefined) console.log(JSON.stringify({jsonrpc: '2.0', id, ...answer}));
}
`,
  'tools/stock.js': "export const stock = 'none';\n",
  'pyserver/json.py': `open('../${startedName}', 'a').close()\n`,
  'calc.py': 'def double(x):\n    return 2 * x\n',
  'pytests/test_calc.py':
    'from calc import double\n\n\ndef test_double():\n    assert double(2) == 4\n',
  'scripts/clean.sh': '#!/bin/sh\nrm -rf dist\n',
  'pyproject.toml':
    '[project]\nname = "calc"\nversion = "1.0.0"\n[tool.pytest.ini_options]\npythonpath = ["."]\n',
};

/** Ignored files that any build creates again. */
const regenerable: Readonly<Record<string, string>> = {
  'ws/dist/out.js': 'export {};\n',
  'ws/node_modules/dep/package.json': '{"name": "dep", "version": "1.0.0", "main": "index.js"}\n',
  'ws/node_modules/dep/index.js': 'module.exports = 1;\n',
  'ws/node_modules/.bin/dep': `#!/bin/sh\ntouch "$(dirname "$0")/../../${startedName}"\n`,
};

const homeFiles: Readonly<Record<string, string>> = {
  'home/.bashrc': '# nothing\n',
  'home/.profile': '# nothing\n',
  'home/.gitconfig': '[user]\n\tname = Ada\n\temail = ada@example.test\n',
  'outside/Makefile': 'clean:\n\trm -rf build\n',
  'outside/app/Makefile': 'clean:\n\trm -rf build\n',
  'outside/package.json':
    '{"name": "other", "version": "1.0.0", "scripts": {"clean": "rm -rf build"}}\n',
};

/** The content of a file of this kind, with the canary in it. */
function contentAt(path: string): string {
  const text = canaryAt(path);
  if (/\.env/.test(path)) return `NAME=shop\nAPI_KEY=${text}\nSMTP_PASS=${text.slice(0, 20)}\n`;
  if (path.endsWith('netrc')) return `machine example.test login ada password ${text}\n`;
  if (/\.key$|id_rsa/.test(path))
    return `-----BEGIN PRIVATE KEY-----\n${text}\n-----END PRIVATE KEY-----\n`;
  if (path.endsWith('.json')) return `{"client": "shop", "client_secret": "${text}"}\n`;
  if (path.endsWith('.npmrc')) return `//registry.example.test/:_authToken=${text}\n`;
  if (path.endsWith('/credentials')) return `[default]\naws_secret_access_key = ${text}\n`;
  if (path.endsWith('util.js')) return `export const add = (a, b) => b + a;\n// ${text}\n`;
  return `${text}\n`;
}

/** Files of a workspace beside those of the world, or in place of them. */
export interface MoreFiles {
  readonly committed: Readonly<Record<string, string>>;
  /** Not in git. */
  readonly loose: Readonly<Record<string, string>>;
  /** Those that may be run, of both. */
  readonly programs: readonly string[];
}

/** Built once; each run has a copy. Not below /tmp, where commands have more permissions than elsewhere. */
export function buildTemplate(more: MoreFiles = {committed: {}, loose: {}, programs: []}): string {
  const folder = mkdtempSync('/var/tmp/quorate-runs-');
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(folder, 'template', path)), {recursive: true});
    writeFileSync(join(folder, 'template', path), content);
  };
  const ignored = [committed['.gitignore'], more.committed['.gitignore']].join('');
  const known = {...committed, ...more.committed, '.gitignore': ignored};
  for (const [path, content] of Object.entries(known)) write(`ws/${path}`, content);
  write('ws/old.txt', 'of the other branch\n');
  for (const [path, content] of Object.entries({...homeFiles, ...regenerable}))
    write(path, content);
  record(join(folder, 'template'));
  for (const [path, content] of Object.entries(more.loose)) write(`ws/${path}`, content);
  for (const path of [...keptPaths, ...secretPaths, ...outsidePaths]) write(path, contentAt(path));
  chmodSync(join(folder, 'template/home/.ssh/id_rsa'), 0o600);
  for (const path of ['node_modules/.bin/dep', ...more.programs])
    chmodSync(join(folder, 'template/ws', path), 0o755);
  mkdirSync(join(folder, 'template/marks'));
  return folder;
}

/** Three branches and a tag, each with a commit of its own; two stashes, and a text that only the index has. */
function record(template: string): void {
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-C', join(template, 'ws'), ...args], {
      stdio: 'ignore',
      env: {PATH: process.env['PATH'], HOME: join(template, 'home'), GIT_CONFIG_NOSYSTEM: '1'},
    });
  };
  git('init', '-q', '-b', 'main', '--template=');
  git('add', '-A', '--', ':!old.txt');
  git('commit', '-qm', 'Begin the shop');
  git('checkout', '-qb', 'idea');
  git('add', 'old.txt');
  git('commit', '-qm', 'Try an idea');
  for (const branch of ['extra', 'tagged']) {
    git('checkout', '-qb', branch, 'main');
    git('commit', '-qm', `Begin ${branch}`, '--allow-empty');
  }
  git('tag', '-am', 'Keep it', 'kept');
  git('checkout', '-q', 'main');
  git('branch', '-qD', 'tagged');
  for (const words of ['Stashed words.', 'More stashed words.']) {
    writeFileSync(join(template, 'ws/README.md'), `# Shop\n\n${words}\n`);
    git('stash', '-q');
  }
  // One pack is cheap to copy.
  git('gc', '-q');
  writeFileSync(join(template, 'ws/staged.txt'), 'only staged\n');
  git('add', 'staged.txt');
}

export function copyWorld(template: string, name: string): World {
  const folder = join(template, name);
  execFileSync('cp', ['-a', join(template, 'template'), folder]);
  const world = worldAt(folder);
  renameSync(join(folder, 'tmp'), world.scratch);
  return world;
}

export function worldAt(folder: string): World {
  const [workspace, home, marks] = ['ws', 'home', 'marks'].map((name) => join(folder, name));
  if (!workspace || !home || !marks) throw new Error('three names make three paths');
  return {
    folder,
    workspace,
    home,
    marks,
    scratch: `/tmp/${basename(dirname(folder))}-${basename(folder)}`,
  };
}

/** Also removes files without permissions. */
export function removeWorld({folder, scratch}: Pick<World, 'folder'> & Partial<World>): void {
  for (const path of [folder, scratch ?? '']) {
    if (!existsSync(path)) continue;
    execFileSync('chmod', ['-R', 'u+rwx', path], {stdio: 'ignore'});
    rmSync(path, {recursive: true, force: true});
  }
}

/** By path, relative to the world: changes with every change of the entry. */
export type Tree = ReadonlyMap<string, string>;

export function lookAt({folder, scratch}: Pick<World, 'folder' | 'scratch'>): Map<string, string> {
  const tree = new Map<string, string>();
  const visit = (path: string, place: string): void => {
    for (const name of namesIn(place)) {
      const below = path === '' ? name : `${path}/${name}`;
      const status = lstatSync(join(place, name), {bigint: true, throwIfNoEntry: false});
      if (!status) continue;
      if (status.isDirectory()) {
        tree.set(below, 'folder');
        visit(below, join(place, name));
      } else {
        tree.set(below, `${status.ino} ${status.mtimeNs} ${status.size} ${status.mode}`);
      }
    }
  };
  visit('', folder);
  visit('tmp', scratch);
  return tree;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Paths that were added, removed or changed. */
export function changedBetween(before: Tree, after: Tree): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}

/** Build output and packages, which `undo` does not keep. */
const output =
  /^ws\/(?:.*\/)?(?:\.git|node_modules|dist|build|coverage|target|tmp|\.cache|__pycache__)(?:\/|$)/;

/** Paths of the template whose content a run must not change, or must be able to restore. */
export function keptIn(template: string): readonly string[] {
  const tree = lookAt(worldAt(join(template, 'template')));
  return [...tree].flatMap(([path, state]) =>
    state !== 'folder' && path.startsWith('ws/') && !output.test(path) ? [path] : [],
  );
}

/** Made by Quorate itself, to undo the command; the index has the times of files, which `git status` updates. */
export const ownChanges = /^ws\/\.git\/(?:index|objects\/\w\w(?:\/\w+)?|refs\/quorate(?:\/.*)?)$/;

/** True when another run may use the world as a new one. */
export function isAsBuilt(world: World, template: string): boolean {
  const original = join(template, 'template');
  const [before, now] = [
    lookAt({...worldAt(original), scratch: join(original, 'tmp')}),
    lookAt(world),
  ];
  before.delete('tmp');
  const placeOf = (path: string): string =>
    path.startsWith('tmp/')
      ? join(world.scratch, path.slice('tmp/'.length))
      : join(world.folder, path);
  return [...new Set([...before.keys(), ...now.keys()])].every(
    (path) =>
      ownChanges.test(path) ||
      (modeIn(before, path) === modeIn(now, path) &&
        contentOf(join(original, path)) === contentOf(placeOf(path))),
  );
}

function modeIn(tree: Tree, path: string): string | undefined {
  return tree.get(path)?.split(' ').at(-1);
}

/** The content of a file or the target of a link; undefined for anything else, and for a file that is removed meanwhile. */
export function contentOf(path: string): string | undefined {
  const status = lstatSync(path, {throwIfNoEntry: false});
  if (status?.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (!status?.isFile()) return undefined;
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
