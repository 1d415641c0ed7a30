/**
 * Every example of the documentation is checked: programs with the package in `test/cli/packed.test.ts`, command lines in
 * `test/cli/readme.test.ts`, and examples of this repository's code and of configurations here.
 */

import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import {toMermaid} from '../../diagrams/mermaid.ts';
import {lockMachine} from '../../machines/tree/lock.ts';
import {isDeep} from '../support/depth.ts';
import {codeBlocks, documents, readDocument} from '../support/documents.ts';
import {createLauncher, type Launcher} from '../support/launch.ts';

interface Example {
  readonly page: string;
  readonly code: string;
}

const examples: readonly Example[] = documents.flatMap((page) =>
  codeBlocks(readDocument(page), 'ts').map((code) => ({page, code})),
);

/** True for an example that imports the package. */
const isProgram = ({code}: Example): boolean => / from 'quorate(?:\/\w+)?';/.test(code);

const quoted = /^\/\/ (test\/\S+)\n/;

const isQuotation = ({code}: Example): boolean => quoted.test(code);

/** Quotes files of the repository, relative to its page or, for a part of a room, to a folder of it. */
const sources = examples.filter((each) => !isProgram(each) && !isQuotation(each));

let folder: string;
let launcher: Launcher;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-examples-'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  for (const [index, example] of sources.entries()) {
    writeFileSync(join(folder, `source-${index}.ts`), withPaths(example));
  }
  launcher = createLauncher();
});
afterAll(() => {
  launcher.remove();
  rmSync(folder, {recursive: true});
});

/** A tool has a folder of its own next to the page; other code is in files next to the page. */
function withPaths({page, code}: Example): string {
  const room = page === 'tools/README.md' ? 'tools/own' : dirname(page);
  return code.replaceAll(/'(\.[^']*\.ts)'/g, (_, path: string) => `'${resolve(room, path)}'`);
}

test('each program in the documentation belongs to a suite', () => {
  expect(examples.filter(isProgram).length).toBeGreaterThan(8);
  expect(examples.filter(isQuotation).length).toBeGreaterThan(0);
  expect(sources.map(({page}) => page)).toEqual(['diagrams/README.md', 'tools/README.md']);
});

test.each(examples.filter(isQuotation))(
  'the code on $page is in the file that it names',
  ({code}) => {
    const [line = '', path = ''] = quoted.exec(code) ?? [];
    expect(readDocument(path)).toContain(code.slice(line.length));
  },
);

test('the drawing on the page of diagrams is reproduced', () => {
  const index = sources.findIndex(({page}) => page === 'diagrams/README.md');
  const printed = execFileSync(process.execPath, [join(folder, `source-${index}.ts`)], {
    encoding: 'utf8',
  });
  expect(printed).toBe(`${toMermaid(lockMachine)}\n`);
});

test('the tool on the page of tools counts lines', () => {
  const index = sources.findIndex(({page}) => page === 'tools/README.md');
  writeFileSync(join(folder, 'three.txt'), 'a\nb\nc\n');
  const module = pathToFileURL(join(folder, `source-${index}.ts`)).href;
  const program = `const {countLines} = await import('${module}');
    const context = {workspace: '${folder}', signal: new AbortController().signal};
    console.log(JSON.stringify(await countLines.run({path: 'three.txt'}, context)));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  expect(JSON.parse(printed)).toEqual({kind: 'succeeded', text: '3'});
});

test.runIf(isDeep)('quoted code of the repository compiles', {timeout: 120_000}, () => {
  const config = {
    extends: resolve('tsconfig.json'),
    compilerOptions: {
      types: ['node'],
      rewriteRelativeImportExtensions: false,
      allowImportingTsExtensions: true,
    },
    include: [],
    files: sources.map((_, index) => join(folder, `source-${index}.ts`)),
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = resolve('node_modules/typescript/bin/tsc');
  expect(execFileSync(process.execPath, [compiler, '-p', folder], {encoding: 'utf8'})).toBe('');
});

const configurations = documents.flatMap((page) =>
  codeBlocks(readDocument(page), 'toml')
    .filter((text) => !text.startsWith('# shirt.toml\n'))
    .map((text) => ({page, text})),
);

const keys = {ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'b', LAB_KEY: 'c'};

describe('configurations', () => {
  test.each(configurations)('the one on $page is accepted', async ({text}) => {
    const place = join(launcher.folder, 'config', 'quorate');
    mkdirSync(place, {recursive: true});
    writeFileSync(join(place, 'config.toml'), text);
    const {code, stderr} = await launcher.perform(['config'], {env: keys});
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
  });

  test('there are eight of them', () => {
    expect(configurations).toHaveLength(8);
  });
});
