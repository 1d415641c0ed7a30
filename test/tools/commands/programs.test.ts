/** Programs of the table: their examples, and what they read, write and run. */

import {assert, property, string, stringMatching} from 'fast-check';
import {expect, test, afterAll} from 'vitest';

import type {Program} from '../../../tools/commands/program.ts';
import {awkFault} from '../../../tools/commands/refinements/awk-script.ts';
import {refinements, topics} from '../../../tools/commands/refinements/index.ts';
import {readSedScript} from '../../../tools/commands/refinements/sed-script.ts';
import {programTexts} from '../../../tools/commands/table/program-texts.ts';
import {programs} from '../../../tools/commands/table/programs.ts';
import {cpuMs} from '../../support/cpu-time.ts';
import {cells} from '../../support/rows.ts';
import {examplesIn, readingOf, readingText, callOf} from './reading.ts';
import {createGround} from './understood.ts';

test.each(Object.entries(programTexts()))('the examples of %s have their effects', (file, text) => {
  const wrong = examplesIn(text).flatMap(({line, command, effects}) => {
    const found = readingText(readingOf(command)) || 'nothing';
    return found === effects ? [] : [`${file}:${line}: ${command}  ->  ${found}`];
  });
  expect(wrong).toEqual([]);
});

test.each(Object.entries(programTexts()))('each program of %s has an example', (_, text) => {
  const called = text.split(/^(?=program |group )/m).filter((part) => part.startsWith('program'));
  const without = called.filter((part) => examplesIn(part).length === 0);
  expect(without.map((part) => part.split('\n', 1)[0])).toEqual([]);
});

function last(command: string) {
  return readingOf(command)
    .acts.at(-1)
    ?.into?.map(({text}) => text);
}

test('a file copied into a folder keeps its own name', () => {
  expect(last('cp x/a y/b lib')).toEqual(['x/a', 'y/b']);
  expect(last('mv -t lib a')).toEqual(['a']);
  expect(last('ln -s x/a lib')).toEqual(['x/a']);
  expect(last('ln -sn x/a lib')).toEqual(['x/a']);
  expect(last('ln -sT x/a lib')).toBeUndefined();
  expect(last('cp -T a lib')).toBeUndefined();
  expect(last('cp -r a/ lib')).toBeUndefined();
});

test.each(
  cells(`
  node --test ¦ vitest run ¦ jest ¦ mocha ¦ ava ¦ playwright test ¦ deno test ¦ npm test ¦ npm t
  npm it ¦ pnpm test ¦ pnpm t ¦ yarn test ¦ bun test ¦ pytest ¦ python3 -m unittest ¦ tox
  python manage.py test ¦ make test ¦ cargo test ¦ go test ./... ¦ ctest ¦ cargo nextest run
  mvn test ¦ gradle check ¦ rake spec ¦ rails test ¦ rspec ¦ phpunit ¦ mix test
  docker exec app npm test ¦ docker compose exec app pytest
`),
)('%s runs the tests', (command) => expect(readingOf(command).isTest).toBe(true));

test.each(
  cells(`
  vitest --version ¦ jest --listTests ¦ playwright test --list ¦ npm test --help
  npm test -- --version ¦ yarn test --help ¦ pnpm test --list ¦ make -n test ¦ cargo test --no-run
  cargo test -- --list ¦ go test -list .
`),
)('%s only asks about the tests', (command) => {
  expect(readingOf(command).isTest).not.toBe(true);
});

test.each(['node a.js', 'make build'])('%s runs other code', (command) => {
  expect(readingOf(command).isTest).not.toBe(true);
});

test.each(["sed 'p\ne rm' a", "sed '{e rm\n}' a", "sed ':a\ne rm' a"])(
  '%s is not understood',
  (command) => {
    expect(readingText(readingOf(command))).toMatch(/^\? /);
  },
);

test.each([["awk '# a > b | c\n{ x /= 2 }' a", 'reads a']])('%s: %s', (command, shown) => {
  expect(readingText(readingOf(command))).toBe(shown);
});

test.each(['awk \'{ if (1) /"/; print > "f" #"\n}\' a'])('%s is not understood', (command) => {
  expect(readingText(readingOf(command))).toMatch(/^\? /);
});

