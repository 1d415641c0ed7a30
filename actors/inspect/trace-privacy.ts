/** Private answers of interviews in a trace. */

import type {JsonObject} from '../../machines/domain/json.ts';
import type {Privacy} from '../../machines/questionnaire/private-answers.ts';
import {isSliceOver, nextTurn} from '../engine/slices.ts';
import {privacyOf} from '../history/run-privacy.ts';
import type {Entry} from '../journal/journal.ts';
import {receivedIn} from '../run/run-input.ts';
import {RunTrace} from './run-trace.ts';

export interface TracePrivacy {
  readonly privacy: Privacy;
  /**
   * The number of entries that may be shown: of an open run, up to its last question. Whether an answer is private is known only
   * when it has been read.
   */
  readonly shown: number;
}

/** Undefined for a run without a reply of a person: it has no private answers. */
export async function tracePrivacy(
  id: string,
  entries: readonly Entry[],
): Promise<TracePrivacy | undefined> {
  if (!hasReplies(entries)) return undefined;
  const contexts: JsonObject[] = [];
  const collect = (context: JsonObject): JsonObject => {
    contexts.push(context);
    return context;
  };
  const trace = new RunTrace(entries);
  let shown = 0;
  for (const [index, entry] of entries.entries()) {
    trace.add([entry], collect);
    if (trace.isAsking || entry.type === 'closed') shown = index + 1;
    // oxlint-disable-next-line no-await-in-loop -- one entry after the other
    if (isSliceOver()) await nextTurn();
  }
  return {privacy: await privacyOf(id, entries, ...contexts), shown};
}

/** Private answers enter a run as replies of its person. */
function hasReplies(entries: readonly Entry[]): boolean {
  return receivedIn(entries).some(({type}) => type === 'person.replied');
}
