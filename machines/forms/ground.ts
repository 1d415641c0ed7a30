/** The first sections of every prompt of a discussion or a debate. */

import {personWords} from '../prompts/section-text.ts';
import {
  attachedSection,
  type Attachment,
  inheritedSection,
  type Section,
} from '../prompts/sections.ts';

export interface Ground {
  readonly question: string;
  /** Context from the parent interaction. */
  readonly inherited?: string | undefined;
  readonly attachments: readonly Attachment[];
  /** Pending messages. */
  readonly pendingMessages?: readonly Section[];
  /** The workspace and its documents. */
  readonly background: readonly Section[];
}

export function groundSections(ground: Ground): Section[] {
  const {question, inherited, attachments, pendingMessages = [], background} = ground;
  return [
    ['Question', personWords(question)],
    inheritedSection(inherited),
    ...pendingMessages,
    attachedSection(attachments),
    ...background,
  ];
}
