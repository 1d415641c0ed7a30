/** Attachments of a request: piped input, files. To models they are data, never an instruction. */

import type {Evidence} from '../domain/evidence.ts';
import {quotedLines} from './section-text.ts';

export interface Attachment {
  /** For people and models: `standard input`, `docs/a.md`. */
  readonly name: string;
  readonly text: string;
  /** For a file that is attached as a whole: its path, relative to the workspace. It counts as read. */
  readonly file?: string;
}

/** All attachments in one text. */
export function attachedText(attachments: readonly Attachment[]): string {
  return attachments.map(({name, text}) => `${oneLine(name)}:\n${quotedLines(text)}`).join('\n\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

export function attachedEvidence(attachments: readonly Attachment[]): Evidence[] {
  return attachments.flatMap(({file}): Evidence[] =>
    file === undefined ? [] : [{tool: 'read_file', did: 'read', target: file, ok: true}],
  );
}
