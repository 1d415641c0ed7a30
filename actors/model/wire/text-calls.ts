/** Tool calls that a model wrote as text, because its server does not read them. They are never made, nor taken as an answer. */

import {isJsonArray, isJsonObject, type Json} from '../../../machines/domain/json.ts';
import {readStrictJson} from './strict-json.ts';

/** For a person, with the settings of the usual servers. */
export const textCallMessage = [
  'the model wrote a tool call as text, which is not made; let its server read tool calls',
  '(llama.cpp: --jinja; vLLM: --enable-auto-tool-choice and --tool-call-parser; Ollama: a model with tools)',
  'or choose another model',
].join(' ');

/** Prose before a call; with more, the text is an answer that quotes one. */
const maxProse = 400;

/** The places of the name in calls of the usual shapes. */
const marked: readonly RegExp[] = [
  // Hermes and Qwen: JSON in a tag, also of several calls.
  /<tool_calls?>\s*\[?\s*\{[^{}]*?"name"\s*:\s*"([^"]+)"/g,
  // Qwen Coder and Llama: the name in the tag.
  /<function=\s*"?([\w.-]+)/g,
  // GLM: the name after the tag.
  /<tool_call>\s*([\w.-]+)\s*(?:<arg_key>|\n|<\/tool_call>)/g,
  // Mistral: a list of JSON objects, or the name before its arguments.
  /\[TOOL_CALLS\]\s*\[?\s*\{[^{}]*?"name"\s*:\s*"([^"]+)"/g,
  /\[TOOL_CALLS\]\s*([\w.-]+)\s*(?:\[ARGS\])?\s*\{/g,
];

/** True if the text is a call of one of these tools, after a few words at most. */
export function writesCall(text: string, tools: ReadonlySet<string>): boolean {
  const trimmed = text.trim();
  if (tools.size === 0 || !/[>\]}`]$/.test(trimmed)) return false;
  const isMarked = marked.some((pattern) =>
    trimmed.matchAll(pattern).some(({index, 1: name = ''}) => index <= maxProse && tools.has(name)),
  );
  return isMarked || isJsonCall(trimmed, tools);
}

/** A JSON object with a name and arguments: the whole text, or in a fence that ends it. */
function isJsonCall(text: string, tools: ReadonlySet<string>): boolean {
  const fenced = /```(?:json|tool_call|tool_code)?\s*\n([^`]*)```$/.exec(text);
  if (fenced && fenced.index > maxProse) return false;
  const read = readStrictJson((fenced?.[1] ?? text).trim());
  if (!read.ok) return false;
  return (isJsonArray(read.value) ? read.value : [read.value]).some((call) => isCall(call, tools));
}

function isCall(call: Json, tools: ReadonlySet<string>): boolean {
  if (!isJsonObject(call)) return false;
  const {name, arguments: args = call['parameters']} = call;
  return typeof name === 'string' && tools.has(name) && args !== undefined;
}
