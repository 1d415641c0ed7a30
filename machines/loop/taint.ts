/** Once something was read, a model may have been told what to do by whoever wrote it, and knows what to tell. */

import type {Json, JsonObject} from '../domain/json.ts';
import {reachesNetwork} from '../domain/tool-facts.ts';
import type {LoopStep, ToolInfo} from '../domain/tool.ts';
import {
  type Address,
  addressesIn,
  computedMark,
  namesHost,
  parseAddress,
} from '../places/address.ts';
import type {ToolCall} from '../prompts/transcript.ts';
import type {ActionBrief} from './action.ts';

/** What makes a text an address, wherever in it: programs read more as one than people do. */
const addressForm = /:\/\/|\b(?:https?|wss?|s?ftp|ssh|git|mailto|tel|sms):|^[/\\]{2}|^www\./i;

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
 * Why a call must not be made, if so. A tool of low risk that reaches the network is called without a vote, and so it may
 * be in an interaction that a call begins: an address that stands neither in the request nor in what was read was made up
 * by a model, and could carry out what was read, here or by those who wrote the prompt. Where other texts go is decided by
 * whoever made the tool.
 */
function leakProblem(
  {name, args}: ToolCall,
  brief: ActionBrief,
  steps: readonly LoopStep[],
  tools: readonly ToolInfo[],
): string | undefined {
  const info = tools.find((each) => each.name === name);
  const sent = info ? addressesSent(info, args) : [];
  const stranger = unvouched(sent, vouchersOf(brief, steps, tools));
  return stranger === undefined
    ? undefined
    : `${onlyVouched} be ${info?.spawns ? 'passed on' : 'fetched'}.`;
}

const onlyVouched =
  'Since something was read, only addresses that are in the request, in a file or on a page may';

/** Texts that vouch for the addresses in them; undefined: nothing was read that could be given away. */
export function vouchersOf(
  brief: ActionBrief,
  steps: readonly LoopStep[],
  tools: readonly ToolInfo[],
): readonly string[] | undefined {
  if (!hasRead(brief, steps, tools)) return undefined;
  const {request, assigned = '', quoted = ''} = brief;
  return [request, assigned, quoted, ...quotedIn(steps, tools)];
}

/** The first of the addresses that no text holds whole. */
function unvouched(
  addresses: readonly string[],
  vouchers: readonly string[] | undefined,
): string | undefined {
  return vouchers && addresses.find((text) => !vouchers.some((other) => standsIn(text, other)));
}

/**
 * Why only a person may allow a command that reaches these addresses, if so. On a host that a person has named it may
 * go anywhere: policy/safety bounds what it sends there. `allowed`: commands that a person has allowed for good.
 */
export function egressReason(
  {request, vouchers}: ActionBrief,
  reaches: readonly string[],
  allowed: readonly string[],
): string | undefined {
  const named = addressesIn(request, {hasBare: true});
  const far = reaches.filter((text) => !isOnNamedHost(text, named));
  const stranger = unvouched(far, vouchers && [...vouchers, ...allowed]);
  if (stranger === undefined) return undefined;
  return `${onlyVouched} be reached without a person: ${JSON.stringify(stranger.slice(0, mostShown))} is not.`;
}

const mostShown = 160;

function isOnNamedHost(text: string, named: readonly Address[]): boolean {
  const address = parseAddress(text.replace(computedMark, ''));
  return address !== undefined && namesHost(named, address);
}

/** How far behind an address is looked for more of it. */
const lookAhead = 64;

/** That an address goes on, for one in ASCII and one that has other letters. A mark belongs to it only before more of it. */
const goesOn = /^[.,:;!?]*[\w%~/=&+$@-]/;
const goesOnInWords =
  /^[.,:;!?]*(?:[\w%~/=&+$@-]|[^\0-\u007f\u2000-\u206f\u3000-\u303f\uff00-\uff20])/;

/**
 * Whether an address stands in a text whole: whoever may fetch any beginning of one chooses what is told by it. What comes
 * after `#` is not sent, and the root of a host has a stroke at its end or none.
 */
function standsIn(text: string, other: string): boolean {
  const [sent = ''] = trimmed(text).split('#');
  const isRoot = /^[a-z][\w+.-]*:\/\/[^/?]+\/?$/i.test(sent);
  const wanted = isRoot ? sent.replace(/\/$/, '') : sent;
  const more = /[^\0-\u007f]/.test(wanted) ? goesOnInWords : goesOn;
  for (let at = other.indexOf(wanted); at >= 0; at = other.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const after = other.slice(end, end + lookAhead);
    const isWhole = !more.test(isRoot ? after.replace(/^\//, '') : after);
    if (isWhole && !/[a-z0-9]/i.test(other.charAt(at - 1))) return true;
  }
  return false;
}

/** What a call would reach, or have another interaction reach. */
function addressesSent(info: ToolInfo, args: JsonObject): string[] {
  if (info.spawns) return textsIn(args).flatMap(addressWords);
  return info.risk === 'low' && reachesNetwork(info) ? textsIn(args).filter(isAddress) : [];
}

function hasRead(
  {evidence, assigned, quoted = '', isTold}: ActionBrief,
  steps: readonly LoopStep[],
  tools: readonly ToolInfo[],
): boolean {
  if (isTold === true || assigned !== undefined || quoted !== '') return true;
  const read = steps.filter(({status}) => status === 'succeeded');
  return [...read, ...evidence].some(({tool}) => tells(tools.find(({name}) => name === tool)));
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

function isAddress(text: string): boolean {
  return addressForm.test(trimmed(text));
}

/** As parsers of addresses see it: without blanks around it, and without line breaks and tabs anywhere. */
function trimmed(text: string): string {
  return text.replaceAll(/[\t\n\r]|^[\0- ]+|[\0- ]+$/g, '');
}

/** Those that stand in prose, without the marks around them. */
function addressWords(text: string): string[] {
  return text
    .split(/[\s"'`<>()[\]{}「」]+/)
    .map((word) => word.replace(/[.,:;!?]+$/, ''))
    .filter(isAddress);
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
