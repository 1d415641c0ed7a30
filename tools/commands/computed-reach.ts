/** Computers that a call reaches if its computed words are ordinary ones: the values of those words may be sent there. */

import type {Effect} from './effect.ts';
import type {Act, Invocation, Program} from './program.ts';
import {readProgram} from './read-program.ts';
import {wordOf, type Word} from './word.ts';

type Reach = Pick<Effect, 'kind' | 'target' | 'isComputed'>;

const reaching: ReadonlySet<Act['role']> = new Set(['fetches', 'sends', 'installs']);

/** None for a call with only known words: reading that call yields them. Never throws. */
export function computedReach(program: Program, call: Invocation): readonly Reach[] {
  const computed = call.args.filter(({known}) => !known);
  if (computed.length === 0) return [];
  const supposed = new Map(call.args.map((word) => [word.known ? word : supposedWord(word), word]));
  return readActs(program, {...call, args: [...supposed.keys()]}).flatMap(
    ({role, word, isOwn}): Reach[] => {
      if (isOwn || !reaching.has(role)) return [];
      const kind = role === 'installs' ? role : 'fetches';
      return [{kind, target: (supposed.get(word) ?? word).text, isComputed: true}];
    },
  );
}

function readActs(program: Program, call: Invocation): readonly Act[] {
  try {
    return readProgram(program, call).acts;
  } catch {
    return [];
  }
}

/** One word in which each variable and each command's output is replaced by a letter. */
function supposedWord({text}: Word): Word {
  return wordOf(text.replaceAll(/\$\(.*\)|`[^`]*`|\$\{[^}]*\}|\$\w+|\$[@*#?!]|\s+/gs, 'x') || 'x');
}
