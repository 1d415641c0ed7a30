/** Answers questions that name a file: finds the file, reads it, and describes it. */

import {escapePattern} from '../../../../machines/domain/escape-pattern.ts';
import {type Label, labelsFor} from '../japanese.ts';
import {languageOf} from '../languages.ts';
import {isWhole, readListing} from '../listing.ts';
import {findMatches} from '../matches.ts';
import {everywhere} from '../scope.ts';
import type {Steps} from '../skills/skill.ts';
import {definedText, usedText} from './name-lookup.ts';
import {answerOnFile} from './text-file.ts';

const named =
  /(?<![\w/.:@-])@?`?(?<path>(?:[\w.+-]+\/)*(?:[\w.+-]*\.[A-Za-z]\w{0,9}|Makefile|Dockerfile|LICENSE|README))`?(?![\w/(])/g;
const ofDatabase = /\.(?:sqlite3?|db3?)$/i;
const maxLines = 100_000;

const ofUses =
  /(?:import|use|read|load|mention|reference|include)s?\s+(?:the\s+)?(?:file\s+)?`?FILE|FILE`?\s+(?:(?:is|gets)\s+)?(?:used|imported|read|loaded|mentioned|referenced|included)\b|FILE`?\s*[はをが].*(?:読み込|インポート|使|参照)/i;

export function* answerOnNamedFile(question: string): Steps<string | undefined> {
  const paths = [...question.matchAll(named)].map(({groups}) => groups?.['path'] ?? '');
  const label = labelsFor(question);
  for (const path of paths.filter((one) => !ofDatabase.test(one))) {
    const [listed] = yield [
      {tool: 'glob_search', args: {pattern: `{${path},**/${path}}`, max_results: 20}},
    ];
    const files = listed?.isError === false ? readListing(listed.text).files : [];
    const file = files.find((one) => one.path === path) ?? files[0];
    if (file && ofUses.test(question.replaceAll(path, 'FILE')))
      return yield* usesOf(file.path, label);
    if (file) return yield* describeFile(question.replaceAll(path, file.path), file.path);
    if (isSurelyFile(path)) {
      return label('No file $1 was found. Files that .gitignore names are not searched.', path);
    }
  }
  return undefined;
}

function* usesOf(path: string, label: Label): Steps<string> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const uses = yield* findMatches(String.raw`(?<![\w-])${escapePattern(name)}(?!\w)`, {
    ...everywhere,
    except: [path],
  });
  if ('refused' in uses) return uses.refused.text;
  const found = {name, definitions: [], uses};
  return usedText(found, false, label) ?? definedText(found, label);
}

/** False for names such as `Node.js`, a product, and `cart.reduce`, a name in code. */
function isSurelyFile(path: string): boolean {
  if (path.includes('/') || path.startsWith('.')) return true;
  return languageOf(path) !== 'other' && !/^[A-Z][a-z]+\.js$/.test(path);
}

function* describeFile(question: string, path: string): Steps<string> {
  const [read] = yield [{tool: 'read_file', args: {path, limit: maxLines}}];
  if (!read || read.isError) return `${path}: ${read?.text ?? ''}`;
  const answer = answerOnFile(question, {path, text: read.text});
  return isWhole(read.text)
    ? answer
    : `${answer}\n${labelsFor(question)('Only the beginning of this file was read.')}`;
}
