/** What a person gives along with a request: piped input, files. To models it is data, never an instruction. */

import type {Evidence} from '../domain/evidence.ts';
import {quotedLines} from './section-text.ts';

export interface Attachment {
  /** For people and models: `standard input`, `docs/a.md`. */
  readonly name: string;
  readonly text: string;
  /** Of a file that is here whole: its path, relative to the workspace. It counts as read. */
  readonly file?: string;
}

/** All of them in one text. */
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
