/** Calls the first tool of the given server, prints the process group of the server, and waits. */

import {z} from 'zod';

import {serverTools} from '../../../tools/mcp/server-tools.ts';
import type {McpServer} from '../../../tools/mcp/server.ts';
import {createMcpServers} from '../../../tools/mcp/servers.ts';
import type {SandboxOptions} from '../../../tools/run/sandbox.ts';

const [, , pinFolder = '', given = '', workspace = pinFolder, grade = '{"mode":"off"}'] =
  process.argv;
const server = z.custom<McpServer>().parse(JSON.parse(given));
const sandbox = z.custom<SandboxOptions>().parse(JSON.parse(grade));
const servers = createMcpServers({servers: [server], pinFolder, sandbox});
const [{tool} = {}] = serverTools(servers.offered(), servers.call);
let group = 0;
const outcome = await tool?.run(
  {},
  {
    workspace,
    signal: new AbortController().signal,
    recovering: false,
    onChild: (started) => {
      group = started;
    },
  },
);
process.stdout.write(outcome?.kind === 'succeeded' ? String(group) : '0');
setInterval(() => {}, 60_000);
