/** The single edit that turns one text into another. */

type Passage = {readonly old_text: string; readonly new_text: string};

/** The lines that differ, with enough lines around them to make the passage unique. `before` is not empty. */
export function passageBetween(before: string, after: string): Passage {
  const old = before.split(/(?<=\n)/);
  const now = after.split(/(?<=\n)/);
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  for (let more = 1; ; more *= 2) {
    const passage = old.slice(start, old.length - tail).join('');
    if (passage !== '' && before.indexOf(passage) === before.lastIndexOf(passage)) {
      return {old_text: passage, new_text: now.slice(start, now.length - tail).join('')};
    }
    start = Math.max(0, start - more);
    tail = Math.max(0, tail - more);
  }
}
