/** `quorate help [TOPIC]`. */

import type {Command} from '../line/command.ts';
import {refuseRemoved} from '../line/did-you-mean.ts';
import {meant, usageError} from '../line/usage-error.ts';
import {commandOf} from './index.ts';

export const help: Command = {
  operands: {
    usage: '[TOPIC]',
    what: {en: 'a topic', ja: 'トピック'},
    least: 0,
    most: 1,
  },
  summary: {
    en: 'explain a topic or a command',
    ja: 'トピックかコマンドを説明する',
  },
  obeys: [],
  run: async ({operands: [word]}, terminal) => {
    const topic = word === undefined ? undefined : commandOf(word);
    const {helpTopics, writeHelp} = await import('../help/text.ts');
    const topics = await helpTopics();
    if (topic !== undefined) refuseRemoved(topic, [], {hasOtherOption: false});
    if (topic !== undefined && !topics.includes(topic)) {
      const [known, near] = [topics.join(', '), meant(topic, topics)];
      throw usageError({
        en: `there is no help on "${topic}", only on ${known}${near.en}`,
        ja: `"${topic}" の説明はありません。あるのは: ${known}${near.ja}`,
      });
    }
    await writeHelp(terminal, topic === 'help' ? undefined : topic);
    return 0;
  },
};
