/**
 * Each key of the configuration is one row: its type, its meaning, whether it may change in an open run, and which values are
 * stricter. Types, help, messages, and the keys that open runs and untrusted files may change are derived from the rows.
 */

import {z} from 'zod';

import type {Comparison} from './stricter.ts';

export interface KeyRow {
  /** The meaning, on one line, for `quorate config`, the help and the list in `actors/config/README.md`. */
  readonly text: string;
  /** False: a run keeps the value with which it was opened. */
  readonly isChangeable: boolean;
  /** The part of the settings of a run that is resolved again when the key changes. */
  readonly renews?: RenewedPart;
  /** Compares two values. Absent: only a file that the user trusts may set the key. */
  readonly stricter?: Comparison | undefined;
  /** The value may contain a secret, by mistake or on purpose, and is not shown. */
  readonly isHidden?: true;
  /** The value is a table that a later source replaces as a whole. */
  readonly isWhole?: true;
}

/** `planning`: strategy and consensus level; `sides`: the sides of a debate; `leaders`: the models of an interview. */
export type RenewedPart = 'panel' | 'sides' | 'leaders' | 'planning';

const rows = z.registry<KeyRow>();

const row =
  (facts: KeyRow) =>
  <Schema extends z.core.$ZodType>(schema: Schema): Schema => {
    rows.add(schema, facts);
    return schema;
  };

/** A key that keeps its value while a run is open. */
export const fixed = (text: string, stricter?: Comparison) =>
  row({text, isChangeable: false, stricter});

/** A fixed key whose value is not shown. */
export const hidden = (text: string) => row({text, isChangeable: false, isHidden: true});

/** A fixed key whose value is a table that belongs together. */
export const whole = (text: string) => row({text, isChangeable: false, isWhole: true});

/** The same for a table whose values are not shown. */
export const wholeHidden = (text: string) =>
  row({text, isChangeable: false, isWhole: true, isHidden: true});

/** A key that may change in an open run. */
export const changeable = (text: string, stricter?: Comparison) =>
  row({text, isChangeable: true, stricter});

/** A key that may change in an open run, and whose change also renews a part of the settings. */
export const renewing = (renews: RenewedPart, text: string, stricter?: Comparison) =>
  row({text, isChangeable: true, renews, stricter});

/** Returns undefined for a schema that does not belong to a key. */
export function rowOf(schema: z.core.$ZodType): KeyRow | undefined {
  return rows.get(schema);
}
