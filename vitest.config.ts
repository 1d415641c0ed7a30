import {availableParallelism, tmpdir} from 'node:os';
import {join} from 'node:path';

import {defineConfig} from 'vitest/config';

/**
 * These listen to all of their process, measure it, or keep it busy although the file is small, so that it would come last:
 * each has a worker of its own, early.
 */
const alone = [
  'test/actors/{crowd,listener}.test.ts',
  'test/actors/policies/command-lists.test.ts',
  'test/tools/{database/database,run/run-command,web/html-text}.test.ts',
];

/** XState's production build lacks its checks: the tests run against the development build. */
export default defineConfig({
  test: {
    execArgv: ['--conditions=development'],
    /** Processes that tests start load the same sources: these are stripped of types, and compiled, once. */
    env: {NODE_COMPILE_CACHE: join(tmpdir(), 'quorate-compiled')},
    /** Suites wait for a third of their time: for processes, a browser, time limits. */
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    globalSetup: 'test/support/builds.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    silent: 'passed-only',
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: alone,
          isolate: false,
          setupFiles: 'test/support/as-found.ts',
        },
      },
      {extends: true, test: {name: 'alone', include: alone}},
    ],
  },
});
