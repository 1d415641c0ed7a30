/** What others leave for a run that this process has. */

import type {Engine} from './engine/engine.ts';
import type {Incoming} from './engine/incoming.ts';
import type {Journal} from './journal/journal.ts';

/** Has the engine take it as it comes, and returns how to stop. An inbox that can't be read ends the run. */
export function watchInbox(id: string, inbox: Journal['inbox'], engine: Engine): () => void {
  const take = async (): Promise<void> => {
    try {
      const events = await inbox.take(id);
      engine.take(...events.map((event): Incoming => ({kind: 'received', event})));
    } catch (error) {
      engine.fail(error);
    }
  };
  return inbox.watch(id, () => void take());
}
