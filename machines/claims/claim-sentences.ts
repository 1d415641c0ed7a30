/** Splits a text into the sentences and clauses that may hold claims, and detects phrases that are not claims. */

import {plain} from '../domain/plain-text.ts';

/** A printed line of a file (`src/a.ts:3: …`) or of a list of commits (`3f2a1bc …`). */
const printedLine =
  /^[ *•-]{0,4}[`]?(?:[^\s:`]+\.\w{1,8}:\d+\b|(?=\w{0,39}\d)[0-9a-f]{7,40}\b).*$/gm;

/** The author's own sentences. Quotations and program output are not claims, and are left out. */
export function sentencesOf(text: string): readonly string[] {
  const spoken = plain(text)
    .replaceAll(/```[^`]*(?:```|$)/g, '\n')
    .replaceAll(/^ ?>.*$/gm, '')
    .replaceAll(printedLine, '')
    .replaceAll('**', '')
    .replaceAll(/["“]([^"”\n]{1,200})["”]/g, (_, inner: string) => keptIn(inner))
    .replaceAll(/「([^」\n]{1,200})」/g, (_, inner: string) => keptIn(inner));
  return spoken.split(/(?<=[.!?])\s+|[。！？\n]+/).filter((sentence) => sentence.trim() !== '');
}

/** Keeps a quoted file name, and replaces any other quotation by `…`. */
function keptIn(inner: string): string {
  return /^\S+\.\w{1,8}$/.test(inner) ? inner : '…';
}

/** A phrase that a pattern found in a sentence, with the text of the sentence before and after it. */
export interface Spot {
  readonly found: string;
  /** The first capture group; empty if it did not match. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

export function spotsOf(sentence: string, pattern: RegExp): Spot[] {
  return [...sentence.matchAll(pattern)].map((match) => ({
    found: match[0],
    name: match[1] ?? '',
    before: sentence.slice(0, match.index),
    after: sentence.slice(match.index + match[0].length),
  }));
}

const clauseEnd = /[,;:—–(]|\s-\s|\b(?:but|and|so(?!\s+that)|yet|while)\b/i;

export function lastClause(before: string): string {
  return before.split(clauseEnd).at(-1) ?? '';
}

const condition =
  /\b(?:if|unless|until|whether|once|provided|assuming|as soon as|according to|suggest\w*|recommend\w*|propos(?:e|es|ed|al)|todo|fixme|had (?:i|we))\b|\b(?:when|whenever|after|before|where|requires?(?: that)?)\s*$/i;
/** A source that a clause may cite, such as a README or a CI run. */
const reported =
  /\b(?:readme|badge|changelog|docs?|documentation|comments?|history|commits?|ci|workflow|pipeline)\b|[\w-]\.(?:md|txt|rst|ya?ml|sh)\b/i;
const doubtful =
  /\b(?:not|never|no longer|without|nothing|neither|nor|none|cannot|should|would|will|shall|may|might|could|can|must|needs?|ensure|ensuring|make|makes|making|get|want|wants|goal|objective|aim|try|tried|trying|attempt\w*|plan|next|hope\w*|expect\w*|likely|probably|presumably|assum\w*|unable|failed to|instead of|rather than|whether|so that|claims?|claimed|said|says|states|let|please|to be|to (?:check|verify|confirm|see)|i'll|going to)\b|n['’]t\b/i;
const takenBack =
  /^\s+(?:are|were|is|was)\s+(?:expected|likely)\b|^\W*(?:\w+\W+){0,3}(?:not|never|unverified|unknown|unclear|unconfirmed)\b|^\W*(?:\w+\W+){0,3}\w+n['’]t\b|^\W*\?/i;

/** True when the sentence makes the phrase conditional, negated, doubtful, intended or attributed to another source. */
export function isHedged({before, after}: Spot): boolean {
  return (
    condition.test(before) ||
    doubtful.test(lastClause(before)) ||
    takenBack.test(after.split(/[,;.]/)[0] ?? '')
  );
}

const japaneseDoubt =
  /^る?(?:と|後|とき|時|際)|^[^。\n]{0,12}か$|^[^。\n]{0,30}?(?:すると|した後|したら|した際|した時|ない|しません|ません|なかった|せず|かどうか|か(?:を|は)?(?:確認|不明|分か)|はず|だろう|でしょう|予定|べき|よう(?:に|、)|場合|れば|たら|なら|まで|たい|ください|必要|未確認|未検証|失敗|かもしれ|つもり)/;

const pastStart =
  /^\W*(?:before|previously|earlier|yesterday|originally|formerly|last \w+|at (?:first|the start))\b/i;
const pastEnd =
  /^\W*(?:before|earlier|previously|originally|yesterday|at first|last (?:week|month|year|time)|in \d{4})\b/i;
/** Marks of a condition or of an earlier time. */
export const japaneseAside =
  /(?:れば|たら|なら)|以前|前は|前に|かつて|元々|もともと|当初|昨日|先週/;

/** True when the phrase refers to a time before the work. */
export function isPast({found, before, after}: Spot): boolean {
  return !/\bnow\b/i.test(found) && (pastStart.test(before) || pastEnd.test(after));
}

export function isJapaneseClaim({before, after}: Spot): boolean {
  return !japaneseDoubt.test(after) && !japaneseAside.test(before);
}

/** True when the clause cites a source of the project, such as a document, a badge or a CI run. */
export function isReported({before}: Spot): boolean {
  return reported.test(lastClause(before));
}
