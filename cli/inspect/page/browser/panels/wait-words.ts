/** The waits of an actor in words. */

import type {Wait} from '../derived/waiting.ts';
import {localized} from '../language.ts';

const mostNames = 3;

const words = localized({
  en: {
    model: (text: string) => `waits for the model ${text}`,
    tool: (text: string) => `waits for the tool ${text}`,
    person: (text: string) => `waits for a person: ${text}`,
    resume: (text: string) => `waits to be resumed: ${text}`,
    effect: (text: string) => `waits for ${text}`,
    actors: (names: string, more: number) =>
      `waits for ${names}${more > 0 ? ` and ${more} more` : ''}`,
    separator: ', ',
    timer: 'waits for a timer or an event',
    event: 'waits for an event',
    done: 'done',
    error: 'failed',
    stopped: 'stopped',
  },
  ja: {
    model: (text: string) => `モデル ${text} を待っています`,
    tool: (text: string) => `ツール ${text} を待っています`,
    person: (text: string) => `人の回答を待っています：${text}`,
    resume: (text: string) => `再開を待っています：${text}`,
    effect: (text: string) => `${text} を待っています`,
    actors: (names: string, more: number) =>
      `${names}${more > 0 ? ` ほか${more}件` : ''} を待っています`,
    separator: '、',
    timer: 'タイマーまたはイベントを待っています',
    event: 'イベントを待っています',
    done: '完了',
    error: '失敗',
    stopped: '停止',
  },
});

export interface WaitWords {
  readonly kind: Wait['kind'] | 'timer' | 'event' | 'over';
  readonly text: string;
}

/** One text for each effect, and one for all children. */
export function waitWords(waits: readonly Wait[]): readonly WaitWords[] {
  const effects = waits.flatMap(({kind, text}) =>
    kind === 'actor' ? [] : [{kind, text: words[kind](text)}],
  );
  const names = waits.flatMap(({kind, text}) => (kind === 'actor' ? [text] : []));
  if (names.length === 0) return effects;
  const shown = names.slice(0, mostNames).join(words.separator);
  const text = words.actors(shown, Math.max(0, names.length - mostNames));
  return [...effects, {kind: 'actor', text}];
}

export function idleWords(isTimed: boolean): WaitWords {
  return isTimed ? {kind: 'timer', text: words.timer} : {kind: 'event', text: words.event};
}

export function endWords(status: 'done' | 'error' | 'stopped'): WaitWords {
  return {kind: 'over', text: words[status]};
}
