/** Assigns the operands of a call to the slots of its program's entry. */

import type {Word} from './word.ts';

export interface Slot {
  readonly role: string;
  readonly count: '' | '?' | '*' | '+';
}

export function slotsOf(operands = ''): readonly Slot[] {
  return operands
    .split(' ')
    .filter((part) => part !== '')
    .map((part) => {
      const count = /[?*+]$/.exec(part)?.[0];
      return count === '?' || count === '*' || count === '+'
        ? {role: part.slice(0, -1), count}
        : {role: part, count: ''};
    });
}

/** Each operand with its slot; otherwise the reason why they don't match. */
export function shareOperands(
  slots: readonly Slot[],
  words: readonly Word[],
): readonly (readonly [Slot, Word])[] | string {
  let spare = words.length - slots.filter(isNeeded).length;
  if (spare < 0) return 'has too few operands';
  const shared: (readonly [Slot, Word])[] = [];
  for (const slot of slots) {
    const more = moreOf(slot, spare);
    const taken = more + (isNeeded(slot) ? 1 : 0);
    spare -= more;
    for (const word of words.slice(shared.length, shared.length + taken)) shared.push([slot, word]);
  }
  return spare > 0 ? 'has more operands than are known' : shared;
}

function isNeeded({count}: Slot): boolean {
  return count === '' || count === '+';
}

function moreOf({count}: Slot, spare: number): number {
  if (count === '') return 0;
  return count === '?' ? Math.min(spare, 1) : spare;
}

/**
 * The roles of a word in this slot that may stand for several words or for none; undefined when the other words
 * could then belong to other slots.
 */
export function rolesOfSeveral(slot: Slot, slots: readonly Slot[]): readonly string[] | undefined {
  if (slot.count === '*' || slot.count === '+') return [slot.role];
  const [first, second] = slots;
  // `grep foo.*bar src`: the pattern's matches, if there are any, would be files.
  const fallsThrough = slots.length === 2 && slot === first && second?.count === '*';
  return fallsThrough ? [slot.role, second.role] : undefined;
}
