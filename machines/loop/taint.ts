/** Once something was read, a model may have been told what to do by whoever wrote it, and knows what to tell. */

import type {Json} from '../domain/json.ts';
import {reachesNetwork} from '../domain/tool-facts.ts';
import type {LoopStep, ToolInfo} from '../domain/tool.ts';
import type {ToolCall} from '../domain/transcript.ts';

/** What makes a text an address, wherever in it: programs read more as one than people do. */
const address = /:\/\/|\b(?:https?|wss?|s?ftp|ssh|git|mailto|tel|sms):|^[/\\]{2}|^www\./i;

/**
 * Why a call must not be made, if so. A tool of low risk that reaches the network is called without a vote: an address
 * that stands neither in the question nor in what was read was made up by the model, and could carry out what it has
 * read. Where other texts go is decided by whoever made the tool.
 */
export function leakProblem(
  {name, args}: ToolCall,
  {question, attached}: {readonly question: string; readonly attached: string},
  steps: readonly LoopStep[],
  tools: readonly ToolInfo[],
): string | undefined {
  const infoOf = (tool: string) => tools.find((info) => info.name === tool);
  const info = infoOf(name);
  if (info?.risk !== 'low' || !reachesNetwork(info)) return undefined;
  const sent = textsIn(args).filter(isAddress);
  if (sent.length === 0) return undefined;
  const read = steps.filter(({tool, status}) => status === 'succeeded' && tells(infoOf(tool)));
  if (read.length === 0 && attached === '') return undefined;
  const quoted = read.flatMap(({tool, text}) => (infoOf(tool)?.quotes === false ? [] : [text]));
  const known = [question, attached, ...quoted];
  if (sent.every((text) => known.some((other) => other.includes(text)))) return undefined;
  return 'Since something was read, only addresses that stand in the question, in a file or on a page may be fetched.';
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
