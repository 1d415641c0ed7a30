/** One call of an adapter to a server that follows a script. */

import {expect, onTestFinished} from 'vitest';

import type {ModelCallContext, OfferedTool, Price} from '../../actors/model/model.ts';
import type {GuardLimits} from '../../actors/model/wire/guard.ts';
import type {ModelFailureCode, ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import {openTranscript} from '../../machines/prompts/transcript.ts';
import {startFaultServer} from './fault-server.ts';
import type {FaultServer, Play} from './fault-server.ts';
import type {Wire} from './wires.ts';

export const testKey = 'test-key-0123456789';

export const plainRequest: ModelRequest = {
  purpose: 'act',
  model: 'x/m',
  system: 'Be brief.',
  transcript: openTranscript('Say hello.'),
  tools: [],
  toolChoice: 'auto',
  maxOutputTokens: 500,
};

export const context: ModelCallContext = {
  tools: [],
  signal: new AbortController().signal,
  onDelta: () => {},
};

export interface CallOptions {
  readonly limits?: Partial<GuardLimits>;
  readonly request?: Partial<ModelRequest>;
  readonly tools?: readonly OfferedTool[];
  readonly price?: Price;
  readonly signal?: AbortSignal;
  readonly onDelta?: (text: string) => void;
}

export interface Called {
  readonly outcome: ModelOutcome;
  readonly server: FaultServer;
  readonly deltas: readonly string[];
}

/** The server stops at the end of the test. */
export async function serve(play: Play): Promise<FaultServer> {
  const server = await startFaultServer(play);
  onTestFinished(server.stop);
  return server;
}

export async function callOver(wire: Wire, play: Play, options: CallOptions = {}): Promise<Called> {
  const server = await serve(play);
  const deltas: string[] = [];
  const {limits, price, signal = new AbortController().signal} = options;
  const model = wire.create({
    baseUrl: server.url,
    apiKey: testKey,
    random: () => 0.5,
    ...(limits && {limits}),
    ...(price && {price}),
  });
  const outcome = await model.call(
    {...plainRequest, ...options.request},
    {
      tools: options.tools ?? [],
      signal,
      onDelta: (text) => {
        deltas.push(text);
        options.onDelta?.(text);
      },
    },
  );
  return {outcome, server, deltas};
}

export async function outcomeOver(...call: Parameters<typeof callOver>): Promise<ModelOutcome> {
  return (await callOver(...call)).outcome;
}

/** Part of a failure: its kind, and its message or a part of it. */
export function failing(kind: ModelFailureCode, message: string | RegExp) {
  const part = typeof message === 'string' ? RegExp.escape(message) : message;
  return {kind, message: expect.stringMatching(part)};
}
