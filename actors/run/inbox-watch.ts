/**
 * What other processes leave for a run that this process has. Whoever can write to the journal can leave anything, such as a
 * command that the run itself began: a cancel grants nothing, so it is all that is taken from there.
 */

import {isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';
import type {Engine} from '../engine/engine.ts';
import type {Journal} from '../journal/journal.ts';

const refusal =
  'something else than a cancel was left for this run in the journal, by another program: it was removed unheard';

/**
 * Has the engine take cancels as they come, and returns how to stop. All else is removed unheard, with one warning. What the
 * engine can't take any more is put back, for whoever goes on with the run. An inbox that can't be read ends the run.
 */
export function watchInbox(
  id: string,
  inbox: Journal['inbox'],
  engine: Pick<Engine, 'take' | 'fail'>,
  warn: (message: string) => void,
): () => void {
  let hasTold = false;
  const take = async (): Promise<void> => {
    try {
      const messages = await inbox.take(id);
      const cancels = messages.map(cancelIn).filter((event) => event !== undefined);
      if (cancels.length < messages.length && !hasTold) {
        hasTold = true;
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
