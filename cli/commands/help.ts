/** `quorate help [TOPIC]`. */

import {t} from '../../machines/message.ts';
import type {Command} from '../line/command.ts';
import {refuseRemoved} from '../line/did-you-mean.ts';
import {meant, usageError} from '../line/usage-error.ts';
import {commandOf} from './index.ts';

export const help: Command = {
  operands: {
    usage: '[TOPIC]',
    what: t`a topic`,
    least: 0,
    most: 1,
  },
  summary: t`explain a topic or a command`,
  obeys: [],
  run: async ({operands: [word]}, terminal) => {
    const topic = word === undefined ? undefined : commandOf(word);
    const {helpTopics, writeHelp} = await import('../help/text.ts');
    const topics = await helpTopics();
    if (topic !== undefined) refuseRemoved(topic, [], {hasOtherOption: false});
    if (topic !== undefined && !topics.includes(topic)) {
      const [known, near] = [topics.join(', '), meant(topic, topics)];
      throw usageError(t`there is no help on "${topic}", only on ${known}${near}`);
    }
    await writeHelp(terminal, topic === 'help' ? undefined : topic);
    return 0;
  },
};
