/** Translates the errors of the SDK to faults. Loads the SDK. */

import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';

import {shortageAtStart, shortageCode} from '../containment/denial.ts';
import {escapeLine} from '../escape.ts';
import {ServerFault} from './server.ts';

/** Of a server that can't be used at all. */
export function startFault(error: unknown, ended: string | undefined): ServerFault {
  const lack = shortageAtStart(error);
  if (lack !== undefined) return new ServerFault(shortageCode, lack);
  const fault = toFault(error, ended);
  return fault.code === 'needs_oauth'
    ? fault
    : new ServerFault('server_unreachable', fault.message);
}

/** Messages are clauses about the server. */
export function toFault(error: unknown, ended: string | undefined): ServerFault {
  if (error instanceof ServerFault) return error;
  if (ended !== undefined) return new ServerFault('server_ended', escapeLine(ended));
  return authorizationFault(error) ?? sdkFault(error);
}

function authorizationFault(error: unknown): ServerFault | undefined {
  const status = error instanceof SdkHttpError ? error.status : undefined;
  if (!(error instanceof UnauthorizedError) && status !== 401 && status !== 403) return undefined;
  return new ServerFault('needs_oauth', `it requires authorization (HTTP ${status ?? 401})`);
}

function sdkFault(error: unknown): ServerFault {
  if (isCode(error, SdkErrorCode.RequestTimeout)) {
    return new ServerFault('server_unreachable', 'it did not answer in time');
  }
  if (isCode(error, SdkErrorCode.UnsupportedResultType, SdkErrorCode.CapabilityNotSupported)) {
    return new ServerFault('needs_person', 'it asks for something that this run does not offer');
  }
  const text = escapeLine(messageOf(error).slice(0, 500));
  const code = error instanceof ProtocolError ? 'server_fault' : 'server_unreachable';
  return new ServerFault(code, text);
}

export function isCode(error: unknown, ...codes: readonly SdkErrorCode[]): boolean {
  return error instanceof SdkError && codes.some((code) => error.code === code);
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message}${cause}`;
}
