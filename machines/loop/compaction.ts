/** Shortens a conversation without losing its subject. */

import {cap} from '../domain/buffer.ts';
import {capMessage} from '../prompts/section-text.ts';
import {type Transcript, withoutOpaque} from '../prompts/transcript.ts';
import {isPendingMessage} from './message-sections.ts';

/** The number of latest messages, of which more text is kept. */
const recentCount = 6;
/** The length that is kept of a text, in UTF-16 units; less of the latest ones each time, because one of them may be too long. */
const recentChars = [8_000, 1_000] as const;
const keptChars = 200;
const droppedNote = '\n\n[Earlier messages were dropped to keep the conversation short.]';

/**
 * Keeps the first message; shortens the latest messages and pending messages that were inserted between turns if they are
 * long, and all others more. `times`: the number of earlier compactions.
 */
export function compact({messages}: Transcript, times: number): Transcript {
  const from = messages.length - recentCount;
  const recent = recentChars[times === 0 ? 0 : 1];
  return {
    messages: messages.map((message, index) => {
      if (index === 0) return message;
      const isKept = index >= from || isPendingMessage(message);
      const max = isKept ? recent : keptChars;
      const text = message.role === 'user' ? capMessage(message.text, max) : cap(message.text, max);
      return text === message.text ? message : {...withoutOpaque(message), text};
    }),
  };
}

/**
 * Keeps the first message, the latest turn and as many whole turns before it as fit, with a note that others were dropped.
 * Messages that were inserted between the dropped turns are kept with the first message.
 */
export function bound(transcript: Transcript, maxMessages: number): Transcript {
  const {messages} = transcript;
  const [first] = messages;
  if (!first || messages.length <= maxMessages) return transcript;
  const earliest = messages.length - (maxMessages - 1);
  const fitting = messages.findIndex(({role}, index) => index >= earliest && role === 'assistant');
  const from = fitting === -1 ? messages.findLastIndex(({role}) => role === 'assistant') : fitting;
  if (from <= 1) return transcript;
  const kept = messages.slice(from);
  const pending = messages.slice(1, from).filter(isPendingMessage);
  const base = first.text.endsWith(droppedNote)
    ? first.text.slice(0, -droppedNote.length)
    : first.text;
  const text = [base, ...pending.map((each) => each.text)].join('\n\n') + droppedNote;
  return {messages: [{...first, text}, ...kept]};
}