test('no script makes their readers throw', () => {
  assert(
    property(string(), stringMatching(/^[sdpeq/\\{};!,$[\]1-9a\n "'()|>#~]*$/), (any, script) => {
      for (const text of [any, script]) {
        expect(readSedScript(text)).toBeDefined();
        expect(typeof awkFault(text)).toMatch(/string|undefined/);
      }
    }),
  );
});

test('scripts are read in proportion to their length', () => {
  const hostile = ['[', '/', '\\', '{', '1,', '((', '%', 's/./', 'a\\\n', '"'];
  const start = cpuMs();
  for (const part of hostile) {
    readSedScript(part.repeat(15_000));
    awkFault(part.repeat(15_000));
  }
  expect(cpuMs() - start).toBeLessThan(2_000);
});

test('a part of a word that find fills in is unknown', () => {
  const [, run] = readingOf("find . -exec sh -c 'rm {}' ';'").acts;
  expect(run?.rest?.at(-1)).toMatchObject({text: 'rm {}', known: false});
});

test.each([
  ['xargs', 'command echo (what xargs reads)'],
  ['xargs rm -rf', 'command rm -rf (what xargs reads)'],
  ['xargs -0 -n 1 -P 4 cat -n', 'command cat -n (what xargs reads)'],
  ['xargs -I{} cp {} lib', 'command cp (what xargs reads) lib'],
  ['xargs -a list rm', 'reads list, command rm (what xargs reads)'],
])('%s: %s', (command, shown) => {
  const reading = readingOf(command, {input: 'pipe'});
  expect(readingText(reading)).toBe(shown);
  const items = reading.acts.at(-1)?.rest?.filter(({text}) => text.startsWith('('));
  expect(items?.every(({known}) => !known)).toBe(true);
});

test('the input of xargs from a list of places is those places', () => {
  const input = {text: 'src/**', known: true, pattern: true, quoted: true};
  expect(readingText(readingOf('xargs -0 cat', {input}))).toBe('command cat src/**');
  expect(readingText(readingOf('xargs -0 -I% cp % lib', {input}))).toBe('command cp src/** lib');
  const [run] = readingOf("xargs -I% sh -c 'cat %'", {input}).acts;
  expect(run?.rest?.at(-1)?.known).toBe(false);
});

test.each(
  cells(`
  xargs -I{} {} ¦ xargs -I '' rm ¦ xargs "$x" ¦ xargs -p rm ¦ xargs -o vi ¦ xargs --arg=x rm
`),
)('%s is not understood', (command) => {
  expect(readingText(readingOf(command, {input: 'pipe'}))).toMatch(/^\? /);
});

test('a shell runs the text of a here-document', () => {
  const input = {
    ...callOf('x y').args[0],
    text: 'rm -rf src',
    known: true,
    pattern: false,
    quoted: true,
  };
  expect(readingText(readingOf('bash', {input}))).toBe('shell rm -rf src');
  expect(readingText(readingOf('bash -s a b', {input}))).toBe('shell rm -rf src');
});

test.each(
  cells(`
  hyperfine --shell=./evil ls ¦ bash ¦ bash -s ¦ bash - ¦ bash +x a.sh ¦ bash --rcfile evil -c ls
  bash --init-file evil ¦ bash -i a.sh ¦ bash -in a.sh ¦ bash -c ¦ bash -O extglob a.sh
  env -S 'rm -rf src' ¦ env --split-string=rm ¦ env "$x" rm ¦ timeout 5 ¦ timeout "$x" rm ¦ watch
  script out ¦ strace -o '|./evil' ls ¦ strace -o '!./evil' ls ¦ strace -p 1 ¦ sudo -i
  sudo -s rm ¦ sudo -e a ¦ valgrind --log-file=x ./app ¦ xvfb-run -s ./evil ls ¦ ionice -p 1
`),
)('%s is not understood', (command) => {
  expect(readingText(readingOf(command, {input: 'pipe'}))).toMatch(/^\? /);
});

const texts = programTexts();
const names = [...programs.keys()];

/** Throws for an entry with a fault. */
function parseAll({subcommands = {}}: Omit<Program, 'name'>): void {
  for (const entry of Object.values(subcommands)) parseAll(entry);
}

test.each(names)('%s is understood, with all its subcommands', (name) => {
  const program = programs.get(name);
  expect([program?.name].flat()).toContain(name);
  if (program) parseAll(program);
});

test('every group is included somewhere', () => {
  const written = Object.values(texts).join('\n');
  const groups = [...written.matchAll(/^group (\S+)$/gm)].map(([, name = '']) => name);
  const included = new Set([...written.matchAll(/^\s+include (\S+)$/gm)].map(([, name]) => name));
  expect(groups.length).toBeGreaterThan(20);
  expect(groups.filter((name) => !included.has(name))).toEqual([]);
});

test('every refinement is used, and has a name of its own', () => {
  const lines = Object.values(texts)
    .join('\n')
    .matchAll(/^\s+refine (.+)$/gm);
  const used = new Set([...lines].flatMap(([, line = '']) => line.split(' ')));
  expect(Object.keys(refinements).filter((name) => !used.has(name))).toEqual([]);
  expect(Object.keys(refinements)).toHaveLength(topics.flatMap(Object.keys).length);
});

test('a program is found by its other names, and by no others', () => {
  expect(programs.get('pip3')).toBe(programs.get('pip'));
  expect(programs.has('pip3')).toBe(true);
  expect(programs.get('constructor')).toBeUndefined();
  expect(programs.has('constructor')).toBe(false);
});

function createPackages() {
  const ground = createGround(afterAll);
  const write = (folder: string, scripts: Readonly<Record<string, string>>) =>
    ground.put(`${folder}package.json`, JSON.stringify({name: `p${folder}`, scripts}));
  write('', {build: 'cat src/a.ts'});
  write('packages/one/', {build: 'rm -rf ../../src'});
  write('packages/two/', {});
  write('node_modules/x/', {build: 'frob'});
  return ground;
}

const packages = createPackages();

test.each(
  cells(`
  npm run build --workspaces ¦ npm run build -w one
  npm --workspace=../x --include-workspace-root run build ¦ pnpm -r build
  pnpm --filter one run build ¦ yarn workspaces foreach -A run build ¦ yarn workspace one build
  lerna run build
`),
)('%s runs the scripts of that name in each package of the workspace', async (command) => {
  expect(await packages.summary(command)).toBe('reads src/a.ts clean, deletes src changed wide');
});

test.each(
  cells(`
  npm --prefix ../x run build ¦ npm --prefix /tmp/x run build ¦ npm --prefix "$X" run build
  cd .. && npm run build ¦ cd $X && npm run build ¦ pnpm -C packages/../../x build
`),
)('%s runs an unknown script', async (command) => {
  expect(await packages.summary(command)).toContain(
    '? build: a package script that can not be found',
  );
});

test('scripts of more packages than are read are not judged', async () => {
  const ground = createGround();
  for (let index = 0; index < 201; index += 1) ground.put(`packages/p${index}/package.json`, '{}');
  expect(await ground.summary('npm run build --workspaces')).toBe(
    '? build: a script of more packages than are looked at',
  );
});
