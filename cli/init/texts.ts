/** The messages of `quorate init`. */

import {inLanguages} from '../language.ts';

const en = {
  nothing: 'there is nothing to describe: the folder has no files',
  byRules: 'drafted by rule, as no model is configured: each line names the file that says so',
  draft: 'Draft:',
  difference: 'Difference:',
  question: (path: string) => `Write ${path}?`,
  nothingWritten: 'nothing was written',
  written: (path: string) => `wrote ${path}`,
  unchanged: (path: string) => `${path} is up to date`,
  noDraft: (why: string) => `there is no draft: ${why}`,
  differ: (text: string) => `the models differ: ${text}`,
};

const ja: typeof en = {
  nothing: '説明するものがありません。フォルダにファイルがありません',
  byRules: 'モデルが設定されていないため、規則による案です。各行に出典のファイルを示します',
  draft: '案:',
  difference: '差分:',
  question: (path) => `${path} を書きますか?`,
  nothingWritten: '何も書きませんでした',
  written: (path) => `${path} を書きました`,
  unchanged: (path) => `${path} は最新です`,
  noDraft: (why) => `案はありません: ${why}`,
  differ: (text) => `モデルの意見の相違: ${text}`,
};

export const initTexts = inLanguages<typeof en>({en, ja});
