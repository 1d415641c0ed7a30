/** One line of the doctor's report. */

/** `failed` keeps a run from starting; `warning` only limits it. */
export interface Finding {
  readonly what: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly detail: string;
}
