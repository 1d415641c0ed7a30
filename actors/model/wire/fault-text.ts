/** Messages about failed calls, for the person who can fix the cause. */

import type {ModelFailureCode} from '../../../machines/domain/model.ts';
import {oneLine} from './causes.ts';
import type {Fault, FaultContext} from './faults.ts';
import {unreachedText} from './unreached.ts';

/** Servers' words for a model without tools, or for a server that was started without them. */
export const toolless =
  /(?:does not|doesn't|don't|not) support (?:tool|function)|tools? (?:use |calling )?(?:is|are) not supported|support tool use|enable-auto-tool-choice|requires --jinja/i;

const meanings: Readonly<Partial<Record<ModelFailureCode, string>>> = {
  auth: 'the provider refused the key; check it and its permissions',
  billing: 'the account has no credit or has reached its limit; see the provider’s billing page',
  contextOverflow: 'the conversation is longer than the model can take',
  rateLimited: 'the provider limits the rate of calls',
  overloaded: 'the provider is overloaded or failing',
  refused: 'the provider refused the content',
  unsupported: 'the provider does not take the request, and would not take it again',
};

export function describe(
  kind: ModelFailureCode,
  fault: Fault,
  error: unknown,
  context: FaultContext,
): string {
  const {status, message} = fault;
  if (kind === 'unsupported' && toolless.test(message)) {
    return `the model takes no tools, or its server offers none, and without tools no role can be played (${message}); choose another model`;
  }
  if (status !== undefined && isRedirect(status)) return describeRedirect(fault, context);
  if (nothingThere.has(status)) return describeMissing(`${status}: ${message}`, context);
  if (kind === 'network') return unreachedText(error);
  const meaning = meanings[kind] ?? 'the provider’s reply can’t be used';
  return `${meaning} (${status === undefined ? '' : `${status}: `}${message})`;
}

const nothingThere: ReadonlySet<number | undefined> = new Set([404, 405, 410]);

/** Of a reply without success. */
export function isRedirect(status: number): boolean {
  return status < 400;
}

/** Names no more than the host of the target: a path or a query may hold a secret. */
function describeRedirect({status, headers}: Fault, {name, baseUrl}: FaultContext): string {
  const setting = `providers.${name.slice(0, name.indexOf('/'))}.base_url`;
  const where = placeOf(headers.get('location'), baseUrl);
  return `the server redirects elsewhere (${status}, ${where}), which is not followed; set ${setting} to the address that answers`;
}

/** The target of a redirect, by its host alone. */
export function placeOf(location: string | null, baseUrl: string): string {
  const target = location === null ? null : URL.parse(location, baseUrl);
  if (target === null || !/^https?:$/.test(target.protocol)) return 'without saying where to';
  const isSame = target.origin === new URL(baseUrl).origin;
  return isSame ? `to another path of ${target.origin}` : `to ${oneLine(target.origin)}`;
}

/** The commonest mistake with a server of one's own is an address without its last part. */
function describeMissing(detail: string, {name, baseUrl}: FaultContext): string {
  const [provider = '', ...model] = name.split('/');
  if (new URL(baseUrl).pathname === '/') {
    return `the server has nothing at this address (${detail}): /v1 may be missing; set providers.${provider}.base_url to ${new URL('/v1', baseUrl).href}`;
  }
  return `the provider knows no model ${model.join('/')} (${detail}); quorate models ${provider} lists those that it has`;
}
