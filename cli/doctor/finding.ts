/** One line of the doctor's report. */

/** `failed` keeps a run from starting; `warning` only limits it; `skipped` was not checked. */
export interface Finding {
  readonly what: string;
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly detail: string;
}
