/** Making a conversation shorter without losing what it is about. */

import type {Message, Transcript} from '../domain/transcript.ts';

/** The latest messages that stay as they are. */
const recentCount = 6;
const keptChars = 200;
const droppedNote = '\n\n[Earlier messages were dropped to keep the conversation short.]';

/** Keeps the first message and the latest ones; shortens tool results and texts in between. */
export function compact(transcript: Transcript): Transcript {
  const from = transcript.messages.length - recentCount;
  const messages = transcript.messages.map((message, index) =>
    index === 0 || index >= from ? message : shorten(message),
  );
  return {messages};
}

/** Keeps the first message, the latest turn and as many whole turns before it as fit, and says that others are gone. */
export function bound(transcript: Transcript, maxMessages: number): Transcript {
  const {messages} = transcript;
  const [first] = messages;
  if (!first || messages.length <= maxMessages) return transcript;
  const earliest = messages.length - (maxMessages - 1);
  const fitting = messages.findIndex(({role}, index) => index >= earliest && role === 'assistant');
  const from = fitting === -1 ? messages.findLastIndex(({role}) => role === 'assistant') : fitting;
  if (from <= 1) return transcript;
  const kept = messages.slice(from);
  const text = first.text.endsWith(droppedNote) ? first.text : first.text + droppedNote;
  return {messages: [{...first, text}, ...kept]};
}

function shorten(message: Message): Message {
  if (message.text.length <= keptChars) return message;
  const left = message.text.length - keptChars;
  return {
    ...message,
    text: `${message.text.slice(0, keptChars)}\n[${left} more characters were dropped]`,
  };
}
