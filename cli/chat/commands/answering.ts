/** Commands that answer an interview. */

import {isPlace, misread, readAs, type CommandTable} from '../command.ts';

const detail = `What you type without a command answers the interview in focus. N is the number of another that asks. Instead of
an answer you may say: skip, decline, why, pause, quit; and correct what you said before in your own words.`;

export const answeringCommands: CommandTable = {
  answer: {
    takes: '[N] TEXT',
    summary: 'answer what an interview asks',
    detail,
    operand: 'ask',
    takesText: true,
    read: (rest) => {
      const [, first = '', after = ''] = /^(\S+)\s+([^]+)$/.exec(rest) ?? [];
      if (rest === '') return misread('/answer needs an answer after it');
      return readAs(
        isPlace(first) ? {kind: 'answer', place: first, text: after} : {kind: 'answer', text: rest},
      );
    },
  },
  pause: {
    takes: '[N]',
    summary: 'have an interview wait until you go on with it',
    operand: 'ask',
    read: (rest) => {
      if (rest === '') return readAs({kind: 'answer', text: 'pause'});
      if (!isPlace(rest)) return misread(`/pause takes the number of what asks, not "${rest}"`);
      return readAs({kind: 'answer', place: rest, text: 'pause'});
    },
  },
};
