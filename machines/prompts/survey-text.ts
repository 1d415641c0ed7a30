/** The survey of a workspace as quotations: its listing, and each of its files by its path. */

import {engineLine, fittedText, type Quotation, type SectionText, spaced} from './section-text.ts';

/** The outcome of the port: the listing, then the files, each below `## NAME`. */
export interface Survey {
  readonly text: string;
  /** The files that were read, in their order. */
  readonly read: readonly string[];
}

/**
 * One quotation for each file. A file may contain the title of another: the files around a title that occurs twice are
 * quoted together, with all their names.
 */
export function surveyQuotations({text, read}: Survey): Quotation[] {
  const parts: Quotation[] = [];
  let from = 0;
  let names = ['Top of the workspace'];
  for (const name of read) {
    const title = `\n\n## ${name}\n`;
    const at = text.indexOf(title);
    const isCertain = at >= from && text.indexOf(title, at + 1) < 0;
    if (!isCertain) names.push(`File ${name}`);
    if (!isCertain) continue;
    parts.push({source: sourceLine(names), text: text.slice(from, at)});
    [from, names] = [at + title.length, [`File ${name}`]];
  }
  return [...parts, {source: sourceLine(names), text: text.slice(from)}];
}

function sourceLine(names: readonly string[]): SectionText {
  const more = names.length > 1 ? ' (it is uncertain which of them)' : '';
  return engineLine`${names.join(', ')}${more}`;
}

/** The whole survey. */
export function surveyText(survey: Survey): SectionText {
  return fittedText(surveyQuotations(survey), Infinity, spaced);
}
