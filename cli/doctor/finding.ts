/** One line of the doctor's report. */

import type {Message} from '../../machines/message.ts';
import {type Reader, say} from '../language.ts';

/** `failed` keeps a run from starting; `warning` only limits it; `skipped` was not checked. */
type Status = 'ok' | 'warning' | 'failed' | 'skipped';

/** In the language of its reader. */
export interface Finding {
  readonly what: string;
  readonly status: Status;
  readonly detail: string;
}

/** A finding before it has a reader. */
export interface Check {
  readonly what: Message | string;
  readonly status: Status;
  readonly detail: Message | string;
}

type Found = (what: Check['what'], detail: Check['detail']) => Check;

const found =
  (status: Status): Found =>
  (what, detail) => ({what, status, detail});

export const ok = found('ok');
export const warning = found('warning');
export const failed = found('failed');
export const skipped = found('skipped');

export function findingOf({what, status, detail}: Check, reader: Reader): Finding {
  return {what: say(what, reader), status, detail: say(detail, reader)};
}
