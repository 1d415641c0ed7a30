/** The line of a backup in an exported run: content as base64. */

import {z} from 'zod';

import type {Backup} from '../journal/journal.ts';
import {nodeCrypto} from '../journal/node-crypto.ts';

const missing = ['large', 'secret', 'unkept', 'moved', 'old'] as const;

const lineSchema = z.strictObject({
  type: z.literal('backup'),
  path: z.string().min(1),
  effect: z.string().exactOptional(),
  before: z
    .strictObject({
      hash: z.string(),
      mode: z.int().nonnegative(),
      /** Base64. Absent: see `missing`. */
      content: z.base64().exactOptional(),
      /** The reason why there is no content. */
      missing: z.enum(missing).exactOptional(),
    })
    .exactOptional(),
  after: z.string().exactOptional(),
});

export type BackupLine = z.infer<typeof lineSchema>;

export function toBackupLine({before, ...change}: Backup): BackupLine {
  if (!before) return {type: 'backup', ...change};
  const {content, ...state} = before;
  const kept =
    typeof content === 'string'
      ? {missing: content}
      : {content: Buffer.from(content).toString('base64')};
  return {type: 'backup', ...change, before: {...state, ...kept}};
}

/** Undefined for a line that is not a backup, or whose content does not have its hash. */
export function backupIn(line: unknown): Backup | undefined {
  const parsed = lineSchema.safeParse(line);
  if (!parsed.success) return undefined;
  const {type: _type, before, ...change} = parsed.data;
  if (!before) return change;
  const {content: text, missing: why, ...state} = before;
  if ((text === undefined) === (why === undefined)) return undefined;
  const content = text === undefined ? (why ?? 'old') : new Uint8Array(Buffer.from(text, 'base64'));
  if (typeof content !== 'string' && !fits(content, state.hash)) return undefined;
  return {...change, before: {...state, content}};
}

/** The state of a file is its SHA-256; links and folders have other marks. */
function fits(content: Uint8Array, state: string): boolean {
  return !/^[0-9a-f]{64}$/.test(state) || nodeCrypto().hash('sha256', content) === state;
}
