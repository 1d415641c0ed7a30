/** The command that rates the last result. */

import {t} from '../../../machines/message.ts';
import {misread, readAs, type CommandTable} from '../command.ts';

const ratings = ['up', 'down'] as const;

export const ratingCommands: CommandTable = {
  rate: {
    takes: 'up|down [WORDS]',
    summary: t`rate the latest result: was it what you wanted?`,
    detail: t`The words are your own: no model reads them. The last rating counts. See quorate help show.`,
    operand: ratings,
    takesText: true,
    read: (rest) => {
      const [given = '', words = ''] = [/^\S+/.exec(rest)?.[0], /^\S+\s+([^]*)$/.exec(rest)?.[1]];
      const rating = ratings.find((each) => each === given);
      if (rating) return readAs({kind: 'rate', rating, words});
      return misread(t`/rate takes up or down, and words of your own; not "${given}"`);
    },
  },
};
