/** `quorate mcp`: serves one client on standard input and output, until it closes the input. Loads the SDK. */

import {serveStdio, StdioServerTransport} from '@modelcontextprotocol/server/stdio';

import {type Message, t} from '../../machines/message.ts';
import type {Parsed} from '../line/command.ts';
import {withLoggedRuntime} from '../open-runtime.ts';
import {warningText} from '../render/warning.ts';
import {onInterrupt} from '../signals.ts';
import {tryToWrite, type Terminal} from '../terminal.ts';
import {createServerFactory} from './server.ts';

/** Of one message. */
const maxBufferSize = 16_777_216;

/**
 * Resolves with the exit code when the client closes the input, or after a signal; running runs are suspended. Rejects with the
 * errors of opening a runtime.
 */
export async function serveMcp(parsed: Parsed, terminal: Terminal): Promise<number> {
  const {env} = terminal;
  const {overrides} = parsed;
  return await withLoggedRuntime(parsed, terminal, async (launched) => {
    const {runtime, journal, workspace, warnings} = launched;
    const ending = Promise.withResolvers<void>();
    const stopListening = onInterrupt(ending.resolve);
    try {
      await printWarnings(warnings, parsed, terminal);
      const transport = new StdioServerTransport(undefined, undefined, {maxBufferSize});
      const served = serveStdio(
        createServerFactory({runtime, journal, workspace, env, overrides}),
        {transport, onerror: (error) => reportProblem(error, parsed, terminal)},
      );
      const {onclose: closed} = transport;
      const onclose = (): void => {
        closed?.();
        ending.resolve();
      };
      Object.assign(transport, {onclose});
      await ending.promise;
      await served.close();
      return 0;
    } finally {
      stopListening();
    }
  });
}

/** A message that is not valid, or a connection that had to be closed. */
function reportProblem(
  {name, message}: Error,
  {quiet}: Pick<Parsed, 'quiet'>,
  {stderr, language}: Terminal,
): void {
  if (quiet) return;
  const why = name.includes('Zod') ? 'a message that is not JSON-RPC was ignored' : message;
  const warning = t`MCP: ${why}`;
  void tryToWrite(stderr, `${warningText(warning, {language})}\n`);
}

/** Standard output belongs to the protocol. */
async function printWarnings(
  warnings: readonly (Message | string)[],
  {quiet}: Pick<Parsed, 'quiet'>,
  terminal: Terminal,
): Promise<void> {
  const byHand = t`an MCP client starts this command and speaks to it on standard input and output; see quorate help mcp`;
  const all = [...(terminal.stdin.isTTY === true ? [byHand] : []), ...(quiet ? [] : warnings)];
  const lines = all.map((warning) => `${warningText(warning, terminal)}\n`);
  await tryToWrite(terminal.stderr, lines.join(''));
}
