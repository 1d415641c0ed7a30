/** Writes the refusal of a request: the word at which reading stopped, and the nearest requests with the person's own words. */

import {isJapanese} from '../../../machines/domain/language.ts';
import {isStopWord} from '../../../tools/search/stop-words.ts';
import {textWords} from '../../../tools/text/words.ts';
import {firstReading, rulesIn, type Slots, understoodLength} from './phrase.ts';
import {repertoire} from './repertoire.ts';
import {scopeLength} from './scope.ts';
import type {Skill} from './skills/skill.ts';
import {type NotUnderstood, understand} from './understand.ts';

export const advice =
  'To have a language model do it, set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a local server under [providers.NAME] in the configuration, and choose a model with -m.';

const whyNothing = 'It acts only if it understands every word, so nothing was done.';

export function refusalOf(
  request: string,
  {understood: known, not}: NotUnderstood,
  skills: readonly Skill[],
): string {
  const parts = known.length > 0 ? not : [request];
  const [first = ''] = parts;
  const stop = stopIn(first, skills);
  const nearest = nearestTo(first, skills).map((line) => `- ${line}`);
  if (isJapanese(request)) {
    return [
      `オフラインモデルは規則で動き、${parts.map(citedInJapanese).join('と')}を理解できません。${stop && `${citedInJapanese(stop)}の所で止まりました。`}すべての語を理解できたときだけ実行するので、何もしていません。`,
      ...(nearest.length > 0 ? ['近い依頼の書き方:', ...nearest] : []),
      '質問は quorate ask で受け付けます。言語モデルに任せるには、ANTHROPIC_API_KEY か OPENAI_API_KEY を設定するか、設定ファイルの [providers.NAME] にローカルのサーバーを書き、-m でモデルを選びます。',
    ].join('\n');
  }
  const some = known.length > 0 ? ` It does understand ${known.map(cited).join(' and ')}.` : '';
  return [
    `The offline model works by rule and does not understand ${parts.map(cited).join(' and ')}${stop && `; it stopped at ${cited(stop)}`}.${some} ${whyNothing}`,
    ...inQuotes(first).filter((line) => isUnderstood(line.replace(/^[^:]*: /, ''), skills)),
    ...(isQuestion.test(request)
      ? [`To ask a question: quorate ask ${JSON.stringify(request)}`]
      : []),
    ...(nearest.length > 0 ? ['The nearest requests that it understands:', ...nearest] : []),
    advice,
  ].join('\n');
}

const isQuestion =
  /\?\s*$|^\s*(?:what|who|whom|whose|where|when|why|which|how|is|are|does|do|did|can|show|print|display|read|tell|explain)\b/i;

function citedInJapanese(text: string): string {
  return `「${cited(text).slice(1, -1)}」`;
}

function cited(text: string): string {
  return text.length > 200 ? `“${text.slice(0, 200).toWellFormed()}…”` : `“${text}”`;
}

/** The first word that no phrase accounts for; empty if there is none. */
function stopIn(request: string, skills: readonly Skill[]): string {
  const at = understoodLength(
    skills.flatMap(({forms}) => forms),
    request,
  );
  const [word = ''] = [at + scopeLength(request.slice(at)), at].flatMap(
    (from) => wordFrom(request, from) ?? [],
  );
  return word.slice(0, 40);
}

/** The first whole word at or around `from`, because a beginning may end within the name of a file. */
function wordFrom(request: string, from: number): string | undefined {
  const isWithin = /^(?:[\w-]|\.\w|[\p{Script=Hiragana}\p{Script=Katakana}ー])/u.test(
    request.slice(from),
  );
  const before = isWithin
    ? /(?:[\w.-]*|[\p{Script=Han}\p{Script=Katakana}ー]*)$/u.exec(request.slice(0, from))
    : undefined;
  const start = from - (before?.[0].length ?? 0);
  return /(?:[^\s、。,.;:!?]|\.(?=\w))+/.exec(request.slice(start))?.[0];
}

