/** Machines in projects as people have them: their modules are imported as their own tools import them. */

import {mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';

import {execa} from 'execa';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import {builtPackage, launcherProgram} from '../../support/built.ts';

type Files = Readonly<Record<string, string>>;

interface Project {
  readonly files: Files;
  /** The module of the machine. */
  readonly module: string;
  /** Packages of this repository that the project has. */
  readonly packages: readonly string[];
}

const states = `{
    open: {invoke: {src: 'pay', onDone: 'paid', onError: 'failed'}},
    paid: {type: 'final'},
    failed: {on: {RETRY: 'open'}},
  }`;

/** A component whose timers are faked, driven through the tours of its machine. */
const component: Files = {
  'src/Lamp.tsx': `import {useEffect, useState} from 'react';
import {createMachine} from 'xstate';

export const lampMachine = createMachine({
  id: 'lamp',
  initial: 'off',
  states: {
    off: {on: {PRESS: 'on'}},
    on: {on: {PRESS: 'off'}, after: {60000: 'off'}},
  },
});

export function Lamp() {
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    const timer = setTimeout(() => setOn(false), 60_000);
    return () => clearTimeout(timer);
  }, [isOn]);
  return <button onClick={() => setOn((was) => !was)}>{isOn ? 'on' : 'off'}</button>;
}
`,
  'src/lamp.test.tsx': `import {act, create, type ReactTestRenderer} from 'react-test-renderer';
import {testModel} from 'quorate/testing';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {Lamp, lampMachine} from './Lamp';

globalThis.IS_REACT_ACT_ENVIRONMENT = true;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const cases = testModel(lampMachine, {
  sut: async () => {
    let view: ReactTestRenderer | undefined;
    await act(async () => (view = create(<Lamp />)));
    return view;
  },
  close: async (view) => await act(async () => view?.unmount()),
  events: {
    PRESS: async (view) => await act(async () => view?.root.findByType('button').props.onClick()),
  },
  timers: async (_, ms) => await act(async () => await vi.advanceTimersByTimeAsync(ms)),
  states: {'*': (view, {state}) => expect(view?.toJSON()).toMatchObject({children: [state]})},
});
test.each(cases)('$title', async ({run}) => await run());
`,
};

const reactStub: Files = {
  'node_modules/react/package.json':
    '{"name": "react", "version": "0.0.0", "exports": {"./*": "./jsx.js"}}',
  'node_modules/react/jsx.js': 'exports.jsx = exports.jsxs = exports.jsxDEV = (...parts) => parts;',
};

/** TypeScript that needs more than its types taken away, with imports as bundlers allow them. */
const bundled: Files = {
  'src/lib/api.ts': `export interface Receipt { id: string }
export enum Status { Open = 'open', Paid = 'paid' }
export const pay = async (): Promise<Receipt> => ({id: '1'});
`,
  'src/lib/words/index.ts': "export const words = ['a'];\n",
  'src/pay.css': 'body {}\n',
  'src/data.json': '{"limit": 3}\n',
  'src/pay.ts': `import {ActorRefFrom, fromPromise, setup} from 'xstate';
import {pay, Receipt, Status} from '@/lib/api';
import data from './data.json';
import {words} from './lib/words';
import './pay.css';

console.log('printed by', words[0]);
export const payMachine = setup({actors: {pay: fromPromise(pay)}}).createMachine({
  id: 'pay',
  context: {limit: data.limit, receipt: undefined as Receipt | undefined},
  initial: Status.Open,
  states: ${states},
});
export type PayRef = ActorRefFrom<typeof payMachine>;
`,
};

const projects: Readonly<Record<string, Project>> = {
  'of Vite': {
    files: {
      ...bundled,
      ...component,
      'package.json': '{"name": "shop", "type": "module"}',
      'vite.config.ts': `import {fileURLToPath} from 'node:url';
enum Loaded { Yes = 'yes' }
console.log('config', Loaded.Yes);
const read = (code: string, id: string) =>
  id.endsWith('.txt') ? 'export default ' + JSON.stringify(code) : undefined;
export default {
  resolve: {alias: {'@': fileURLToPath(new URL('./src', import.meta.url))}},
  plugins: [{name: 'texts', transform: read}],
};
`,
      'src/greeting.txt': 'hello',
      'src/Pay.tsx': `import greeting from './greeting.txt';
import {type PayRef, payMachine} from '@/pay';

export const shown = payMachine.provide({});
export const Pay = ({actor}: {actor: PayRef}) => <p title={greeting}>{actor.id}</p>;
`,
    },
    module: 'src/Pay.tsx:shown',
    packages: ['xstate', 'vitest', 'vite', 'react', 'react-test-renderer'],
  },
  'like those of Next': {
    files: {
      ...reactStub,
      ...bundled,
      'package.json': '{"name": "shop"}',
      'tsconfig.json': `{
  // As create-next-app writes it.
  "compilerOptions": {"jsx": "preserve", "paths": {"@/*": ["./src/*"],}},
}`,
      'vitest.config.mjs': `import {fileURLToPath} from 'node:url';
export default {resolve: {alias: {'@': fileURLToPath(new URL('./src', import.meta.url))}}};
`,
      'node_modules/next/package.json': '{"name": "next", "version": "0.0.0"}',
      'node_modules/next/link.js': "exports.default = 'a';",
      'src/routes.ts': "export {default as Link} from 'next/link';\n",
    },
    module: 'src/pay.ts:payMachine',
    packages: ['xstate', 'vitest'],
  },
  'of Node': {
    files: {
      'package.json': '{"name": "shop", "type": "module"}',
      'pay.js': `import {fromPromise, setup} from 'xstate';
export const payMachine = setup({actors: {pay: fromPromise(async () => 1)}}).createMachine({
  id: 'pay', initial: 'open', states: ${states},
});
`,
    },
    module: 'pay.js:payMachine',
    packages: ['xstate', 'vitest'],
  },
  'of CommonJS': {
    files: {
      'package.json': '{"name": "shop"}',
      'tools/name.js': "module.exports = 'pay';\n",
      'pay.cjs': `const {fromPromise, setup} = require('xstate');
const name = require('./tools/name');
module.exports = {
  payMachine: setup({actors: {pay: fromPromise(async () => 1)}}).createMachine({
    id: name, initial: 'open', states: ${states},
  }),
};
`,
    },
    module: 'pay.cjs:payMachine',
    packages: ['xstate', 'vitest'],
  },
};

const root = mkdtempSync(join(tmpdir(), 'quorate-projects-'));
afterAll(() => rmSync(root, {recursive: true}));

function writeFiles(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), {recursive: true});
    writeFileSync(join(folder, name), text);
  }
}

