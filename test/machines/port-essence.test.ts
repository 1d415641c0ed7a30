import {expect, test} from 'vitest';

import type {ModelRequest} from '../../machines/domain/model.ts';
import type {ToolRequest} from '../../machines/domain/tool.ts';
import {neverMs, ports} from '../../machines/port-natures.ts';
import {openTranscript} from '../../machines/prompts/transcript.ts';

const request: ModelRequest = {
  purpose: 'act',
  model: 'test/x',
  system: 'You carry out one task.',
  transcript: openTranscript('Look.'),
  tools: ['look'],
  toolChoice: 'auto',
  maxOutputTokens: 100,
};
const essence = (asked: ModelRequest): string => ports.callModel.essence(asked);

test('wording does not distinguish two requests', () => {
  const other = {...request, system: 'You carry out a task.', transcript: openTranscript('See.')};
  expect(essence(other)).toBe(essence(request));
});

test('the timeout of a tool does not distinguish two requests, and limits the call', () => {
  const call: ToolRequest = {tool: 'look', args: {}, workspace: '/w', repeatability: 'repeatable'};
  const bounded = {...call, timeoutMs: 5_000};
  expect(ports.runTool.essence(bounded)).toBe(ports.runTool.essence(call));
  expect(ports.runTool.limitMs(bounded)).toBe(5_000);
  expect(ports.runTool.limitMs(call)).toBeLessThan(neverMs);
});

test('the model, the purpose, the tools and the length of the conversation distinguish two requests', () => {
  const {messages} = request.transcript;
  const longer = {...request.transcript, messages: [...messages, ...messages]};
  for (const other of [
    {...request, model: 'test/y'},
    {...request, purpose: 'ask' as const},
    {...request, tools: []},
    {...request, toolChoice: 'none' as const},
    {...request, transcript: longer},
  ]) {
    expect(essence(other)).not.toBe(essence(request));
  }
});
