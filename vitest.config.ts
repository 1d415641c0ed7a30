import {availableParallelism, tmpdir} from 'node:os';
import {join} from 'node:path';

import {defineConfig} from 'vitest/config';

import {isDeep} from './test/support/depth.ts';
import {SlowestSuites} from './test/support/slowest.ts';
import {projects} from './test/support/suites.ts';

/** XState's production build lacks its checks: the tests run against the development build. */
export default defineConfig({
  test: {
    execArgv: ['--conditions=development'],
    /** Processes that tests start load the same sources: these are stripped of types, and compiled, once. */
    env: {NODE_COMPILE_CACHE: join(tmpdir(), 'quorate-compiled')},
    /** Suites wait for a third of their time: for processes, a browser, time limits. */
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    globalSetup: 'test/support/builds.ts',
    reporters: ['default', new SlowestSuites()],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: {poll: {timeout: 30_000}},
    silent: 'passed-only',
    projects: projects(isDeep)
      .filter(({include}) => include.length > 0)
      .map(({name, include, isolate}) => ({
        extends: true,
        test: {
          name,
          include: [...include],
          isolate,
          ...(isolate ? {} : {setupFiles: 'test/support/as-found.ts'}),
        },
      })),
  },
});
