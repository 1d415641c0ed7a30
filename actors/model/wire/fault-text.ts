/** Messages about failed calls, for a person who can fix the cause. */

import type {ModelFailureCode} from '../../../machines/domain/model.ts';
import {oneLine} from './causes.ts';
import type {Fault, FaultContext} from './faults.ts';
import {unreachedText} from './unreached.ts';

/** Messages of servers about a model without tools, or about a server that was started without tool support. */
export const toolless =
  /(?:does not|doesn't|don't|not) support (?:tool|function)|tools? (?:use |calling )?(?:is|are) not supported|support tool use|enable-auto-tool-choice|requires --jinja/i;

/** Messages of providers about a model that they do not have, or no longer. Most name the model to use instead. */
export const gone =
  /model[_ ]not[_ ](?:found|exist)|model\b.*\b(?:does not exist|(?:has|have) been (?:deprecated|shut ?down|retired|removed|decommissioned)|(?:is|are) (?:deprecated|retired|shut ?down|not found)|no longer (?:available|supported|exists?))/i;

const meanings: Readonly<Partial<Record<ModelFailureCode, string>>> = {
  auth: 'the provider refused the key; check it and its permissions',
  billing: 'the account has no credit or has reached its limit; see the provider’s billing page',
  contextOverflow: 'the conversation is longer than the model can take',
  rateLimited: 'the provider limits the rate of calls',
  overloaded: 'the provider is overloaded or failing',
  refused: 'the provider refused the content',
  unsupported: 'the provider rejects the request, and would reject it again',
};

export function describe(
  kind: ModelFailureCode,
  fault: Fault,
  error: unknown,
  context: FaultContext,
): string {
  const {status, message, words} = fault;
  const detail = status === undefined ? message : `${status}: ${message}`;
  const isOf = (texts: RegExp): boolean =>
    kind === 'unsupported' && texts.test(`${words} ${message}`);
  if (isOf(gone)) return missingText(detail, context);
  if (isOf(toolless)) {
    return `the model or its server does not support tools, which every role needs (${message}); choose another model`;
  }
  if (status !== undefined && isRedirect(status)) return describeRedirect(fault, context);
  if (nothingThere.has(status)) return describeMissing(detail, context);
  if (kind === 'network') return unreachedText(error, context);
  return `${meanings[kind] ?? 'the provider’s reply can’t be used'} (${detail})`;
}

const nothingThere: ReadonlySet<number | undefined> = new Set([404, 405, 410]);

/** True for a redirect. `status` is the status of a reply without success. */
export function isRedirect(status: number): boolean {
  return status < 400;
}

/** Shows only the host of the target, because a path or a query may contain a secret. */
function describeRedirect({status, headers}: Fault, {name, baseUrl}: FaultContext): string {
  const setting = `providers.${name.slice(0, name.indexOf('/'))}.base_url`;
  const where = placeOf(headers.get('location'), baseUrl);
  return `the server redirects elsewhere (${status}, ${where}), which is not followed; set ${setting} to the address that answers`;
}

/** The target of a redirect, without path and query. */
export function placeOf(location: string | null, baseUrl: string): string {
  const target = location === null ? null : URL.parse(location, baseUrl);
  if (target === null || !/^https?:$/.test(target.protocol)) return 'without saying where to';
  const isSame = target.origin === new URL(baseUrl).origin;
  return isSame ? `to another path of ${target.origin}` : `to ${oneLine(target.origin)}`;
}

/** The most common mistake with a private server is an address without `/v1`. */
function describeMissing(detail: string, {name, baseUrl}: FaultContext): string {
  if (new URL(baseUrl).pathname === '/') {
    const provider = name.slice(0, name.indexOf('/'));
    return `the server has nothing at this address (${detail}): /v1 may be missing; set providers.${provider}.base_url to ${new URL('/v1', baseUrl).href}`;
  }
  return missingText(detail, {name});
}

function missingText(detail: string, {name}: Pick<FaultContext, 'name'>): string {
  const slash = name.indexOf('/');
  return `the provider has no model ${name.slice(slash + 1)} (${detail}); quorate models ${name.slice(0, slash)} lists its models`;
}
