/** The waits of an actor in words. */

import type {Wait} from '../derived/waiting.ts';
import {t} from '../language.ts';

const mostNames = 3;

const waitTexts = {
  model: (text: string) => t`waits for the model ${text}`,
  tool: (text: string) => t`waits for the tool ${text}`,
  person: (text: string) => t`waits for a person: ${text}`,
  resume: (text: string) => t`waits to be resumed: ${text}`,
  effect: (text: string) => t`waits for ${text}`,
};

const ends = {done: t`done`, error: t`failed`, stopped: t`stopped`};

export interface WaitWords {
  readonly kind: Wait['kind'] | 'timer' | 'event' | 'over';
  readonly text: string;
}

/** One text for each effect, and one for all children. */
export function waitWords(waits: readonly Wait[]): readonly WaitWords[] {
  const effects = waits.flatMap(({kind, text}) =>
    kind === 'actor' ? [] : [{kind, text: waitTexts[kind](text)}],
  );
  const names = waits.flatMap(({kind, text}) => (kind === 'actor' ? [text] : []));
  if (names.length === 0) return effects;
  const shown = names.slice(0, mostNames).join(t`, `);
  const more = names.length - mostNames;
  const text = more > 0 ? t`waits for ${shown} and ${more} more` : t`waits for ${shown}`;
  return [...effects, {kind: 'actor', text}];
}

export function idleWords(isTimed: boolean): WaitWords {
  return isTimed
    ? {kind: 'timer', text: t`waits for a timer or an event`}
    : {kind: 'event', text: t`waits for an event`};
}

export function endWords(status: 'done' | 'error' | 'stopped'): WaitWords {
  return {kind: 'over', text: ends[status]};
}
