/** Guards against leaks: after reading a text, a model may follow instructions in it, and knows content that it could send. */

import type {Json, JsonObject} from '../domain/json.ts';
import {reachesNetwork} from '../domain/tool-facts.ts';
import {type LoopStep, type ToolInfo, toolNamed} from '../domain/tool.ts';
import {
  type Address,
  addressesIn,
  computedMark,
  namesHost,
  parseAddress,
} from '../places/address.ts';
import type {ToolCall} from '../prompts/transcript.ts';
import type {ActionBrief} from './action.ts';

/** A text that programs may interpret as an address, which is more than people would. */
const addressForm = /:\/\/|\b(?:https?|wss?|s?ftp|ssh|git|mailto|tel|sms):|^[/\\]{2}|^www\./i;

/** The call, with a `problem` if it must not be made. */
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
 * The reason why a call must not be made; undefined if it may. A low-risk tool that reaches the network is called without
 * a vote, here or in an interaction that the call spawns. An address that is neither in the request nor in a text that was
 * read was made up by a model, and could carry out the content that was read. The destination of texts that are not
 * addresses is decided by the author of the tool.
 */
function leakProblem(
  {name, args}: ToolCall,
  brief: ActionBrief,
  steps: readonly LoopStep[],
  tools: readonly ToolInfo[],
): string | undefined {
  const info = toolNamed(name, tools);
  const sent = info ? addressesSent(info, args) : [];
  // The texts of all steps are gathered only for a call that sends something.
  const stranger = sent.length === 0 ? undefined : unvouched(sent, vouchersOf(brief, steps, tools));
  return stranger === undefined
    ? undefined
    : `${onlyVouched} be ${info?.spawns ? 'passed on' : 'fetched'}.`;
}

const onlyVouched =
  'Since something was read, only addresses that are in the request, in a file or on a page may';

/** Texts that vouch for the addresses in them; undefined: nothing was read that could leak. */
export function vouchersOf(
  brief: ActionBrief,
  steps: readonly LoopStep[],
  tools: readonly ToolInfo[],
): readonly string[] | undefined {
  if (!hasRead(brief, steps, tools)) return undefined;
  const {request, assigned = '', quoted = ''} = brief;
  return [request, assigned, quoted, ...quotedIn(steps, tools)];
}

/** The first of the addresses that no text contains as a whole. */
function unvouched(
  addresses: readonly string[],
  vouchers: readonly string[] | undefined,
): string | undefined {
  return (
    vouchers && addresses.find((text) => !vouchers.some((other) => containsWhole(text, other)))
  );
}

/**
 * The reason why only a person may allow a command that reaches these addresses; undefined if others may. All addresses
 * on a host that a person has named are free: policy/safety limits what the command sends there. `allowed`: commands that
 * a person has permanently allowed.
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

/** How many characters after an address are examined for a continuation. */
const lookAhead = 64;

/** The continuation of an address, in ASCII and with other letters. A punctuation mark belongs to it only if more follows. */
const continuation = /^[.,:;!?]*[\w%~/=&+$@-]/;
const wordContinuation =
  /^[.,:;!?]*(?:[\w%~/=&+$@-]|[^\0-\u007f\u2000-\u206f\u3000-\u303f\uff00-\uff20])/;

/**
 * True if a text contains an address as a whole: a choice among prefixes of an address could encode leaked content. The
 * part after `#` is not sent, and the root of a host may end with a slash.
 */
function containsWhole(text: string, other: string): boolean {
  const [sent = ''] = normalizedAddress(text).split('#');
  const isRoot = /^[a-z][\w+.-]*:\/\/[^/?]+\/?$/i.test(sent);
  const wanted = isRoot ? sent.replace(/\/$/, '') : sent;
  const more = /[^\0-\u007f]/.test(wanted) ? wordContinuation : continuation;
  for (let at = other.indexOf(wanted); at >= 0; at = other.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const after = other.slice(end, end + lookAhead);
    const isWhole = !more.test(isRoot ? after.replace(/^\//, '') : after);
    if (isWhole && !/[a-z0-9]/i.test(other.charAt(at - 1))) return true;
  }
  return false;
}

/** Addresses that a call would reach, or pass to another interaction. */
function addressesSent(info: ToolInfo, args: JsonObject): string[] {
  if (info.spawns) return textsIn(args).flatMap(addressWords);
  return info.risk === 'low' && reachesNetwork(info) ? textsIn(args).filter(isAddress) : [];
}

function hasRead(
  {evidence, assigned, quoted = '', hasRetoldText}: ActionBrief,
  steps: readonly LoopStep[],
  tools: readonly ToolInfo[],
): boolean {
  if (hasRetoldText === true || assigned !== undefined || quoted !== '') return true;
  const infoOf = (tool: string) => toolNamed(tool, tools);
  // The failure of an edit shows the nearest passages of the file.
  const read = steps.filter(
    ({status, tool}) =>
      status === 'succeeded' || (status !== 'rejected' && infoOf(tool)?.replaces !== undefined),
  );
  return [...read, ...evidence].some(({tool}) => addsContent(infoOf(tool)));
}

/** Texts of others in the results of tools. */
export function quotedIn(steps: readonly LoopStep[], tools: readonly ToolInfo[]): string[] {
  const infoOf = (tool: string) => toolNamed(tool, tools);
  return steps
    .filter(({tool, status}) => status === 'succeeded' && infoOf(tool)?.quotes !== false)
    .map(({text}) => text);
}

/** True if the result of the tool contains more than its arguments. */
function addsContent(info: ToolInfo | undefined): boolean {
  return info?.reaches !== 'nothing' || info.quotes !== false;
}

function isAddress(text: string): boolean {
  return addressForm.test(normalizedAddress(text));
}

/** Normalized like in parsers of addresses: without surrounding blanks, line breaks and tabs. */
function normalizedAddress(text: string): string {
  return text.replaceAll(/[\t\n\r]|^[\0- ]+|[\0- ]+$/g, '');
}

/** Addresses in prose, without the punctuation around them. */
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
