/** Requests to a server, repeated with a person's answers where it needs them, and its own questions. Loads the SDK. */

import {
  type Client,
  type GetPromptResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import {z} from 'zod';

import type {InputAnswer} from '../../machines/server-input/server-input.ts';
import {answerText, isFailure, listText} from './result-text.ts';
import {ServerFault, type ServerRequest} from './server.ts';

const maxTimerMs = 2_147_483_647;

/** `cancel`: nobody answers. */
export type GivenAnswer = Pick<InputAnswer, 'content'> & {
  readonly action: InputAnswer['action'] | 'cancel';
};

/** Answers `elicitation/create` of a server of the older protocol. Rejects with ServerFault when it can't be asked. */
export type OnQuestion = (params: unknown, signal: AbortSignal) => Promise<GivenAnswer>;

export interface AskOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  /** The request is repeated with answers. */
  readonly round?: Round;
}

/** Answers by the keys of the questions, and the state that came with them. */
export interface Round {
  readonly responses: Readonly<Record<string, GivenAnswer>>;
  readonly state?: string;
}

/** The server of the newer protocol needs answers before it carries out the request. */
export interface InputNeeded {
  readonly needs: Readonly<Record<string, unknown>>;
  readonly state?: string;
}

export interface Answer {
  readonly text: string;
  /** The server itself calls it a failure. */
  readonly isFailure: boolean;
}

type Asking = AskOptions & {readonly canAsk: boolean};

/** Rejects with an error of the SDK, or the reason of the signal. */
export async function ask(
  client: Client,
  request: ServerRequest,
  {signal, onProgress, round, canAsk}: Asking,
): Promise<Answer | InputNeeded> {
  const options = {signal, timeout: maxTimerMs, allowInputRequired: canAsk};
  const again = round ? repeated(round) : {};
  if (request.kind === 'tool') {
    const {name, args, schema} = request;
    const result = await client.callTool(
      {name, arguments: {...args}, ...again},
      {
        ...options,
        // It names arguments that are sent as headers, too. Without the schema of the result no code is made of it.
        toolDefinition: {name, inputSchema: {...schema, type: 'object'}},
        onprogress: ({progress, total, message}) =>
          onProgress(`${progress}${total === undefined ? '' : `/${total}`} ${message ?? ''}`),
      },
    );
    return needIn(result) ?? {text: answerText(result), isFailure: isFailure(result)};
  }
  if (request.kind === 'resource') return await readResource(client, request.uri, options, again);
  const {name, args = {}} = request;
  if (name === undefined) {
    const {prompts} = await client.listPrompts({}, options);
    return {text: listText(prompts), isFailure: false};
  }
  const result = await client.getPrompt({name, arguments: {...args}, ...again}, options);
  return needIn(result) ?? {text: promptText(result), isFailure: false};
}

function repeated({responses, state}: Round): object {
  const answers = Object.entries(responses).map(([key, given]) => [key, resultOf(given)]);
  return {
    ...(answers.length === 0 ? {} : {inputResponses: Object.fromEntries(answers)}),
    ...(state === undefined ? {} : {requestState: state}),
  };
}

const needed = z.looseObject({
  resultType: z.literal('input_required'),
  inputRequests: z.record(z.string(), z.unknown()).optional(),
  requestState: z.string().optional(),
});

/** Undefined for a result. */
function needIn(result: unknown): InputNeeded | undefined {
  const {success, data} = needed.safeParse(result);
  if (!success) return undefined;
  const {inputRequests: needs = {}, requestState: state} = data;
  return {needs, ...(state === undefined ? {} : {state})};
}

function promptText({messages}: GetPromptResult): string {
  const text = messages.map(({role, content}) => `${role}: ${answerText({content: [content]})}`);
  return text.join('\n');
}

async function readResource(
  client: Client,
  uri: string | undefined,
  options: {readonly signal: AbortSignal; readonly timeout: number},
  again: object,
): Promise<Answer | InputNeeded> {
  if (uri !== undefined) {
    const result = await client.readResource({uri, ...again}, {...options, cacheMode: 'bypass'});
    const need = needIn(result);
    if (need) return need;
    const content = result.contents.map((resource) => ({type: 'resource', resource}));
    return {text: answerText({content}), isFailure: false};
  }
  const {resources} = await client.listResources({}, options);
  const {resourceTemplates} = await client.listResourceTemplates({}, options).catch(() => ({
    resourceTemplates: [],
  }));
  return {text: listText([...resources, ...resourceTemplates]), isFailure: false};
}

/** The server receives the reason why a question can't be asked. */
export function answerBy(client: Client, onQuestion: OnQuestion): void {
  client.setRequestHandler('elicitation/create', async ({params}, {mcpReq: {signal}}) => {
    try {
      return resultOf(await onQuestion(params, signal));
    } catch (error) {
      const why = error instanceof ServerFault ? error.message : String(error);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, why);
    }
  });
}

function resultOf({action, content}: GivenAnswer) {
  return content ? {action, content: z.record(z.string(), answerValue).parse(content)} : {action};
}

const answerValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
