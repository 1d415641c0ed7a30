/** Commands that run the tests of the workspace, as evidence counts them. */

import {expect, test} from 'vitest';

import {cells} from '../../../support/rows.ts';
import {readingOf} from '../reading.ts';

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
