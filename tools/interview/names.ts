/** Finds the name in a reply that has more than a name. */

import {type Folded, typed} from './fold.ts';
import {mask, masked, spansOf} from './places.ts';
import {isJapanese, isName} from './values/name.ts';
import type {Occurrence} from './values/reading.ts';

const named =
  /(?:^|[\s,.!])(?:my (?:full )?name is|my name's|name's|call me|(?:私の)?名前は) *(\S.*?)(?:です|と申します|といいます|と言います)?[\s.!]*$/iu;
const humbly =
  /^(?:(?:私|わたし|僕)は)? *(\S+(?: \S+)?)(?:と申します|といいます|と言います)[\s.!]*$/u;
const loosely = /(?:^|[\s,.!])(?:i'm|i am|this is|(?:私|わたし|僕)は) *(\S.*?)(?:です)?[\s.!]*$/iu;
const politely = /^(\S+(?: \S+)?)です[\s.!]*$/u;
const oneCapital = /^\p{Lu}\S*(?: \S+)*$/u;
const capitals = /^\p{Lu}\S*(?: \S+)* \p{Lu}\S*$/u;

/**
 * The name is introduced as one, or is the only text that can be one beside the values of other fields. `isAsked`: a name is asked
 * for, so that fewer signs suffice.
 */
export function nameIn(
  folded: Folded,
  places: readonly Occurrence<unknown>[],
  isAsked: boolean,
): string | undefined {
  const names = spansOf(masked(folded.text, places)).flatMap(({text, start}) => {
    const said = introduced(text, isAsked) ?? (places.length > 0 ? plain(text, isAsked) : '');
    if (said === '' || said.includes(mask) || !isName(said)) return [];
    return [{said, start: start + text.lastIndexOf(said)}];
  });
  const [only, second] = names;
  return only && !second ? typed(folded, only.start, only.start + only.said.length) : undefined;
}

function introduced(text: string, isAsked: boolean): string | undefined {
  const certain = named.exec(text)?.[1] ?? humbly.exec(text)?.[1];
  const name = certain ?? loosely.exec(text)?.[1] ?? politely.exec(text)?.[1];
  return certain ?? (name === undefined ? undefined : plain(name, isAsked) || undefined);
}

/** Empty for words that are not written as a name. */
function plain(text: string, isAsked: boolean): string {
  const words = text.trim();
  const isWritten = isAsked
    ? oneCapital.test(words) || isJapanese(words)
    : capitals.test(words) && !isJapanese(words);
  return isWritten ? words : '';
}
