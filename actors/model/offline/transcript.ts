/** Parses the messages that the charts write: titled sections, and answered calls. */

import {canonicalJson} from '../../../machines/domain/digest.ts';
import {sectionIn} from '../../../machines/prompts/section-reading.ts';
import {unescapedWords} from '../../../machines/prompts/section-text.ts';
import type {Message} from '../../../machines/prompts/transcript.ts';
import {withoutNumbers} from '../../../tools/read/numbered.ts';
import type {Answer, Use} from './skills/skill.ts';

export function firstMessage(messages: readonly Message[]): string {
  return messages.find(({role}) => role === 'user')?.text ?? '';
}

export function requestOf(message: string): string {
  return unescapedWords(sectionIn(message, 'Request') ?? message);
}

export function questionOf(message: string): string {
  return unescapedWords(sectionIn(message, 'Question') ?? message);
}

/** True if a person has sent messages after the request. */
export function hasLaterMessages(message: string): boolean {
  return sectionIn(message, 'Said meanwhile') !== undefined;
}

export function answersIn(messages: readonly Message[]): ReadonlyMap<string, Answer> {
  const answers = new Map<string, Answer>();
  let open = new Map<string, string>();
  for (const message of messages) {
    if (message.role === 'assistant') {
      open = new Map(
        message.calls.map((call) => [call.id, useKey({tool: call.name, args: call.args})]),
      );
    }
    if (message.role !== 'tool') continue;
    const key = open.get(message.callId);
    if (key === undefined) continue;
    const {name, text, isError} = message;
    const isFile = name === 'read_file' && !isError;
    answers.set(key, {text: isFile ? withoutNumbers(text) : text, isError});
  }
  return answers;
}

export function useKey({tool, args}: Use): string {
  return canonicalJson([tool, args]);
}
