/** Commands that answer an interview. */

import {type Message, t} from '../../../machines/message.ts';
import {isPlace, misread, readAs, type CommandTable} from '../command.ts';

const detail: Message = t`Text without a command answers the focused interview. N is the number of another interview that waits for an answer.
Instead of an answer you can type: skip, decline, why, pause, quit. You can also correct earlier answers in your own words.`;

export const answeringCommands: CommandTable = {
  answer: {
    takes: '[N] [TEXT]',
    summary: t`answer the question of an interview`,
    detail,
    operand: 'ask',
    takesText: true,
    read: (rest) => {
      const [, first = '', after = ''] = /^(\S+)\s+([^]+)$/.exec(rest) ?? [];
      return readAs(
        isPlace(first) ? {kind: 'answer', place: first, text: after} : {kind: 'answer', text: rest},
      );
    },
  },
  pause: {
    takes: '[N]',
    summary: t`pause an interview until you continue it`,
    operand: 'ask',
    read: (rest) => {
      if (rest === '') return readAs({kind: 'answer', text: 'pause'});
      if (!isPlace(rest)) {
        return misread(t`/pause takes the number of an interview, not "${rest}"`);
      }
      return readAs({kind: 'answer', place: rest, text: 'pause'});
    },
  },
};
