/** Parses the sections of a message. Every sequence that a reader may interpret as a line end is one here. */

import {unquotedText} from './section-text.ts';
import type {SectionTitle} from './sections.ts';

export interface ReadSection {
  /** Without its note. Empty for the text before the first title. */
  readonly title: string;
  readonly lines: readonly string[];
}

const lineEnds = /\r\n|[\p{Zl}\p{Zp}]|(?!\t)\p{Cc}/u;

/** In their order. */
export function readSections(message: string): ReadSection[] {
  const sections: {title: string; lines: string[]}[] = [{title: '', lines: []}];
  for (const each of message.split(lineEnds)) {
    const title = /^# (.*?)(?: \(.*\))?$/.exec(each)?.[1];
    if (title === undefined) sections.at(-1)?.lines.push(each);
    else sections.push({title, lines: []});
  }
  return sections.slice(sections[0]?.lines.some((each) => each !== '') === true ? 0 : 1);
}

/** The text of the first section with this title; undefined without one. */
export function sectionIn(message: string, title: SectionTitle): string | undefined {
  const lines = readSections(message).find((each) => each.title === title)?.lines;
  return lines?.join('\n').trim();
}

/** The quoted lines of the section, without their marks. */
export function quotedIn(message: string, title: SectionTitle): string | undefined {
  const section = sectionIn(message, title);
  return section === undefined ? undefined : unquotedText(section.split('\n'));
}

export interface ReadQuotation {
  readonly source: string;
  readonly lines: readonly string[];
}

/** The quotations of a section, each with the line that names its source. */
export function quotationsIn(section: string): ReadQuotation[] {
  const found: {source: string; lines: string[]}[] = [];
  for (const each of section.split('\n')) {
    if (each.startsWith('>')) found.at(-1)?.lines.push(unquotedText([each]));
    else if (each.endsWith(':')) found.push({source: each.slice(0, -1), lines: []});
  }
  return found;
}
