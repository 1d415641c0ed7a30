/** Advice to a person about a server that can't be used. */

import {escapeLine} from '../escape.ts';
import type {McpServer} from './server.ts';

/** One sentence, without its end. */
export function oauthRemedy(name: string, server: McpServer | undefined): string {
  const {launch} = server ?? {};
  const hasHeaders = launch?.kind === 'http' && Object.keys(launch.headers).length > 0;
  const shown = escapeLine(name);
  return hasHeaders
    ? `the MCP server ${shown} refused the authorization in its headers; check the token`
    : `the MCP server ${shown} requires authorization; signing in by OAuth is not supported: put a token into an environment variable, and name that in headers_env of the server ("headers" in .mcp.json)`;
}
