/** Commands that answer an interview. */

import type {Texts} from '../../language.ts';
import {isPlace, misread, readAs, type CommandTable} from '../command.ts';

const detail: Texts = {
  en: `Text without a command answers the focused interview. N is the number of another interview that waits for an answer.
Instead of an answer you can type: skip, decline, why, pause, quit. You can also correct earlier answers in your own words.`,
  ja: `コマンドのない文は、フォーカス中のインタビューへの回答です。N は、回答を待つ別のインタビューの番号です。
回答の代わりに skip、decline、why、pause、quit と書けます。前の回答は自分の言葉で訂正できます。`,
};

export const answeringCommands: CommandTable = {
  answer: {
    takes: '[N] [TEXT]',
    summary: {
      en: 'answer the question of an interview',
      ja: 'インタビューの質問に答える',
    },
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
    summary: {
      en: 'pause an interview until you continue it',
      ja: 'インタビューを、続けるまで休憩にする',
    },
    operand: 'ask',
    read: (rest) => {
      if (rest === '') return readAs({kind: 'answer', text: 'pause'});
      if (!isPlace(rest)) {
        return misread({
          en: `/pause takes the number of an interview, not "${rest}"`,
          ja: `/pause の後にはインタビューの番号を書きます（"${rest}" は番号ではありません）`,
        });
      }
      return readAs({kind: 'answer', place: rest, text: 'pause'});
    },
  },
};