/** Suggested sentences, each above the phrases for which it is suggested. */
const sentences = rulesIn(`
Please put the text in quotes: Create {path} with the content "{words}"
(create|make|add|write) [a|the|an] [new] [file|text file] [called|named] {path:file} (with|containing|that says|saying) {words:rest}

Please put the text in quotes: Write "{words}" to {path}
(write|put|save) {words} (to|into|in) {path:file}

Please put the text in quotes: Append "{words}" to {path}
(append|add) {words} to [the end of] {path:file}

Please put the text in quotes: Insert "{words}" at the top of {path}
(insert|add|put) {words} at the (top|beginning|start) of {path:file}

Please put the text in quotes: Change line {nth} of {path} to "{words}"
(change|replace) line {nth:nth} of {path:file} (to|with) {words:rest}

Please put the text in quotes: Set "{key}" to "{words}" in {path}
(set|change|update) [the] {key:bareKey} (in|of) {path:json} to {words:rest}

Please name the line: Delete the line "{words}" from {path}
(delete|remove|erase) {words:quoted} (from|in) {path:file}

Please say the correction: Replace "{words}" with "…" {scope}
(fix|correct) the (typo|spelling|misspelling) [of] {words:text} [{scope:words}]
`);

function inQuotes(request: string): string[] {
  const found = [...sentences].flatMap(([instead, forms]) => {
    const sentence = firstReading(forms, request, ({words = '', ...others}) => {
      const text = words.trim().replace(/[.!]$/, '');
      const own: Slots = {...others, words: text};
      return text === '' || /["“”「」`\n]/.test(text) || text.length > 200
        ? undefined
        : instead.replaceAll(/\{(\w+)\}/g, (_, name: string) => own[name] ?? '');
    });
    return sentence ?? [];
  });
  return found.slice(0, 1);
}

const shown = 3;

/** The phrase of each skill that shares most words with the request, with the files and texts of the request inserted. */
function nearestTo(request: string, skills: readonly Skill[]): readonly string[] {
  const words = [...new Set(wordsAround(request))];
  const scoreOf = (line: string): number => {
    const own = new Set(wordsAround(line.replaceAll('"', '')));
    // The first word, usually the verb, has more weight.
    const shared = words.map((word, at) => (own.has(word) ? 1 + (at === 0 ? 0.5 : 0) : 0));
    const isOfKind = [line, request].every((text) => /\.json\b/.test(text));
    return shared.reduce((sum, one) => sum + one, isOfKind ? 0.5 : 0);
  };
  const best = repertoire.flatMap(({skill, phrases}) =>
    phrases
      .filter((line) => isJapanese(line) === isJapanese(request))
      // These skills overwrite a file with a report: the suggestion must not name a file of the person.
      .map((line) => ({
        line: inOwnWords(line, /overview|todos/.test(skill) ? '' : request),
        score: scoreOf(line),
      }))
      .filter(({line}) => line !== request.trim() && isUnderstood(line, skills))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, 1),
  );
  const near = best.filter(({score}) => score > 0).toSorted((a, b) => b.score - a.score);
  return (near.length > 0 ? near : best.slice(0, 1)).slice(0, shown).map(({line}) => line);
}

function isUnderstood(request: string, skills: readonly Skill[]): boolean {
  return 'tasks' in understand(request, skills);
}

const quoted = /"[^"\n]+"|“[^”\n]+”|「[^」]+」|`[^`\n]+`/g;
const fileName = /[\w./-]+\.[a-z]\w{0,4}(?!\w)/gi;

function wordsAround(text: string): string[] {
  const plain = text.replaceAll(quoted, ' ').replaceAll(fileName, ' ');
  return textWords(plain).filter((word) => !isStopWord(word));
}

/** A phrase with the quoted texts and files of the request, in order; empty if the files are too few or not JSON. */
function inOwnWords(line: string, request: string): string {
  const quotes = (request.match(quoted) ?? []).map((text) => text.slice(1, -1));
  const files: string[] = request.replaceAll(quoted, ' ').match(fileName) ?? [];
  const wanted = line.replaceAll(quoted, ' ').match(fileName) ?? [];
  const fits = wanted.every((name, at) => !name.endsWith('.json') || files[at]?.endsWith('.json'));
  const isShort = wanted.length > files.length && / and |と/.test(line);
  if (files.length > 0 && (isShort || !fits)) return '';
  return line
    .split(/("[^"]+"|「[^」]+」|`[^`]+`)/)
    .map((piece, index) =>
      index % 2 === 1
        ? `${piece[0]}${quotes.shift() ?? '…'}${piece.at(-1)}`
        : piece.replaceAll(fileName, (name) => files.shift() ?? name),
    )
    .join('');
}
