/** `quorate mcp`: Quorate as an MCP server. */

import {t} from '../../machines/message.ts';
import type {Command} from '../line/command.ts';

export const mcp: Command = {
  summary: t`an MCP server with the tools review_diff, plan, ask, discuss and recount, on standard input and output`,
  detail: t`Serves one client of the Model Context Protocol on standard input and output. The client starts the command; for one that
reads .mcp.json:

  {"mcpServers": {"quorate": {"command": "quorate", "args": ["mcp"]}}}

Runs work in the current folder, or in that of -C, with your configuration. review_diff and plan return the votes of the
panel with reasons; ask and discuss return an answer; recount counts the votes of a run again. Progress is reported, and a
call that the client cancels cancels its run.

Where the panel can't decide, the client asks its person, if it can (elicitation). Otherwise the result has the status
"waiting", the digest of the question and the commands that answer it; the run stays open. No tool lets a model decide for a
person. When the client goes away, its runs are suspended: quorate resume ID continues one. Over HTTP: quorate serve, at /mcp.`,
  obeys: ['log', 'models', 'rule', 'panel', 'plans', 'tasks', 'limits'],
  examples: ['quorate mcp', 'quorate mcp -C ~/project --max-cost 1'],
  run: async (parsed, terminal) => {
    const {serveMcp} = await import('../mcp/server.ts');
    return await serveMcp(parsed, terminal);
  },
};