function link(folder: string, packages: readonly string[]): void {
  mkdirSync(join(folder, 'node_modules'), {recursive: true});
  for (const name of packages) {
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
}

const env = {PATH: process.env['PATH'], HOME: root, QUORATE_HOME: join(root, 'data')};

async function quorate(folder: string, ...args: readonly string[]) {
  return await execa(process.execPath, [await launcherProgram(), ...args], {
    cwd: folder,
    env,
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
  });
}

describe.each(Object.entries(projects))('a project %s', (name, {files, module, packages}) => {
  const folder = join(root, name.replaceAll(' ', '-'));

  beforeAll(async () => {
    writeFiles(folder, files);
    link(folder, packages);
    symlinkSync(await builtPackage(), join(folder, 'node_modules/quorate'));
  }, 120_000);

  test('has its machine drawn, and nothing else on standard output', async () => {
    const {stdout, stderr, exitCode} = await quorate(folder, 'diagram', module);
    expect({exitCode, stdout}).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^---\ntitle: "pay"\n/),
    });
    const isPrinting = 'src/pay.ts' in files;
    expect(stderr.split('\n').filter((line) => line !== '')).toEqual([
      ...('vite.config.ts' in files ? ['module: config yes'] : []),
      ...(isPrinting ? ['module: printed by a'] : []),
    ]);
  });

  test('has all its machines linted', async () => {
    const {stdout, exitCode} = await quorate(folder, 'lint', '.', '--output', 'json');
    const {machines} = JSON.parse(stdout);
    expect([exitCode, machines.map(({machine}: {machine: string}) => machine)]).toEqual([
      0,
      'src/Lamp.tsx' in files ? ['lamp', 'pay'] : ['pay'],
    ]);
  });

  test('has tests written that pass', async () => {
    const made = await quorate(folder, 'paths', module, '--vitest', 'src/made.test.ts');
    expect(made).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('3 of 3 transitions'),
    });
    const run = await execa(process.execPath, ['node_modules/vitest/vitest.mjs', 'run'], {
      cwd: folder,
      env: {...env, NO_COLOR: '1'},
      extendEnv: false,
      reject: false,
    });
    expect({code: run.exitCode, out: run.stdout + run.stderr}).toMatchObject({code: 0});
  });
});

test('Vite of a folder whose files are not trusted does not run', async () => {
  const {files = {}} = projects['of Vite'] ?? {};
  const folder = join(root, 'untrusted');
  writeFiles(folder, {...files, 'quorate.toml': '[agent]\n'});
  link(folder, ['xstate', 'vite']);
  const {stderr, stdout, exitCode} = await quorate(folder, 'diagram', 'src/Pay.tsx:shown');
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).not.toContain('module: config');
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
    'was not used, because you have not trusted this folder: quorate config --trust',
  );
});

describe('a module that cannot be imported', () => {
  const folder = join(root, 'broken');
  const broken = {
    'jsx.tsx': [
      'export const x = <p/>; // createMachine(',
      'it has JSX, and the project has neither',
    ],
    'gone.ts': ["import {x} from 'gone'; createMachine(x);", 'install gone in the project'],
    'near.ts': ["import {x} from './far'; createMachine(x);", 'NODE_OPTIONS="--import tsx"'],
  } as const;

  beforeAll(() => {
    const texts = Object.entries(broken).map(([name, [text]]) => [name, text] as const);
    const good =
      "import {createMachine} from 'xstate';\nexport const good = createMachine({id: 'good'});\n";
    writeFiles(folder, {...Object.fromEntries(texts), 'good.ts': good});
    link(folder, ['xstate']);
  });

  test.each(Object.entries(broken))('%s: the message has a remedy', async (name, [, message]) => {
    const {stderr, stdout, exitCode} = await quorate(folder, 'lint', name);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(message);
  });

  test('does not hide the others of a folder', async () => {
    const {stderr, stdout, exitCode} = await quorate(folder, 'lint', '*.{ts,tsx}');
    expect([exitCode, stdout]).toEqual([2, '✓ good.ts:good: no findings']);
    expect(stderr.match(/cannot be imported/g)).toHaveLength(3);
  });
});

test('a folder without a machine is an error', async () => {
  const folder = join(root, 'empty');
  writeFiles(folder, {'a.ts': 'export const a = 1;'});
  const {stderr, exitCode} = await quorate(folder, 'lint', '.');
  expect([exitCode, stderr]).toEqual([
    2,
    'quorate: . has no module that makes a machine with createMachine',
  ]);
  expect(readFileSync(join(folder, 'a.ts'), 'utf8')).toBe('export const a = 1;');
});
