/** Finds the name in a reply that has more than a name. */

import {type Folded, typed} from './fold.ts';
import {mask, masked, spansOf} from './places.ts';
import {isJapanese, isName} from './values/name.ts';
import type {Occurrence} from './values/reading.ts';

const certain =
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
  const spans = spansOf(masked(folded.text, places));
  const named = (read: (text: string) => string | undefined): readonly Occurrence<string>[] =>
    spans.flatMap(({text, start}) => {
      const value = read(text) ?? '';
      if (value === '' || value.includes(mask) || !isName(value)) return [];
      const at = start + text.lastIndexOf(value);
      return [{value, start: at, end: at + value.length}];
    });
  const introductions = named((text) => introduced(text, isAsked));
  const others = places.length > 0 ? named((text) => plain(text, isAsked)) : [];
  const [only, second] = introductions.length > 0 ? introductions : others;
  return only && !second ? typed(folded, only.start, only.end) : undefined;
}

function introduced(text: string, isAsked: boolean): string | undefined {
  const sure = saidIn(text, [certain, humbly]);
  const name = sure ?? saidIn(text, [loosely, politely]);
  return sure ?? (name === undefined ? undefined : plain(name, isAsked) || undefined);
}

function saidIn(text: string, patterns: readonly RegExp[]): string | undefined {
  return patterns.map((pattern) => pattern.exec(text)?.[1]).find((said) => said !== undefined);
}

/** Empty for words that are not written as a name. */
function plain(text: string, isAsked: boolean): string {
  const words = text.trim();
  const isWritten = isAsked
    ? oneCapital.test(words) || isJapanese(words)
    : capitals.test(words) && !isJapanese(words);
  return isWritten ? words : '';
}
