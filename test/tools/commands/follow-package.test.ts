/** The package scripts that a command runs. */

import {afterAll, expect, test} from 'vitest';

import {cells} from '../../support/rows.ts';
import {createGround} from './understood.ts';

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
