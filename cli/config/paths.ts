/** The paths of configuration and data. */

import {dirname, isAbsolute, join} from 'node:path';

import {homeFolder} from '../../tools/home-folder.ts';
import type {Environment} from '../terminal.ts';

/** The name of a project's file in its folder. */
export const projectFileName = 'quorate.toml';

/** The name of a project's list of MCP servers. */
export const mcpFileName = '.mcp.json';

/** `$XDG_CONFIG_HOME/quorate/config.toml`. */
export function userFile(env: Environment): string {
  return join(baseFolder(env, 'XDG_CONFIG_HOME', '.config'), 'quorate', 'config.toml');
}

/** `$XDG_CONFIG_HOME/quorate/allowed.toml`. */
export function allowedFile(env: Environment): string {
  return join(dirname(userFile(env)), 'allowed.toml');
}

/** `$QUORATE_HOME`, else `$XDG_DATA_HOME/quorate`. It need not exist. */
export function dataFolder(env: Environment): string {
  const own = env['QUORATE_HOME'];
  return own ? own : join(baseFolder(env, 'XDG_DATA_HOME', '.local/share'), 'quorate');
}

/** `$XDG_CACHE_HOME/quorate`. It may not exist, and may be deleted at any time. */
export function cacheFolder(env: Environment): string {
  return join(baseFolder(env, 'XDG_CACHE_HOME', '.cache'), 'quorate');
}

/** The XDG rules: a relative path is ignored. */
function baseFolder(env: Environment, variable: string, usual: string): string {
  const folder = env[variable];
  return folder && isAbsolute(folder) ? folder : join(homeFolder(env['HOME']), usual);
}
