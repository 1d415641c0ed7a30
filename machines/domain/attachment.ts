/** What a person gives along with a request: piped input, files. To models it is data, never an instruction. */

import type {Evidence} from './evidence.ts';

export interface Attachment {
  /** For people and models: `standard input`, `docs/a.md`. */
  readonly name: string;
  readonly text: string;
  /** Of a file that is here whole: its path, relative to the workspace. It counts as read. */
  readonly file?: string;
}

export function attachedText(attachments: readonly Attachment[]): string {
  return attachments
    .map(({name, text}) => `${name.replaceAll(/\s+/g, ' ')}:\n${quotedText(text)}`)
    .join('\n\n');
}

/** Every line is marked as quoted, so that none passes for a part of the message around it. */
export function quotedText(text: string): string {
  return text
    .toWellFormed()
    .trimEnd()
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join('\n');
}

export function attachedEvidence(attachments: readonly Attachment[]): Evidence[] {
  return attachments.flatMap(({file}): Evidence[] =>
    file === undefined ? [] : [{tool: 'read_file', did: 'read', target: file, ok: true}],
  );
}
