/** Messages and requests that a root had not read when it ended: each begins as a request of its own. */

import type {ContextMode, SpawnableForm} from '../../machines/domain/interaction-form.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {isLeft, type Root} from './roots.ts';

export interface Begun {
  readonly form: SpawnableForm;
  readonly request: string;
  /** Absent: the form's default. */
  readonly contextMode?: ContextMode;
}

export interface Late {
  /** Records a message, or a request for an interaction below a running root. */
  readonly sent: (root: Pick<Root, 'id'>, what: string | Begun) => void;
  /** Events confirm what was sent, in its order. */
  readonly onEvent: (root: Pick<Root, 'id'>, event: ProgressEvent) => void;
  /** The requests of a root that has ended, its unread messages as one; none after a cancellation. */
  readonly take: (root: Pick<Root, 'id'>, result: RunResult) => readonly Begun[];
}

interface Sent {
  readonly words: readonly string[];
  readonly requests: readonly Begun[];
}

const nothing: Sent = {words: [], requests: []};

/** `formOf`: of a message, which may be a question. */
export function createLate(formOf: (text: string) => Begun['form'] | undefined): Late {
  const open = new Map<string, Sent>();
  const change = (id: string, by: (sent: Sent) => Partial<Sent>): void => {
    const sent = open.get(id) ?? nothing;
    open.set(id, {...sent, ...by(sent)});
  };
  return {
    sent: ({id}, what) =>
      change(id, ({words, requests}) =>
        typeof what === 'string' ? {words: [...words, what]} : {requests: [...requests, what]},
      ),
    onEvent: ({id}, event) => {
      if (event.type === 'user.said') change(id, ({words}) => ({words: words.slice(1)}));
      const isBegun = event.type === 'interaction.spawned' && event.by === 'person';
      if (isBegun || event.type === 'interaction.refused')
        change(id, ({requests}) => ({requests: requests.slice(1)}));
    },
    take: ({id}, result) => {
      if (isLeft(result)) return [];
      const {words, requests} = open.get(id) ?? nothing;
      open.delete(id);
      const {status, unheard: unread = []} = result;
      if (status === 'cancelled') return [];
      const request = [...unread, ...words].join('\n');
      const form = formOf(request);
      return form === undefined ? requests : [{form, request}, ...requests];
    },
  };
}
