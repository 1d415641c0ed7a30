/** The model calls of a run, with their prompts as they were sent. */

import type {JsonObject} from '../../machines/domain/json.ts';
import type {ModelRequest} from '../../machines/domain/model.ts';
import type {ModelCall, PromptPart} from '../../machines/trace/step.ts';
import type {Entry} from '../journal/journal.ts';
import type {OfferedTool, Price} from '../model/model.ts';
import {pricesIn} from '../model/prices.ts';
import type {Tooling} from '../performers/tooling.ts';
import {Ledger} from '../run/ledger.ts';
import {openedIn, receivedIn} from '../run/run-input.ts';
import type {RequestedCall} from './run-trace.ts';

/** A request as its adapter sends it. */
export interface SentRequest {
  /** With the descriptions of tools that the model can't call. */
  readonly request: ModelRequest;
  readonly tools: readonly OfferedTool[];
  /** Absent: the model has no known provider. */
  readonly body?: JsonObject;
}

export interface CallGround {
  /** With the providers of this runtime, and with the tools of the run if it records them. */
  readonly asSent: (request: ModelRequest, tooling: Tooling | undefined) => Promise<SentRequest>;
  /** For models whose prices the run does not record. */
  readonly priceOf: (model: string) => Price | undefined;
}

export async function describeCalls(
  requested: readonly RequestedCall[],
  entries: readonly Entry[],
  {asSent, priceOf}: CallGround,
): Promise<readonly ModelCall[]> {
  const {tooling, prices = {}} = openedIn(entries) ?? {};
  const ledger = new Ledger({maxCostUsd: 0, maxModelCalls: 0, timeoutMs: 0}, priceOf);
  ledger.learn(prices);
  for (const event of receivedIn(entries)) ledger.learn(pricesIn(event));
  return await Promise.all(
    requested.map(async ({request, ...call}) => {
      const {outcome} = call;
      const spent = outcome && ledger.book(call.key, request, outcome);
      const sent = await asSent(request, tooling);
      return {
        ...call,
        purpose: request.purpose,
        model: request.model,
        prompt: [...promptOf(sent.request), ...sent.tools.map(toolPart)],
        ...(sent.body ? {body: sent.body} : {}),
        ...(spent ? {usage: spent} : {}),
      };
    }),
  );
}

function promptOf({system, transcript}: ModelRequest): readonly PromptPart[] {
  return [
    {role: 'system', text: system},
    ...transcript.messages.flatMap((message): PromptPart[] => {
      if (message.role === 'user') return [{role: 'user', text: message.text}];
      if (message.role === 'tool') return [{role: 'tool', name: message.name, text: message.text}];
      const calls = message.calls.map(({name, args}) => `${name} ${JSON.stringify(args)}`);
      return [{role: 'assistant', text: [message.text, ...calls].filter(Boolean).join('\n')}];
    }),
  ];
}

function toolPart({name, description, schema}: OfferedTool): PromptPart {
  return {role: 'tools', name, text: `${description}\n${JSON.stringify(schema, undefined, 2)}`};
}
