/** A home folder and a project folder to load configurations from. */

import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {readFolder, trustContent} from '../../../cli/config/folder-trust.ts';
import {loadConfig, type LoadedConfig} from '../../../cli/config/load.ts';
import type {Override} from '../../../cli/line/option.ts';
import {AppError} from '../../../machines/domain/app-error.ts';

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
  const env = {
    HOME: root,
    XDG_CONFIG_HOME: join(root, 'xdg'),
    QUORATE_HOME: join(root, 'data'),
  };
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
