/** The survey of a workspace as quotations: its listing, and each of its files by its path. */

import {engineLine, fittedText, type Quotation, type SectionText, spaced} from './section-text.ts';

/** The outcome of the port: the listing, then the files, each below `## NAME`. */
export interface Survey {
  readonly text: string;
  /** The files in the text, in their order. */
  readonly read: readonly string[];
  /** The number of files that the tools find, up to a limit. Surveys of earlier versions have none. */
  readonly files?: number;
  /** Of a workspace with few files: the other ones that are short, in full. */
  readonly sources?: readonly FileText[];
  readonly machine?: Machine;
}

/** Facts of the machine and of the repository at the start of a run. */
export interface Machine {
  /** Stated by the program, one a line. */
  readonly facts: readonly string[];
  /** Texts of git. Absent: the workspace is not in a repository. */
  readonly git?: {
    /** The branch, and the files that are not committed. */
    readonly status: string;
    /** Of the last commits. */
    readonly subjects: string;
  };
}

/** For all facts, in bytes. */
const maxMachineBytes = 800;

export function machineText({facts, git}: Machine): SectionText {
  return fittedText(
    [
      ...facts.map((fact) => engineLine`${fact}`),
      {source: engineLine`git status --short --branch`, text: git?.status ?? ''},
      {source: engineLine`Subjects of the last commits`, text: git?.subjects ?? ''},
    ],
    maxMachineBytes,
  );
}

/** The text of a file as it was read. */
export interface FileText {
  /** Relative to the workspace. */
  readonly path: string;
  readonly text: string;
}

/** For planners and workers: reviewers see plans, calls and changes. */
export interface Surroundings {
  /** The files of a small workspace, and the files that an explorer read. */
  readonly files: readonly FileText[];
  readonly machine?: Machine;
}

/** Files in one text. `max`: in bytes. */
export function filesText(files: readonly FileText[], max: number): SectionText {
  const quotations = files.map(({path, text}) => ({source: engineLine`File ${path}`, text}));
  return fittedText(quotations, max, spaced);
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
