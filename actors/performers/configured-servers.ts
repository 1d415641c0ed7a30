/** The MCP servers of the configuration, with the values of their variables. */

import type {Launch, McpServer} from '../../tools/mcp/server.ts';
import type {Config} from '../config/schema.ts';
import {camelKeys} from '../config/sections/row.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A server with a variable that is not set is in the list, but can't be started. */
export function configuredServers({mcp}: Config, env: Environment): readonly McpServer[] {
  return Object.entries(mcp).map(([name, given]) => {
    const {trusted, timeoutMs} = camelKeys(given);
    return {name, origin: `mcp.${name}`, trusted, timeoutMs, launch: launchOf(given, env)};
  });
}

function launchOf(given: Config['mcp'][string], env: Environment): Launch {
  const {command = '', args, env: names, cwd, network, url, headersEnv} = camelKeys(given);
  const needed = url === undefined ? names : Object.values(headersEnv);
  const unset = needed.filter((name) => env[name] === undefined || env[name] === '');
  if (unset.length > 0) {
    return {kind: 'refused', why: `the environment variable ${unset.join(', ')} is not set`};
  }
  const filled = (pairs: readonly (readonly [string, string])[]): Record<string, string> =>
    Object.fromEntries(pairs.map(([name, variable]) => [name, env[variable] ?? '']));
  return url === undefined
    ? {
        kind: 'stdio',
        command,
        args,
        env: filled(names.map((name) => [name, name])),
        ...(cwd === undefined ? {} : {cwd, network}),
      }
    : {kind: 'http', url, headers: filled(Object.entries(headersEnv))};
}
