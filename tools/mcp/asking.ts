/** Requests to a server, and its answers as text. Loads the SDK. */

import type {Client, GetPromptResult} from '@modelcontextprotocol/client';

import {answerText, isFailure, listText} from './result-text.ts';
import type {ServerRequest} from './server.ts';

const maxTimerMs = 2_147_483_647;

export interface AskOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

export interface Answer {
  readonly text: string;
  /** The server itself calls it a failure. */
  readonly isFailure: boolean;
}

/** Rejects with an error of the SDK, or the reason of the signal. */
export async function ask(
  client: Client,
  request: ServerRequest,
  {signal, onProgress}: AskOptions,
): Promise<Answer> {
  const options = {signal, timeout: maxTimerMs};
  if (request.kind === 'tool') {
    const {name, args, schema} = request;
    const result = await client.callTool(
      {name, arguments: {...args}},
      {
        ...options,
        // It names arguments that are sent as headers, too. Without the schema of the result no code is made of it.
        toolDefinition: {name, inputSchema: {...schema, type: 'object'}},
        onprogress: ({progress, total, message}) =>
          onProgress(`${progress}${total === undefined ? '' : `/${total}`} ${message ?? ''}`),
      },
    );
    return {text: answerText(result), isFailure: isFailure(result)};
  }
  if (request.kind === 'resource') return await readResource(client, request.uri, options);
  const {name, args = {}} = request;
  if (name === undefined) {
    const {prompts} = await client.listPrompts({}, options);
    return {text: listText(prompts), isFailure: false};
  }
  const result = await client.getPrompt({name, arguments: {...args}}, options);
  return {text: promptText(result), isFailure: false};
}

function promptText({messages}: GetPromptResult): string {
  const text = messages.map(({role, content}) => `${role}: ${answerText({content: [content]})}`);
  return text.join('\n');
}

async function readResource(
  client: Client,
  uri: string | undefined,
  options: {readonly signal: AbortSignal; readonly timeout: number},
): Promise<Answer> {
  if (uri !== undefined) {
    const result = await client.readResource({uri}, {...options, cacheMode: 'bypass'});
    const content = result.contents.map((resource) => ({type: 'resource', resource}));
    return {text: answerText({content}), isFailure: false};
  }
  const {resources} = await client.listResources({}, options);
  const {resourceTemplates} = await client.listResourceTemplates({}, options).catch(() => ({
    resourceTemplates: [],
  }));
  return {text: listText([...resources, ...resourceTemplates]), isFailure: false};
}
