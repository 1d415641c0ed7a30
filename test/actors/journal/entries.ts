/** Entries for tests of journals. */

import type {EntryBody} from '../../../actors/journal/journal.ts';

export const opened: EntryBody = {
  type: 'opened',
  input: {form: 'agent', request: 'Fix the "test"\n日本語 \u0000 \ud800', workspace: '/w'},
  version: 'v1',
};

export const closed: EntryBody = {type: 'closed', result: {status: 'completed', exitCode: 0}};

export function settled(key: string, text = 'ok'): EntryBody {
  return {type: 'settled', key, request: 'r', outcome: {kind: 'ok', text, parts: [1, null]}, ms: 3};
}
