import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {defineConfig} from 'vitest/config';

/** What these touch is theirs alone: they share a worker, and what it has loaded. */
const pure = [
  'test/actors/{config,policies}/**/*.test.ts',
  'test/machines/{domain,forms,loop,panel,tree}/**/*.test.ts',
  'test/tools/{calculator,containment,read,search}/**/*.test.ts',
];

/** XState's production build lacks its checks: the tests run against the development build. */
export default defineConfig({
  test: {
    execArgv: ['--conditions=development'],
    /** Processes that tests start load the same sources: these are stripped of types, and compiled, once. */
    env: {NODE_COMPILE_CACHE: join(tmpdir(), 'quorate-compiled')},
    /** The default leaves one core idle. */
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    silent: 'passed-only',
    projects: [
      {extends: true, test: {name: 'pure', include: pure, isolate: false}},
      {extends: true, test: {name: 'alone', include: ['test/**/*.test.ts'], exclude: pure}},
    ],
  },
});
