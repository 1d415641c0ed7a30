/** The command that rates the last result. */

import {misread, readAs, type CommandTable} from '../command.ts';

const ratings = ['up', 'down'] as const;

export const ratingCommands: CommandTable = {
  rate: {
    takes: 'up|down [WORDS]',
    summary: {
      en: 'rate the latest result: was it what you wanted?',
      ja: '最新の結果を評価する: 望みどおりだったか',
    },
    detail: {
      en: 'The words are your own: no model reads them. The last rating counts. See quorate help show.',
      ja: '言葉は自分のためのもので、モデルは読みません。最後の評価が有効です。quorate help show をご覧ください。',
    },
    operand: ratings,
    takesText: true,
    read: (rest) => {
      const [given = '', words = ''] = [/^\S+/.exec(rest)?.[0], /^\S+\s+([^]*)$/.exec(rest)?.[1]];
      const rating = ratings.find((each) => each === given);
      if (rating) return readAs({kind: 'rate', rating, words});
      return misread({
        en: `/rate takes up or down, and words of your own; not "${given}"`,
        ja: `/rate の後には up か down と、自分の言葉を書きます（"${given}" は使えません）`,
      });
    },
  },
};
