/** Warnings as a screen shows them. Those of other layers are English; their sentences that have a translation get it. */

import {offlineSentences} from '../../actors/config/forms.ts';
import {type Message, t} from '../../machines/message.ts';
import {type Reader, say} from '../language.ts';
import {type Terminal, tryToWrite} from '../terminal.ts';
import {oneLine} from './text.ts';

const maxMessage = 1000;

export function warningText(message: Message | string, reader: Reader): string {
  return `${say(t`warning`, reader)}: ${oneLine(warningIn(message, reader), maxMessage)}`;
}

/** Writes warnings to stderr. Never rejects. */
export async function warn(
  warnings: readonly (Message | string)[],
  terminal: Pick<Terminal, 'stderr' | 'language'>,
): Promise<void> {
  const lines = warnings.map((each) => `${warningText(each, terminal)}\n`);
  await tryToWrite(terminal.stderr, lines.join(''));
}

/** The message in the language of its reader, without its head. */
export function warningIn(message: Message | string, reader: Reader): string {
  const {language = 'en'} = reader;
  const said = say(message, reader);
  if (language === 'en') return said;
  return Object.values(offlineSentences)
    .reduce((text, sentence) => text.replace(sentence, () => say(sentence, reader)), said)
    .replaceAll('。 ', '。');
}
