/** Errors of the command line. */

import {AppError} from '../../machines/domain/app-error.ts';
import {nearest} from '../../machines/domain/nearest.ts';
import {type Message, t} from '../../machines/message.ts';

type Options = Pick<NonNullable<ConstructorParameters<typeof AppError>[2]>, 'cause' | 'details'>;

export function usageError(message: Message, options: Options = {}): AppError {
  return new AppError('usage', message, options);
}

/** `; did you mean "…"?`, or nothing when no candidate is near. */
export function meant(name: string, candidates: Iterable<string>): Message {
  return meantOne(nearest(name, candidates));
}

export function meantOne(candidate: string | undefined): Message {
  return candidate === undefined ? t`` : t`; did you mean "${candidate}"?`;
}
