/** Commands that begin an interaction. */

import type {ContextMode, SpawnableForm} from '../../../machines/domain/interaction-form.ts';
import type {Texts} from '../../language.ts';
import {meant} from '../../line/usage-error.ts';
import {misread, readAs, type CommandSpec, type CommandTable, type Reading} from '../command.ts';

const modes: Readonly<Record<string, ContextMode>> = {
  '--fresh': 'fresh',
  '--projected': 'projected',
  '--full': 'full',
};
const flags = Object.keys(modes);

const detail: Texts = {
  en: `While the focused interaction runs, the new one begins below it and reports its result to it; otherwise it is
independent. The context it receives of earlier messages and actions:

  --full        as much as fits
  --projected   a summary
  --fresh       none`,
  ja: `フォーカス中の対話が実行中なら、その下で始まり、結果をその対話に返します。そうでなければ独立して始まります。
これまでのメッセージと操作から、次の文脈を受け取ります:

  --full        入るだけのすべて
  --projected   要約
  --fresh       なし`,
};

function beginning(form: SpawnableForm, noun: string, summary: Texts): CommandSpec {
  return {
    takes: `[${flags.join('|')}] ${noun}`,
    summary,
    detail,
    operand: flags,
    takesText: true,
    read: (rest) => readBeginning(form, noun, rest),
  };
}

function readBeginning(form: SpawnableForm, noun: string, rest: string): Reading {
  const [, flag = '', request = ''] = /^(--\S*)?\s*([^]*)$/.exec(rest) ?? [];
  const contextMode = modes[flag];
  if (flag !== '' && contextMode === undefined) {
    const [known, near] = [flags.join(', '), meant(flag, flags)];
    return misread({
      en: `/${form} takes ${known}, not ${flag}${near.en}`,
      ja: `/${form} に ${flag} はありません。使えるのは ${known} です${near.ja}`,
    });
  }
  if (request === '') {
    const needed: Texts = {en: noun.toLowerCase(), ja: noun};
    return misread({
      en: `/${form} needs a ${needed.en} after it`,
      ja: `/${form} の後に ${needed.ja} を書いてください`,
    });
  }
  return readAs({kind: 'begin', form, request, ...(contextMode ? {contextMode} : {})});
}

export const beginCommands: CommandTable = {
  agent: beginning('agent', 'TASK', {
    en: 'plan a task, have it voted on, run and judge it',
    ja: 'タスクの計画、投票、実行、評価をする',
  }),
  ask: beginning('ask', 'QUESTION', {
    en: 'answer a question with tools that only read',
    ja: '読むだけのツールで質問に答える',
  }),
  discuss: beginning('discuss', 'QUESTION', {
    en: 'have several models discuss a question',
    ja: '質問を複数のモデルで議論する',
  }),
  interview: beginning('interview', 'FORM', {
    en: 'fill in a form by conversation, field by field',
    ja: 'フォームを会話で 1 項目ずつ埋める',
  }),
  replace: {
    takes: 'TEXT',
    summary: {
      en: 'cancel the focused interaction, and begin this one with its context',
      ja: 'フォーカス中の対話を取り消し、その文脈でこれを始める',
    },
    takesText: true,
    read: (request) =>
      request === ''
        ? misread({
            en: '/replace needs the new request after it; /cancel only cancels',
            ja: '/replace の後に新しい依頼を書いてください。取り消すだけなら /cancel です',
          })
        : readAs({kind: 'replace', request}),
  },
};
