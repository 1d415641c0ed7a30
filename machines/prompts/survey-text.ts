/** The survey of a workspace as quotations: its listing, and each of its files by its path. */

import {engineLine, fittedText, type Quotation, type SectionText, spaced} from './section-text.ts';

/** As the port has it: the listing, then the files, each below `## NAME`. */
export interface Survey {
  readonly text: string;
  /** The files that were read, in their order. */
  readonly read: readonly string[];
}

/**
 * One quotation for each file. A file may hold the title of another: a title that occurs twice is not believed, and what
 * follows is quoted together, with all names that it may have.
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
    parts.push({source: sourceOf(names), text: text.slice(from, at)});
    [from, names] = [at + title.length, [`File ${name}`]];
  }
  return [...parts, {source: sourceOf(names), text: text.slice(from)}];
}

function sourceOf(names: readonly string[]): SectionText {
  const more = names.length > 1 ? ' (which of them can’t be told)' : '';
  return engineLine`${names.join(', ')}${more}`;
}

/** All of it. */
export function surveyText(survey: Survey): SectionText {
  return fittedText(surveyQuotations(survey), Infinity, spaced);
}
