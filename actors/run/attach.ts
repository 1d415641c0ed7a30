/** Attachments of a request, cut to the limit of their size. */

import {cap} from '../../machines/domain/buffer.ts';
import type {Attachment} from '../../machines/prompts/attachment.ts';

export interface Fitted {
  readonly attachments: readonly Attachment[];
  /** One for each attachment that was cut. */
  readonly warnings: readonly string[];
}

/** Cuts the middle out of attachments beyond `maxBytes` in total. A cut attachment no longer counts as a file that was read. */
export function fitAttachments(given: readonly Attachment[], maxBytes: number): Fitted {
  let left = maxBytes;
  const fitted = given.map((attachment) => {
    const {name, text} = attachment;
    const room = left;
    left = Math.max(0, left - text.length);
    return text.length <= room ? attachment : {name, text: cap(text, room)};
  });
  const cut = given.filter((attachment, index) => attachment !== fitted[index]);
  return {
    attachments: fitted,
    warnings: cut.map(
      ({name, text}) =>
        `${name} has ${text.length} bytes and was cut in the middle: ` +
        `context.max_attached_bytes = ${maxBytes} is the limit for all attachments together`,
    ),
  };
}
