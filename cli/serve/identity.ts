/** Identifies a client by its bearer token, and decides on access. */

import {hashToken, isSameHash} from '../../actors/journal/node-crypto.ts';
import type {SubmissionRepository} from '../../actors/submissions/repository.ts';
import {refusal} from './routes/reply.ts';
import type {Access} from './routes/route.ts';

export type Identity =
  | {readonly kind: 'owner'}
  | {readonly kind: 'respondent'; readonly submission: string};

/** Undefined for a request without a token, and for an unknown token. */
export type Identify = (request: Request) => Promise<Identity | undefined>;

export function createIdentify(
  ownerToken: string,
  repository: Pick<SubmissionRepository, 'findByToken'>,
): Identify {
  const ownerHash = hashToken(ownerToken);
  return async (request) => {
    const [, token] = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? [];
    if (token === undefined) return undefined;
    const given = hashToken(token);
    if (isSameHash(given, ownerHash)) return {kind: 'owner'};
    const record = await repository.findByToken(given);
    if (!record || !isSameHash(record.tokenHash, given)) return undefined;
    return {kind: 'respondent', submission: record.id};
  };
}

/** `submission`: the requested one. Undefined: access is allowed. */
export function denialOf(
  identity: Identity | undefined,
  access: Access,
  submission: string | undefined,
): Response | undefined {
  if (access === 'anyone' || identity?.kind === 'owner') return undefined;
  if (!identity) return refusal(401, 'unauthorized', 'send a token: Authorization: Bearer TOKEN');
  if (access === 'respondent' && identity.submission === submission) return undefined;
  return refusal(403, 'forbidden', 'this token does not give access here');
}
