/** `quorate mcp` as an independent client sees it: that of the SDK, over standard input and output. */

import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';

import {launcherProgram} from '../../support/built.ts';
import {environmentIn, type Launcher} from '../../support/launch.ts';

export interface Elicited {
  readonly message: string;
  readonly requestedSchema: {readonly properties: Readonly<Record<string, object>>};
}

export type Reply =
  | {
      readonly action: 'accept';
      readonly content: Record<string, string | number | boolean | string[]>;
    }
  | {readonly action: 'decline' | 'cancel'};

export interface ClientOptions {
  readonly mode?: 'auto' | 'legacy';
  /** Answers the questions to the person. Absent: elicitation is not declared. */
  readonly answer?: (elicited: Elicited) => Reply | Promise<Reply>;
}

export interface McpClient extends AsyncDisposable {
  readonly client: Client;
  /** The process of the server. */
  readonly pid: number;
  /** Lines that the server wrote to standard error. */
  readonly stderr: () => string;
}

/** A client of `mode`; disposal closes the input of the server and waits for its end. */
export function createClient({mode = 'auto', answer}: ClientOptions): Client {
  const client = new Client(
    {name: 'a test', version: '1'},
    {versionNegotiation: {mode}, capabilities: answer ? {elicitation: {form: {}}} : {}},
  );
  if (answer)
    client.setRequestHandler(
      'elicitation/create',
      async ({params}) => await answer(JSON.parse(JSON.stringify(params))),
    );
  return client;
}

export async function connectMcp(
  {folder}: Launcher,
  options: ClientOptions = {},
  args: readonly string[] = [],
): Promise<McpClient> {
  return await connectProgram([await launcherProgram(), 'mcp', ...args], folder, options);
}

/** The server is a program of Node. */
export async function connectProgram(
  args: readonly string[],
  folder: string,
  options: ClientOptions,
): Promise<McpClient> {
  const client = createClient(options);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    cwd: folder,
    env: JSON.parse(JSON.stringify(environmentIn(folder, {}))),
    stderr: 'pipe',
  });
  let printed = '';
  transport.stderr?.on('data', (chunk) => {
    printed += String(chunk);
  });
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    stderr: () => printed,
    [Symbol.asyncDispose]: async () => await client.close(),
  };
}
