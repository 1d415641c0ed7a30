/** The folders of configuration and data, for a home folder that the environment does not name. */

import {userInfo} from 'node:os';
import {join} from 'node:path';

import {afterEach, expect, test, vi} from 'vitest';

import {homeWarnings} from '../../../actors/performers/home.ts';
import {cacheFolder, dataFolder, userFile} from '../../../cli/config/paths.ts';

afterEach(() => vi.unstubAllEnvs());

test.each(['', 'rel', './rel'])('HOME=%j: they are in the home folder of the user', (home) => {
  vi.stubEnv('HOME', home);
  const {homedir} = userInfo();
  const env = home === '' ? {} : {HOME: home};
  expect(dataFolder(env)).toBe(join(homedir, '.local/share/quorate'));
  expect(userFile(env)).toBe(join(homedir, '.config/quorate/config.toml'));
  expect(cacheFolder(env)).toBe(join(homedir, '.cache/quorate'));
  expect(homeWarnings(homedir, env.HOME)).toEqual([expect.stringContaining('your home folder')]);
});
