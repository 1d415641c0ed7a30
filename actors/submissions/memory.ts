/** A repository of submissions in memory. It is lost when its process ends. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Receipt, SubmissionRecord, SubmissionRepository} from './repository.ts';

interface Kept {
  record: SubmissionRecord;
  readonly receipts: Map<string, Receipt>;
}

export function createMemoryRepository(): SubmissionRepository {
  const all = new Map<string, Kept>();
  const begun = new Map<string, number>();
  const findByToken = (tokenHash: string): SubmissionRecord | undefined =>
    all.values().find(({record}) => record.tokenHash === tokenHash)?.record;
  return {
    create: (record) => {
      if (all.has(record.id) || findByToken(record.tokenHash)) throw taken(record.id);
      all.set(record.id, {record: {...record}, receipts: new Map()});
    },
    find: (id) => all.get(id)?.record,
    findByToken,
    list: (form, {after, limit}) => {
      const ofForm = [...all.values()]
        .map(({record}) => record)
        .filter((each) => each.form === form);
      const sorted = ofForm.toSorted((a, b) => a.createdAt - b.createdAt);
      const start = after === undefined ? 0 : sorted.findIndex(({id}) => id === after) + 1;
      return sorted.slice(start, start + limit);
    },
    update: (id, {state, updatedAt}) => {
      const kept = all.get(id);
      if (kept) kept.record = {...kept.record, state, updatedAt};
    },
    remove: (id) => void all.delete(id),
    findReceipt: (id, key) => all.get(id)?.receipts.get(key),
    keepReceipt: (id, receipt, since) => {
      const receipts = all.get(id)?.receipts;
      for (const {key, at} of receipts?.values() ?? []) if (at < since) receipts?.delete(key);
      receipts?.set(receipt.key, {...receipt});
    },
    addInteraction: (id, at) => void begun.set(id, at),
    interactions: () => [...begun.keys()].toReversed(),
    close: () => {},
  };
}

export function taken(id: string): AppError {
  return new AppError('usage', `there is a submission ${id} already`);
}
