/** Error replies. */

import {AppError, type AppErrorCode} from '../../../machines/domain/app-error.ts';

export interface RefusalDetail {
  /** Seconds. */
  readonly retryAfter?: number;
  /** Required fields without an answer, which prevent the action. */
  readonly open?: readonly string[];
}

/** `{error: {code, message}}`, the shape of every error. */
export function refusal(
  status: number,
  code: string,
  message: string,
  {retryAfter, open}: RefusalDetail = {},
): Response {
  const headers = {
    ...(status === 401 ? {'www-authenticate': 'Bearer'} : {}),
    ...(retryAfter === undefined ? {} : {'retry-after': String(retryAfter)}),
  };
  const error = {code, message, ...(open ? {open} : {})};
  return Response.json({error}, {status, headers});
}

const statuses: Partial<Record<AppErrorCode, number>> = {
  usage: 400,
  not_found: 404,
  busy: 409,
  nothing_waiting: 409,
  maxDepthExceeded: 409,
  parentSettled: 409,
  parentNotFound: 404,
  formNotSpawnable: 400,
};

/** An expected failure as a reply; undefined for a bug. Only the owner gets the message of a server failure. */
export function refusalOf(error: unknown, isOwner: boolean): Response | undefined {
  if (!(error instanceof AppError)) return undefined;
  const status = statuses[error.code];
  if (status === undefined)
    return refusal(503, error.code, isOwner ? error.message : 'the server cannot do this now');
  const later = status === 409 && error.code === 'busy' ? {retryAfter: 1} : {};
  return refusal(status, error.code, error.message, later);
}
