/** Why a request is refused: the word at which reading stopped, and the nearest requests with the person's own words. */

import {isJapanese} from '../../../machines/domain/language.ts';
import {firstReading, rulesIn, type Slots, understoodLength} from './phrase.ts';
import {repertoire} from './repertoire.ts';
import {scopeLength} from './scope.ts';
import type {Skill} from './skill.ts';
import type {NotUnderstood} from './understand.ts';

export const advice =
  'To have a language model do it, set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a local server under [providers.NAME] in the configuration, and choose a model with -m.';

export function refusalOf(
  request: string,
  {understood: known, not}: NotUnderstood,
  skills: readonly Skill[],
): string {
  const parts = known.length > 0 ? not : [request];
  const [first = ''] = parts;
  const stop = stopIn(first, skills);
  const nearest = nearestTo(first);
  if (isJapanese(request)) {
    return [
      `オフラインモデルは規則で動き、${parts.map(cited).join('と')}を理解できません。${stop && `${cited(stop)}の所で止まりました。`}すべての語を理解できたときだけ実行するので、何もしていません。近い依頼の書き方:`,
      ...nearest.map((line) => `- ${line}`),
      '質問は quorate ask で受け付けます。詳しくは quorate help offline をご覧ください。言語モデルに任せるには、ANTHROPIC_API_KEY か OPENAI_API_KEY を設定するか、設定ファイルの [providers.NAME] にローカルのサーバーを書き、-m でモデルを選びます。',
    ].join('\n');
  }
  const some = known.length > 0 ? ` It does understand ${known.map(cited).join(' and ')}.` : '';
  return [
    `The offline model works by rule and does not understand ${parts.map(cited).join(' and ')}${stop && `; it stopped at ${cited(stop)}`}.${some} Every word has to be understood, so nothing was done.`,
    ...inQuotes(first),
    ...(isQuestion.test(request)
      ? [`To ask a question: quorate ask ${JSON.stringify(request)}`]
      : []),
    'The nearest requests that it understands:',
    ...nearest.map((line) => `- ${line}`),
    `For more see quorate help offline. ${advice}`,
  ].join('\n');
}

const isQuestion =
  /\?\s*$|^\s*(?:what|who|whom|whose|where|when|why|which|how|is|are|does|do|did|can)\b/i;

function cited(text: string): string {
  return text.length > 200 ? `“${text.slice(0, 200).toWellFormed()}…”` : `“${text}”`;
}

/** The first word that no phrase accounts for; empty when every phrase fails as a whole. */
function stopIn(request: string, skills: readonly Skill[]): string {
  const forms = skills.flatMap((skill) => skill.forms);
  const rest = request.slice(understoodLength(forms, request));
  const [word = ''] = [rest.slice(scopeLength(rest)), rest].flatMap(
    (text) => /[^\s、。,.;:!?]+/.exec(text)?.[0] ?? [],
  );
  return word.slice(0, 40);
}

/** The sentence to use, above the phrases that call for it. */
const sentences = rulesIn(`
Please put the text in quotes: Create {path} with the content "{rest}"
(create|make|add|write) [a|the|an] [new] [file|text file] [called|named] {path:file} (with|containing|that says|saying) {rest}

Please put the text in quotes: Write "{words}" to {path}
(write|put|save) {words} (to|into|in) {path:file}

Please put the text in quotes: Append "{words}" to {path}
(append|add) {words} to [the end of] {path:file}

Please put the text in quotes: Insert "{words}" at the top of {path}
(insert|add|put) {words} at the (top|beginning|start) of {path:file}

Please put the text in quotes: Change line {nth} of {path} to "{rest}"
(change|replace) line {nth:nth} of {path:file} (to|with) {rest}

Please say the correction: Replace "{from}" with "…" {scope}
(fix|correct) the (typo|spelling|misspelling) [of] {from:text} [{scope:words}]
`);

/** The same request with its text in quotes. */
function inQuotes(request: string): string[] {
  const found = [...sentences].flatMap(([instead, forms]) => {
    const sentence = firstReading(forms, request, (slots) => {
      const {rest, words = slots['from'], ...others} = slots;
      const text = (rest ?? words ?? '').trim().replace(/[.!]$/, '');
      const own: Slots = {...others, from: text, rest: text, words: text};
      return text === '' || /["“”「」`\n]/.test(text) || text.length > 200
        ? undefined
        : instead.replaceAll(/\{(\w+)\}/g, (_, name: string) => own[name] ?? '');
    });
    return sentence ?? [];
  });
  return found.slice(0, 1);
}

const shown = 3;

/** The phrases of other skills that share most words with the request, with its files, texts and names put in. */
function nearestTo(request: string): readonly string[] {
  const words = new Set(wordsIn(request));
  return repertoire
    .flatMap(({phrases: known}) => {
      const own = known.filter((line) => isJapanese(line) === isJapanese(request));
      const [best] = own
        .map((line) => ({line, score: new Set(wordsIn(line)).intersection(words).size}))
        .toSorted((a, b) => b.score - a.score);
      return best ?? [];
    })
    .toSorted((a, b) => b.score - a.score)
    .map(({line}) => inOwnWords(line, request))
    .filter((line) => line !== request.trim())
    .slice(0, shown);
}

const dull = /^(?:the|a|an|to|in|of|with|and|it|is|this|that|for|from|please|txt|md|js|json)$/;

/** Latin words, and pairs of Japanese characters; of phrases without their quoted texts. */
function wordsIn(text: string): readonly string[] {
  const plain = text.toLowerCase();
  const latin = (plain.match(/[a-z]+/g) ?? []).filter((word) => !dull.test(word));
  const japanese = [...plain.matchAll(/(?=([\p{Script=Han}\p{Script=Katakana}]{2}))/gu)];
  return [...latin, ...japanese.map(([, pair = '']) => pair)];
}

const quoted = /"[^"\n]+"|“[^”\n]+”|「[^」]+」|`[^`\n]+`/g;
const fileName = /[\w./-]+\.[a-z]\w{0,4}(?!\w)/gi;

/** A known phrase with the quoted texts and files of the request in place of its own, in their order. */
function inOwnWords(line: string, request: string): string {
  const quotes = (request.match(quoted) ?? []).map((text) => text.slice(1, -1));
  const files: string[] = request.replaceAll(quoted, ' ').match(fileName) ?? [];
  return line
    .split(/("[^"]+"|「[^」]+」|`[^`]+`)/)
    .map((piece, index) =>
      index % 2 === 1
        ? `${piece[0]}${quotes.shift() ?? '…'}${piece.at(-1)}`
        : piece.replaceAll(fileName, (name) => files.shift() ?? name),
    )
    .join('');
}
