/** The skills that describe a repository, in a file or in the report. The text is computed from tool results. */

import {labelsIn} from '../japanese.ts';
import {explanationText, overviewText, type Writing} from '../repository-text.ts';
import {surveyRepository} from '../repository.ts';
import {everywhere} from '../scope.ts';
import {done, jobOf, notDone, skillOf, type Work} from './skill.ts';
import {bothMarks, findComments} from './todos.ts';
import {writeWhole} from './write-whole.ts';

const parts = {
  whole: [
    '[this|the|my|our] [whole] (repository|repo|project|code base|codebase|workspace|folder|directory|code)',
  ],
  language: ['[in English|in Japanese]'],
  text: ['[an|a|the] [short|brief|quick] (overview|summary|description|explanation)'],
  writing: ['(write|create|make|generate|produce|save|put)'],
  thing: [
    '[この] [リポジトリの|プロジェクトの|コードベースの] [短い|簡単な] (概要|サマリー|要約|説明)',
  ],
  japanese: ['[日本語で|英語で]'],
  written: ['(書いて|書く|書き出して|まとめて|作成して|出力して|保存して)'],
};

export const overview = skillOf(
  {
    overview: ({path = 'OVERVIEW.md'}, request) =>
      jobOf('write', `Write an overview of the repository to ${path}`, () =>
        write(path, writingOf(request)),
      ),
  },
  `
overview
<writing> [me] <text> (of|for|about) <whole> <language> (to|into|in|as) [the|a|an] [new] [file] [called|named] {path:file} <language>
(summarize|summarise|describe|document|explain) <whole> <language> (to|into|in) [the|a] [file] {path:file} <language>
<writing> <text> (of|for|about) <whole> <language>
<thing> を <japanese> {path:file} に <japanese> <written>
{path:file} に <thing> を <japanese> <written>
`,
  parts,
);

export const explanation = skillOf(
  {
    explanation: (_, request) =>
      jobOf('explain', 'Explain the repository', () => explain(writingOf(request))),
  },
  `
explanation
[briefly] (explain|summarize|summarise|describe) <whole> [to me] [briefly] <language>
(give|show) me <text> (of|for|about) <whole> <language>
tell me about <whole> <language>
what does <whole> do
what is <whole> [about|for]
what is this
(overview|summary) [of] <whole>
[この] (リポジトリ|プロジェクト|コードベース|コード) (を|について|の概要を|の内容を) <japanese> [簡単に|短く] (説明して|要約して|教えて)
[この] (リポジトリ|プロジェクト|コードベース) は (何をするものですか|何ですか|何をしますか|なに)
`,
  parts,
);

function writingOf(request: string): Writing {
  const named = /in (English|Japanese)|([英日])(?:本)?語で/i.exec(request);
  const isForJapanese = named
    ? /japanese|日/i.test(named[0])
    : /[\p{Script=Hiragana}\p{Script=Han}]/u.test(request);
  return {
    label: labelsIn(isForJapanese ? 'ja' : 'en'),
    isShort: /\b(?:short|brief(?:ly)?|quick)\b|短い|短く|簡単/i.test(request),
  };
}

const empty = 'the folder contains no files, so there is nothing to describe.';

function* write(path: string, style: Writing): Work {
  const repository = yield* surveyRepository(path);
  if ('isDone' in repository) return repository;
  if (repository.files.length === 0) return notDone(empty);
  const found = style.isShort
    ? undefined
    : yield* findComments({...everywhere, except: [path]}, bothMarks);
  const open = found && 'comments' in found ? found.comments.length : undefined;
  const content = overviewText(repository, open, style);
  return yield* writeWhole(path, content, `It covers ${repository.files.length} files.`);
}

function* explain(style: Writing): Work {
  const repository = yield* surveyRepository();
  if ('isDone' in repository) return repository;
  return repository.files.length === 0 ? notDone(empty) : done(explanationText(repository, style));
}
