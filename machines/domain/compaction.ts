/** Making a conversation shorter without losing what it is about. */

import {appendMessages, emptyTranscript, type Message, type Transcript} from './transcript.ts';

/** The latest messages that stay as they are. */
const recentCount = 6;
const keptChars = 200;

/** Keeps the first message and the latest ones; shortens tool results and texts in between. */
export function compact(transcript: Transcript): Transcript {
  const from = transcript.messages.length - recentCount;
  const messages = transcript.messages.map((message, index) =>
    index === 0 || index >= from ? message : shorten(message),
  );
  return appendMessages(emptyTranscript, ...messages);
}

function shorten(message: Message): Message {
  if (message.text.length <= keptChars) return message;
  const left = message.text.length - keptChars;
  return {
    ...message,
    text: `${message.text.slice(0, keptChars)}\n[${left} more characters were dropped]`,
  };
}
