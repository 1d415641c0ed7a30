/** The skills that tell what a repository is: in a file, or in the report. All of it is computed from tool results. */

import type {Language} from './labels.ts';
import {phrase, readings} from './phrase.ts';
import {explanationText, overviewText, type Writing} from './repository-text.ts';
import {isRepository, surveyRepository} from './repository.ts';
import {everywhere} from './scope.ts';
import {done, notDone, plainJob, type Skill, type Work} from './skill.ts';
import {bothMarks, findComments, isComments} from './todo-comments.ts';
import {writeWhole} from './write-whole.ts';

const thing = '(repository|repo|project|code base|codebase|workspace|folder|directory|code)';
const whole = `[this|the|my|our] [whole] ${thing}`;
const inLanguage = '[in English|in Japanese]';
const text = '[an|a|the] [short|brief|quick] (overview|summary|description|explanation)';
const writing = '(write|create|make|generate|produce|save|put)';
const japaneseThing =
  '[この] [リポジトリの|プロジェクトの|コードベースの] [短い|簡単な] (概要|サマリー|要約|説明)';
const japaneseLanguage = '[日本語で|英語で]';
const japaneseWriting = '(書いて|書く|書き出して|まとめて|作成して|出力して|保存して)';

const written = [
  `${writing} [me] ${text} (of|for|about) ${whole} ${inLanguage} (to|into|in|as) [the|a|an] [new] [file] [called|named] {path:file} ${inLanguage}`,
  `(summarize|summarise|describe|document|explain) ${whole} ${inLanguage} (to|into|in) [the|a] [file] {path:file} ${inLanguage}`,
  `${writing} ${text} (of|for|about) ${whole} ${inLanguage}`,
  `${japaneseThing} を ${japaneseLanguage} {path:file} に ${japaneseLanguage} ${japaneseWriting}`,
  `{path:file} に ${japaneseThing} を ${japaneseLanguage} ${japaneseWriting}`,
].map(phrase);

const told = [
  `[briefly] (explain|summarize|summarise|describe) ${whole} [to me] [briefly] ${inLanguage}`,
  `(give|show) me ${text} (of|for|about) ${whole} ${inLanguage}`,
  `tell me about ${whole} ${inLanguage}`,
  `what does ${whole} do`,
  `what is ${whole} [about|for]`,
  `what is this`,
  `(overview|summary) [of] ${whole}`,
  `[この] (リポジトリ|プロジェクト|コードベース|コード) (を|について|の概要を|の内容を) ${japaneseLanguage} [簡単に|短く] (説明して|要約して|教えて)`,
  `[この] (リポジトリ|プロジェクト|コードベース) は (何をするものですか|何ですか|何をしますか|なに)`,
].map(phrase);

export const overview: Skill = {
  skill: 'overview',
  understand: (request) => {
    const [slots] = readings(written, request);
    if (!slots) return undefined;
    const {path = 'OVERVIEW.md'} = slots;
    const objective = `Write an overview of the repository to ${path}`;
    return plainJob('write', objective, () => write(path, writingOf(request)));
  },
};

export const explanation: Skill = {
  skill: 'explanation',
  understand: (request) => {
    const [slots] = readings(told, request);
    if (!slots) return undefined;
    return plainJob('explain', 'Explain the repository', () => explain(writingOf(request)));
  },
};

/** The language of the request, unless it names one. */
function writingOf(request: string): Writing {
  const language: Language = /in Japanese|日本語で/i.test(request)
    ? 'ja'
    : /in English|英語で/i.test(request) || !/[\p{Script=Hiragana}\p{Script=Han}]/u.test(request)
      ? 'en'
      : 'ja';
  return {language, isShort: /\b(?:short|brief(?:ly)?|quick)\b|短い|短く|簡単/i.test(request)};
}

const empty = 'the folder holds no files, so there is nothing to describe.';

function* write(path: string, style: Writing): Work {
  const repository = yield* surveyRepository(path);
  if (!isRepository(repository)) return repository;
  if (repository.files.length === 0) return notDone(empty);
  const found = style.isShort
    ? undefined
    : yield* findComments({...everywhere, except: [path]}, bothMarks);
  const open = found && isComments(found) ? found.comments.length : undefined;
  const content = overviewText(repository, open, style);
  return yield* writeWhole(path, content, `It covers ${repository.files.length} files.`);
}

function* explain(style: Writing): Work {
  const repository = yield* surveyRepository();
  if (!isRepository(repository)) return repository;
  return repository.files.length === 0 ? notDone(empty) : done(explanationText(repository, style));
}
