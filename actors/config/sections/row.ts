/**
 * A key of the configuration is one row: what it takes, what it means, whether it may change in an open run, and which
 * values are stricter. Types, help, messages, what may change and what untrusted files may set are derived from the rows.
 */

import {z} from 'zod';

import type {Comparison} from './stricter.ts';

export interface KeyRow {
  /** In a line, for `quorate config`, the help and the list in `actors/config/README.md`. */
  readonly text: string;
  /** False: a run keeps the value that it was opened with. */
  readonly isChangeable: boolean;
  /** The part of a run's settings that is taken anew when the key changes. */
  readonly renews?: RenewedPart;
  /** Absent: only a file that the user trusts may set it. */
  readonly stricter?: Comparison | undefined;
  /** People put secrets there, by mistake or on purpose: its value is not shown. */
  readonly isHidden?: true;
}

/** `planning`: how plans are made; `sides`: of a debate; `leaders`: of an interview. */
export type RenewedPart = 'panel' | 'sides' | 'leaders' | 'planning';

const rows = z.registry<KeyRow>();

const row =
  (facts: KeyRow) =>
  <Schema extends z.core.$ZodType>(schema: Schema): Schema => {
    rows.add(schema, facts);
    return schema;
  };

/** A key that stays in an open run as it was when the run began. */
export const fixed = (text: string, stricter?: Comparison) =>
  row({text, isChangeable: false, stricter});

export const hidden = (text: string) => row({text, isChangeable: false, isHidden: true});

/** A key that may change in an open run. */
export const changeable = (text: string, stricter?: Comparison) =>
  row({text, isChangeable: true, stricter});

export const renewing = (renews: RenewedPart, text: string, stricter?: Comparison) =>
  row({text, isChangeable: true, renews, stricter});

/** Undefined for a schema that is not that of a key. */
export function rowOf(schema: z.core.$ZodType): KeyRow | undefined {
  return rows.get(schema);
}
