/** Processes each message with a key only once, also when the server dies between taking the message and answering it. */

import {nodeCrypto} from '../journal/node-crypto.ts';
import type {Receipt, SubmissionRepository} from './repository.ts';

/** How long a message may be sent again. */
const keptMs = 24 * 3_600_000;

export interface Words {
  readonly text?: string | undefined;
  /** The field that the text answers, independent of the open question; without a text, a request to be asked about it. */
  readonly field?: string | undefined;
}

export interface Receipts {
  /** The receipt of a message with this key; `reused` when the key belongs to another message. */
  readonly find: (id: string, key: string, words: Words) => Promise<Receipt | 'reused' | undefined>;
  /** Called before a message is processed. `before`: the number of messages so far. */
  readonly begin: (id: string, key: string, words: Words, before: number) => Promise<Receipt>;
  /** Called after it was answered. `after`: the number of messages now. */
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
