/** `quorate help [TOPIC]`. */

import {AppError} from '../../machines/domain/app-error.ts';
import {didYouMean} from '../../machines/domain/nearest.ts';
import type {Command} from '../line/command.ts';

export const help: Command = {
  operands: {usage: '[TOPIC]', what: 'a topic', values: 'topic', least: 0, most: 1},
  summary: 'explain a topic or a command',
  obeys: [],
  run: async ({operands: [topic]}, {stdout}) => {
    const {helpTopics, writeHelp} = await import('../help/text.ts');
    const topics = await helpTopics();
    if (topic !== undefined && !topics.includes(topic)) {
      throw new AppError(
        'usage',
        `there is no help on "${topic}", only on ${topics.join(', ')}${didYouMean(topic, topics)}`,
      );
    }
    await writeHelp(stdout, topic === 'help' ? undefined : topic);
    return 0;
  },
};
