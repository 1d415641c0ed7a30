/**
 * Messages that other processes leave for a run of this process. Any program that can write to the journal can leave anything,
 * also a command that the run itself has started. A cancel grants nothing, so only cancels are taken.
 */

import {isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';
import type {Engine} from '../engine/engine.ts';
import type {Journal} from '../journal/journal.ts';

const refusal =
  'another program left a message for this run in the journal that is not a cancel; it was removed and ignored';

/**
 * Passes cancels to the engine as they arrive. Removes other messages, with one warning. Puts back cancels that the engine no
 * longer takes, for the process that continues the run. An inbox that can't be read ends the run. Returns a function that stops
 * the watch.
 */
export function watchInbox(
  id: string,
  inbox: Journal['inbox'],
  engine: Pick<Engine, 'take' | 'fail'>,
  warn: (message: string) => void,
): () => void {
  let hasWarned = false;
  const take = async (): Promise<void> => {
    try {
      const messages = await inbox.take(id);
      const cancels = messages.map(cancelIn).filter((event) => event !== undefined);
      if (cancels.length < messages.length && !hasWarned) {
        hasWarned = true;
        warn(refusal);
      }
      const isTaken = engine.take(...cancels.map((event) => ({kind: 'received', event}) as const));
      if (isTaken) return;
      stop();
      await Promise.all(cancels.map(async (event) => await inbox.post(id, event)));
    } catch (error) {
      engine.fail(error);
    }
  };
  const stop = inbox.watch(id, () => void take());
  return stop;
}

function cancelIn(message: Json): JsonObject | undefined {
  if (!isJsonObject(message)) return undefined;
  const {type, interaction} = message;
  if (type === 'user.cancel') return {type};
  const isBelow = type === 'interaction.cancel' && typeof interaction === 'string';
  return isBelow ? {type, interaction} : undefined;
}
