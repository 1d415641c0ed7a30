/** Messages that come with a key are heard once, also when the server dies between hearing one and answering it. */

import {nodeCrypto} from '../journal/node-crypto.ts';
import type {Receipt, SubmissionRepository} from './repository.ts';

/** So long a message may be sent again. */
const keptMs = 24 * 3_600_000;

export interface Words {
  readonly text?: string | undefined;
  /** Meant as an answer to this field, whatever was asked; without a text a wish to be asked about it. */
  readonly field?: string | undefined;
}

export interface Receipts {
  /** What is known of a message that came with this key; `reused` when it was another one. */
  readonly find: (id: string, key: string, words: Words) => Promise<Receipt | 'reused' | undefined>;
  /** It is about to be heard. `before`: how many messages there are. */
  readonly begin: (id: string, key: string, words: Words, before: number) => Promise<Receipt>;
  /** `after`: how many there are now. */
  readonly end: (id: string, begun: Receipt, after: number) => Promise<void>;
}

export function createReceipts(repository: SubmissionRepository): Receipts {
  const keep = async (id: string, receipt: Receipt): Promise<void> =>
    await repository.keepReceipt(id, receipt, Date.now() - keptMs);
  return {
    find: async (id, key, words) => {
      const receipt = await repository.findReceipt(id, key);
      return receipt && receipt.digest !== digestOf(id, words) ? 'reused' : receipt;
    },
    begin: async (id, key, words, before) => {
      const receipt = {key, digest: digestOf(id, words), before, at: Date.now()};
      await keep(id, receipt);
      return receipt;
    },
    end: async (id, begun, after) => await keep(id, {...begun, after}),
  };
}

function digestOf(id: string, {text, field}: Words): string {
  return nodeCrypto().hash('sha256', JSON.stringify([id, text, field]));
}
