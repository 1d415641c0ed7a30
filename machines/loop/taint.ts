/** Once something was read, a model may have been told what to do by whoever wrote it, and knows what to tell. */

import type {Json} from '../domain/json.ts';
import {reachesNetwork} from '../domain/tool-facts.ts';
import type {LoopStep, ToolInfo} from '../domain/tool.ts';
import type {ToolCall} from '../domain/transcript.ts';
import type {ActionBrief} from './action.ts';

/** What makes a text an address, wherever in it: programs read more as one than people do. */
const address = /:\/\/|\b(?:https?|wss?|s?ftp|ssh|git|mailto|tel|sms):|^[/\\]{2}|^www\./i;

/** The call, with why it must not be made, if so. */
export function guarded(
  call: ToolCall,
  brief: ActionBrief,
  steps: readonly LoopStep[],
  tools: readonly ToolInfo[],
): ToolCall {
  const problem = call.problem ?? leakProblem(call, brief, steps, tools);
  return problem === undefined ? call : {...call, problem};
}

/**
 * Why a call must not be made, if so. A tool of low risk that reaches the network is called without a vote: an address
 * that stands neither in the request nor in what was read was made up by a model, and could carry out what was read,
 * here or by those who wrote the prompt. Where other texts go is decided by whoever made the tool.
 */
function leakProblem(
  {name, args}: ToolCall,
  {request, evidence, quoted: given = ''}: ActionBrief,
  steps: readonly LoopStep[],
  tools: readonly ToolInfo[],
): string | undefined {
  const infoOf = (tool: string) => tools.find((info) => info.name === tool);
  const info = infoOf(name);
  if (info?.risk !== 'low' || !reachesNetwork(info)) return undefined;
  const sent = textsIn(args).filter(isAddress);
  if (sent.length === 0) return undefined;
  const read = steps.filter(({status}) => status === 'succeeded');
  const isTold = given !== '' || [...read, ...evidence].some(({tool}) => tells(infoOf(tool)));
  if (!isTold) return undefined;
  const known = [request, given, ...quotedIn(steps, tools)];
  if (sent.every((text) => known.some((other) => other.includes(text)))) return undefined;
  return 'Since something was read, only addresses that stand in the request, in a file or on a page may be fetched.';
}

/** What others wrote, as tools gave it back. */
export function quotedIn(steps: readonly LoopStep[], tools: readonly ToolInfo[]): string[] {
  const infoOf = (tool: string) => tools.find((info) => info.name === tool);
  return steps
    .filter(({tool, status}) => status === 'succeeded' && infoOf(tool)?.quotes !== false)
    .map(({text}) => text);
}

/** Tells more than it was given. */
function tells(info: ToolInfo | undefined): boolean {
  return info?.reaches !== 'nothing' || info.quotes !== false;
}

/** As parsers of addresses see it: without blanks around it, and without line breaks and tabs anywhere. */
function isAddress(text: string): boolean {
  return address.test(text.replaceAll(/[\t\n\r]|^[\0- ]+/g, ''));
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
