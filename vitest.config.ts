import {defineConfig} from 'vitest/config';

/** XState's production build lacks its checks: the tests run against the development build. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    execArgv: ['--conditions=development'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    silent: 'passed-only',
  },
});
