/** Folders of a suite, without a process, and configurations in them: made before each test, or once per suite, and removed after it. */

import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

import {afterAll, afterEach, beforeAll, beforeEach} from 'vitest';

import {readFolder, trustContent} from '../../cli/config/folder-trust.ts';
import {loadConfig, type LoadedConfig} from '../../cli/config/load.ts';
import type {Override} from '../../cli/line/command.ts';
import {AppError} from '../../machines/domain/app-error.ts';

/** An empty folder of the current test. */
export function setFolder(once = false): () => string {
  let folder = '';
  aroundTests(
    once,
    async () => {
      folder = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-cli-')));
    },
    async () => rmSync(folder, {recursive: true, force: true}),
  );
  return () => folder;
}

/** A home folder and a project folder to load configurations from. */
export interface ConfigFolders {
  readonly root: string;
  readonly project: string;
  readonly userFile: string;
  readonly projectFile: string;
  readonly env: Record<string, string>;
  readonly writeUser: (text: string) => void;
  readonly writeProject: (text: string) => void;
  readonly load: (
    env?: Record<string, string>,
    overrides?: readonly Override[],
  ) => Promise<LoadedConfig>;
  /** The message of the AppError with which loading fails. */
  readonly refusal: (
    env?: Record<string, string>,
    overrides?: readonly Override[],
  ) => Promise<string>;
  /** Trusts a folder with its files as they are now; absent: the project. Resolves with their hash. */
  readonly trust: (folder?: string) => Promise<string>;
  readonly remove: () => void;
}

export function createConfigFolders(): ConfigFolders {
  const root = mkdtempSync(join(tmpdir(), 'quorate-config-'));
  const project = join(root, 'project');
  const userFile = join(root, 'xdg', 'quorate', 'config.toml');
  const projectFile = join(project, 'quorate.toml');
  const env = {HOME: root, XDG_CONFIG_HOME: join(root, 'xdg'), QUORATE_HOME: join(root, 'data')};
  mkdirSync(project);
  mkdirSync(join(root, 'xdg', 'quorate'), {recursive: true});
  const load: ConfigFolders['load'] = (extra = {}, overrides = []) =>
    loadConfig({cwd: project, env: {...env, ...extra}, overrides});
  return {
    root,
    project,
    userFile,
    projectFile,
    env,
    load,
    writeUser: (text) => writeFileSync(userFile, text),
    writeProject: (text) => writeFileSync(projectFile, text),
    refusal: async (...args) => {
      const error: unknown = await load(...args).catch((thrown: unknown) => thrown);
      if (error instanceof AppError) return error.message;
      throw new Error('the configuration was accepted', {cause: error});
    },
    trust: async (folder = project) => {
      const content = await readFolder(folder);
      await trustContent(content, env);
      return content.hash;
    },
    remove: () => rmSync(root, {recursive: true, force: true}),
  };
}

export function setConfigFolders(): ConfigFolders {
  let current: ConfigFolders;
  beforeEach(() => {
    current = createConfigFolders();
  });
  afterEach(() => current.remove());
  return delegate(() => current);
}

export function putIn(folder: string, path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), {recursive: true});
  writeFileSync(file, text);
  return file;
}

export function aroundTests(
  once: boolean,
  begin: () => Promise<void>,
  end: () => Promise<void>,
): void {
  if (once) {
    beforeAll(begin, 120_000);
    afterAll(end);
  } else {
    beforeEach(begin);
    afterEach(end);
  }
}

/** Always the object of the current test. */
export function delegate<T extends object>(current: () => T): T {
  return new Proxy(Object.create(null), {get: (_, name) => Reflect.get(current(), name)});
}
