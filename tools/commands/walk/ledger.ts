/** The understanding collected so far: each item once, within limits. */

import type {Effect, Unknown} from '../effect.ts';
import type {Followed, SimpleCommand, Understanding} from '../understanding.ts';

const maxCommands = 500;
const maxSteps = 2_000;
const maxEffects = 2_000;
const maxUnknown = 50;
const maxWordLength = 160;

export interface Ledger {
  readonly add: (effect: Effect) => void;
  readonly miss: (unknown: Unknown) => void;
  /** The number of items not understood so far. */
  readonly missed: () => number;
  /** Removes the items not understood since that number. */
  readonly forget: (missed: number) => void;
  readonly follow: (followed: Followed) => void;
  readonly note: (command: SimpleCommand) => void;
  /** Counts a step; false when there were too many, which is recorded as not understood. */
  readonly step: () => boolean;
  /** Changes the kind of the effects added since `mark`. */
  readonly revise: (mark: number, change: (effect: Effect) => Effect) => void;
  readonly mark: () => number;
  readonly effects: () => readonly Effect[];
  readonly toUnderstanding: () => Understanding;
}

export function createLedger(): Ledger {
  const effects: Effect[] = [];
  const unknown = new Map<string, Unknown>();
  const followed = new Map<string, Followed>();
  const commands = new Map<string, SimpleCommand>();
  const seen = new Set<string>();
  let steps = 0;
  const miss = ({word, why}: Unknown) => {
    const short = clip(word);
    if (unknown.size < maxUnknown) unknown.set(`${short}\0${why}`, {word: short, why});
  };
  return {
    add: (effect) => {
      const key = JSON.stringify(effect);
      if (seen.has(key)) return;
      seen.add(key);
      if (effects.length >= maxEffects) miss({word: effect.by, why: 'has too many effects'});
      else effects.push(effect);
    },
    miss,
    missed: () => unknown.size,
    forget: (missed) => {
      for (const key of [...unknown.keys()].slice(missed)) unknown.delete(key);
    },
    follow: (script) => followed.set(`${script.name}\0${script.hash}`, script),
    note: (command) => {
      const key = JSON.stringify(command);
      if (commands.size < maxCommands) commands.set(key, command);
      else if (!commands.has(key)) miss({word: command.text, why: 'too many commands'});
    },
    step: () => {
      steps += 1;
      if (steps > maxSteps) miss({word: 'the text', why: 'takes too many steps to follow'});
      return steps <= maxSteps;
    },
    revise: (mark, change) => {
      for (const [at, effect] of effects.entries()) if (at >= mark) effects[at] = change(effect);
    },
    mark: () => effects.length,
    effects: () => effects,
    toUnderstanding: () => ({
      effects: [...effects],
      unknown: [...unknown.values()],
      followed: [...followed.values()],
      commands: [...commands.values()],
    }),
  };
}

function clip(text: string): string {
  return text.length > maxWordLength ? `${text.slice(0, maxWordLength - 1)}…` : text;
}
