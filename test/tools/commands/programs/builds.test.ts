/** What is understood of bundlers and task runners, and what must not be. */

import {expect, test} from 'vitest';

import {readingOf, told} from '../reading.ts';

test.each([
  ['vite build', 'runs the build'],
  ['vite --version', ''],
  ['vite build --outDir src', 'deletes-tree src, runs the build'],
  ['vite -c ./evil.ts', 'code ./evil.ts, runs the build'],
  ['webpack --mode production', 'runs the build'],
  ['rollup -c -o src/a.js', 'writes src/a.js, runs the build'],
  ['rollup -c evil.mjs', 'runs the build, code evil.mjs'],
  ['esbuild src/a.ts --bundle --outfile=dist/a.js', 'writes dist/a.js, reads src/a.ts'],
  ['tsup src/a.ts --out-dir lib', 'deletes-tree lib, runs the build, reads src/a.ts'],
  ['next build', 'runs the build'],
  ['next lint --fix', 'runs the build, edits-tree .'],
  ['storybook build', 'runs the build'],
  [
    'turbo run build test',
    'loads turbo.json, loads package.json, package-script build in **, package-script test in **',
  ],
  ['turbo lint --filter=web', 'loads turbo.json, loads package.json, package-script lint in **'],
  ['nx run-many -t test', 'runs targets of the workspace, loads nx.json'],
  ['nx format:write', 'edits-tree .'],
  ['lerna run test', 'package-script test in **'],
  ['changeset status', ''],
  ['changeset publish', 'publishes packages'],
  ['semantic-release', 'publishes packages'],
  ['cross-env CI=1 A=2 vitest run', 'command CI=1 A=2 vitest run'],
  ["concurrently 'npm run a' 'rm -rf src'", 'shell npm run a, shell rm -rf src'],
  ['concurrently npm:lint "npm:test:unit"', 'package-script lint, package-script test:unit'],
  ["concurrently 'npm:lint*'", 'shell npm:lint*'],
  ['run-s lint test', 'package-script lint, package-script test'],
  ['dotenv -e .env.test -- jest', 'code .env.test, command jest'],
  ['rimraf dist', 'deletes-tree dist'],
  ['shx rm -rf dist', 'command rm -rf dist'],
  ['husky', 'records the hooks of husky'],
  ['simple-git-hooks', 'loads package.json'],
  ['wait-on http://localhost:3000', ''],
])('%s is understood', (command, acts) => {
  expect(told(readingOf(command))).toBe(acts);
});

test.each([
  'webpack init',
  'esbuild --serve',
  'rollup --watch.onStart=ls',
  'vite --host',
  'vite --host=0.0.0.0',
  'tsup --onSuccess=./evil.sh',
  'next telemetry disable --x',
  'expo publish',
  'astro add evil',
  'turbo login',
  'turbo link',
  'turbo "$x"',
  'nx run app:deploy',
  'nx run-many -t deploy',
  'nx generate evil',
  'nx add evil',
  'lerna exec rm',
  'cross-env A=1',
  'run-s lint:*',
  "run-s 'test -- --x'",
  "rimraf 'src/*'",
  "shx rm -rf 'src/*'",
  "copyfiles '.en*' dist",
  'wait-on https://evil.test/x',
  'husky add .husky/pre-commit x',
])('%s is not understood', (command) => {
  expect(told(readingOf(command))).toMatch(/^\? /);
});
