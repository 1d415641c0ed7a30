/**
 * The built-in model, which needs no network. It carries out the requests of the recipes, quotes texts in answers and discussions,
 * and refuses everything else with the way to a language model. It is a demonstration: it does not understand language.
 */

import {isJsonObject, type JsonObject} from '../../../machines/domain/json.ts';
import {isJapanese, type Language} from '../../../machines/domain/language.ts';
import type {ModelOutcome, ModelPurpose, ModelRequest} from '../../../machines/domain/model.ts';
import {
  personWords,
  quotationsIn,
  quotedIn,
  sectionIn,
  unescapedWords,
} from '../../../machines/prompts/section-text.ts';
import type {SectionTitle} from '../../../machines/prompts/sections.ts';
import type {ToolCall, Transcript} from '../../../machines/prompts/transcript.ts';
import {
  questionFor,
  type QuestionName,
  questionPurposes,
  toolOf,
} from '../../../machines/questions/questions.ts';
import {isStopWord} from '../../../tools/search/query.ts';
import {textWords} from '../../../tools/text/words.ts';
import {createFunctionModel, type Model} from '../model.ts';
import {advance, call, nearExample, NotDone, taskFor, type Work} from './recipes.ts';

/** Deterministic: the reply depends only on the request. It fails only when cancelled, or to report that work was not done. */
export function createOfflineModel(): Model {
  return createFunctionModel('offline/offline', reply);
}

const usage = {inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0};

function say(text: string, ...calls: readonly ToolCall[]): ModelOutcome {
  return {kind: 'ok', text, calls, usage};
}

function callOutcome(name: string, args: JsonObject): ModelOutcome {
  return say('', {id: 'offline', name, args});
}

/** A task that was not done counts as failed, even if its calls succeeded. */
function refuse(message: string): ModelOutcome {
  return {kind: 'refused', code: 'not_done', message, usage};
}

function reply(request: ModelRequest): ModelOutcome {
  const {messages} = request.transcript;
  const outcome = replyTo(request, messages.find(({role}) => role === 'user')?.text ?? '');
  const isLast = outcome.kind === 'ok' && outcome.calls.length === 0 && outcome.text !== '';
  return isLast && messages.some(({role, text}) => role === 'user' && hasLaterMessages(text))
    ? say(`${outcome.text}\n\n(The offline model ignored later messages.)`)
    : outcome;
}

function hasLaterMessages(message: string): boolean {
  return sectionIn(message, 'Said meanwhile') !== undefined;
}

function replyTo(request: ModelRequest, message: string): ModelOutcome {
  const asked = questionPurposes.find((purpose) => purpose === request.purpose);
  const question = asked && questionFor(asked);
  const args = question && answers[question]?.(message);
  // An interview without a leading model follows its own rules.
  return question && args
    ? callOutcome(toolOf(question), args)
    : (replies[request.purpose]?.(message, request) ?? say(texts.en.way));
}

type Reply = (message: string, request: ModelRequest) => ModelOutcome;

const replies: Readonly<Partial<Record<ModelPurpose, Reply>>> = {
  explore: () => say('The offline model does not explore the files.'),
  // Without text from a model, rules write the closing answer.
  close: () => say(''),
  act,
  ask: answer,
  discuss: (message) => say(takePart(message)),
  plan,
};

// The rule-based part of discussions and debates: each seat quotes statements on one point of view, readers count quotations, and
// the moderator lists them. None of them has an opinion, and each says so.

const signs: Readonly<Record<string, RegExp>> = {
  benefits:
    /\b(?:benefit|better|easi?er|fast|good|improv|reliab|safe|sav(?:e|ing)|simpl)|利点|改善|安全/iu,
  risks:
    /\b(?:break|broke|bug|crash|danger|fail|los[est]|outage|problem|risk|slow)|危険|失敗|障害|問題/iu,
  cost: /[$€£¥]|\b(?:budget|cost|effort|expensive|hours?\b|months?\b|price|weeks?\b)|費用|円|料金/iu,
  evidence:
    /\d\s*(?:%|ms\b|x\b|[KMG]B\b|件|倍|times\b|jobs?\b|users?\b)|\b(?:benchmark|measur)|計測/iu,
};

const maxStatements = 5;

/** The arguments of the tool that answers each question of a discussion or a debate. */
const contributions = {
  rank_answers: (message: string): JsonObject => {
    const reviews = quotationsIn(sectionIn(message, 'Answers') ?? '')
      .map(({source, lines}) => ({
        label: source,
        assessment: 'A rule only counts quotations.',
        score: Math.min(10, 1 + 2 * lines.filter((line) => line.startsWith('- ')).length),
      }))
      .toSorted((one, other) => other.score - one.score);
    return {ranking: reviews.map(({label}) => label), reviews};
  },
  conclude: (message: string): JsonObject => {
    const points = (['Answers', 'Position', 'Objections'] as const).flatMap(
      (title) => sectionIn(message, title)?.match(/(?:(?<=- )\w+: )?“.+” \([^)]*\)$/gm) ?? [],
    );
    const conclusion =
      points.length > 0
        ? 'No conclusion: rules quote and do not weigh arguments. Weigh the key points yourself.'
        : 'No conclusion: the rules found nothing to quote on this question.';
    return {conclusion, key_points: points, agreements: [], disagreements: []};
  },
  take_position: (message: string): JsonObject => {
    const quotes = quotesOf('benefits', message);
    return quotes.length > 0
      ? {position: 'By rule: the quotations support it. A rule has no opinion.', arguments: quotes}
      : {position: 'By rule: no text supports it.', arguments: ['no quotation was found']};
  },
  /** A risk is a major objection until a person decides. */
  raise_objections: (message: string): JsonObject => {
    const quotes = sectionIn(message, 'Objections') === undefined ? quotesOf('risks', message) : [];
    return {objections: quotes.map((objection) => ({severity: 'major', objection}))};
  },
  answer_objections: (message: string): JsonObject => ({
    answers: openIds(message).map((id) => ({id, answer: 'A rule cannot answer it.'})),
  }),
  rule_on_objections: (message: string): JsonObject => ({
    rulings: openIds(message).map((id) => ({id, ruling: 'stands', reason: 'A person decides.'})),
  }),
} as const;

/** The arguments of the tools that answer a question by rule. */
const answers: Readonly<Partial<Record<QuestionName, (message: string) => JsonObject>>> = {
  ...contributions,
  cast_ballot: () => abstention,
  review_diff: () => abstention,
  // Problems that code found are known without this verdict.
  evaluate_result: (message) => ({
    successful: !/^- /m.test(sectionIn(message, 'Problems found by code') ?? ''),
    problems: [],
  }),
};

const abstention = {
  verdict: 'abstain',
  reasons: ['the offline model cannot judge a proposal; the policy reviewers can'],
  confidence: 0,
};

const taskId = 'do';

function plan(message: string): ModelOutcome {
  const rejected = rejectedPlan(message);
  if (rejected) return callOutcome('create_plan', rejected);
  const request = requestIn(message);
  const isAlone = sectionIn(message, 'Attached') === undefined && !hasLaterMessages(message);
  const task = isAlone ? taskFor(request) : undefined;
  if (!task) return say(refusalOf(request));
  if (sectionIn(message, 'Done so far') !== undefined)
    return say(texts[languageOf(request)].failed);
  const description = descriptionOf(request);
  return callOutcome('create_plan', {
    objective: description,
    reasoning: 'Every word of the request is understood by rule.',
    tasks: [{id: taskId, description, ...('tool' in task ? task : {})}],
  });
}

/** The model cannot write another plan: it proposes this one again, and a person decides. */
function rejectedPlan(message: string): JsonObject | undefined {
  try {
    const given: unknown = JSON.parse(quotedIn(message, 'Previous plan') ?? '');
    return isJsonObject(given) ? given : undefined;
  } catch {
    return undefined;
  }
}

function requestIn(message: string): string {
  return unescapedWords(sectionIn(message, 'Request') ?? message).trim();
}

/** The words of the request: a plan promises nothing else. */
function descriptionOf(request: string): string {
  const text = request.replace(/[.。]$/, '');
  return text.length > 300 ? `${text.slice(0, 300).toWellFormed()}…` : text;
}

/** Does only the task of its own plan: a person may have changed the plan. */
function act(message: string, {transcript}: ModelRequest): ModelOutcome {
  const request = requestIn(message);
  const own = personWords(`${taskId}: ${descriptionOf(request)}`);
  const task = sectionIn(message, 'Task')?.startsWith(own) ? taskFor(request) : undefined;
  return task && !('tool' in task)
    ? continueWork(task, transcript)
    : refuse(`The offline model only does tasks of its own plans. ${texts.en.way}`);
}

function answer(message: string, {transcript, tools}: ModelRequest): ModelOutcome {
  const question = unescapedWords(sectionIn(message, 'Question') ?? message).trim();
  const language = languageOf(question);
  const given = sectionIn(message, 'Observations') ?? sectionIn(message, 'Attached');
  return given === undefined
    ? continueWork(answerTo(question, tools, language), transcript)
    : say(quoteGiven(question, given, language));
}

function continueWork(work: Work, {messages}: Transcript): ModelOutcome {
  try {
    const next = advance(work, messages);
    if (typeof next === 'string') return say(next);
    const id = `offline-${messages.length}`;
    const calls = next.map(({tool: name, args}, at) => ({id: `${id}-${at}`, name, args}));
    return say('', ...calls);
  } catch (error) {
    if (error instanceof NotDone) return refuse(error.message);
    throw error;
  }
}

function languageOf(request: string): Language {
  return isJapanese(request) ? 'ja' : 'en';
}

const questionWords =
  /[?？]$|^(?:what|who|where|when|why|which|how|is|are|does|do|did|can|show|tell|explain|describe)\b|(?:です|ます)か。?$/iu;

/** At most three lines: what works here, if it is near; that this needs a language model; the way to one. */
function refusalOf(request: string): string {
  const question = `quorate ask ${JSON.stringify(request.slice(0, 200))}`;
  const example = questionWords.test(request) ? question : nearExample(request);
  const {near, need, way} = texts[languageOf(request)];
  return [...(example === undefined ? [] : [`${near} ${example}`]), need, way].join('\n');
}

/** `way`: the shortest way to a language model on this machine. */
const texts = {
  en: {
    failed: 'A task failed, and the offline model does not plan again.',
    near: 'Without a language model, this works:',
    need: 'This request needs a language model: the offline model did not understand every word, so nothing was done.',
    way: 'To use one, set ANTHROPIC_API_KEY or OPENAI_API_KEY, or start a local server such as Ollama and use -m ollama/MODEL.',
  },
  ja: {
    failed: 'タスクが失敗しました。オフラインモデルは計画を立て直しません。',
    near: '言語モデルなしでできること:',
    need: 'この依頼には言語モデルが必要です。オフラインモデルが理解できない語があるので、何もしていません。',
    way: 'ANTHROPIC_API_KEY か OPENAI_API_KEY を設定するか、Ollama などのローカルサーバーを起動して -m ollama/MODEL を使ってください。',
  },
} as const;

// Answers questions: computes, runs a given SELECT, counts the rows of a table, or else quotes code and documents.

const computed =
  /^(?:(?:what(?:'s| is)|how much is|compute|calculate)\s+)?(?<sum>[\d(.-][\d\s.+*/%()-]*[\d)])\s*(?:は(?:いくつ|いくら)?(?:ですか)?|を計算して)?[\s=?？.。]*$/iu;
const counted =
  /^(?:how many (?<english>\w+) are there|(?<japanese>\w+)\s*は何件(?:ですか|ありますか)?)[?？.。]*$/iu;

/** `tools` are the names of the tools that the question may use. */
function* answerTo(question: string, tools: readonly string[], language: Language): Work {
  const sum = computed.exec(question)?.groups?.['sum'] ?? '';
  // A date is not a sum.
  if (/\d\)*\s*[+*/%-]/.test(sum) && !/^\d+(?:-\d+)+$/.test(sum) && tools.includes('calculator'))
    return `${sum} = ${yield* call('calculator', {expression: sum})}`;
  const sql = tools.includes('database') ? queryFor(question) : undefined;
  if (sql === undefined) return yield* quote(question, tools, language);
  const rows = tableText(yield* call('database', {sql}));
  return sql === question ? rows : `${rows}\n\n${sql}`;
}

function queryFor(question: string): string | undefined {
  if (/^(?:select|with|values)\b/i.test(question)) return question;
  const {english, japanese} = counted.exec(question)?.groups ?? {};
  const table = english ?? japanese;
  return table === undefined ? undefined : `SELECT count(*) AS ${table} FROM ${table}`;
}

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly note?: string;
}

/** The table as the database tool writes it, in aligned lines. */
function tableText(text: string): string {
  const {columns, rows, note = ''}: Table = JSON.parse(text);
  const lines = [columns, ...rows.map((row) => columns.map((name) => String(row[name])))];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const aligned = lines.map((line) => line.map((value, at) => value.padEnd(widths[at] ?? 0)));
  return [...aligned.map((line) => line.join('  ').trimEnd()), note].join('\n').trimEnd();
}

const heads: Readonly<Record<Language, string>> = {
  en: 'The offline model only quotes, and interprets nothing.',
  ja: 'オフラインモデルは引用だけをして、解釈はしません。',
};

const maxQuotes = 4;

/** The lines of code with most words of the question, and the best passages of documents. */
function* quote(question: string, tools: readonly string[], language: Language): Work {
  const words = wordsOf(question);
  const pairs = words.flatMap((one, at) =>
    words.slice(at + 1).map((other) => `^(?=.*${one})(?=.*${other})`),
  );
  const patterns = [pairs, words].filter(({length}) => length > 0);
  const uses = [
    ...patterns.map((all) => ({
      tool: 'grep_search',
      args: {pattern: all.join('|'), case_insensitive: true},
    })),
    {tool: 'search', args: {query: question, top_k: 2}},
  ].filter(({tool}) => tools.includes(tool));
  const outcomes = uses.length > 0 ? yield uses : [];
  const textsOf = (tool: string): string[] =>
    outcomes.filter((_, at) => uses[at]?.tool === tool).map(({text}) => text);
  const lines = textsOf('grep_search').flatMap((text) => text.split('\n').slice(0, -1));
  return [heads[language], ...bestLines(lines, words), ...textsOf('search')].join('\n\n');
}

/** At most five, in lower case and without common endings. */
function wordsOf(question: string): string[] {
  const words = (question.match(/[A-Za-z_]\w{2,}/g) ?? []).filter(
    (word) => !textWords(word).every(isStopWord),
  );
  const stems = words.map((word) => word.toLowerCase().replace(/(?<=\w{3})(?:s|ed|ing|y)$/, ''));
  return [...new Set(stems)].slice(0, 5);
}

function bestLines(lines: readonly string[], words: readonly string[]): readonly string[] {
  const countIn = (line: string): number =>
    words.filter((word) => line.toLowerCase().includes(word)).length;
  const found = [...new Set(lines)].filter((line) => countIn(line) > 0);
  return found.toSorted((one, other) => countIn(other) - countIn(one)).slice(0, maxQuotes);
}

/** Quotes the lines of given texts that contain words of the question, or else their first lines. */
function quoteGiven(question: string, given: string, language: Language): string {
  const words = wordsOf(question);
  const quoted = quotationsIn(given).flatMap(({source, lines}) => {
    const best = bestLines(lines, words);
    const shown = best.length > 0 ? best : lines.slice(0, 3 * maxQuotes);
    return [`${source}: ${lines.length} lines`, shown.map((line) => `> ${line}`).join('\n')];
  });
  return [heads[language], ...quoted].join('\n\n');
}

/** The statements of a point of view, each with its place, such as `“Postgres costs more.” (docs/queue.md:4)`. */
function quotesOf(view: string, message: string): string[] {
  const question = unescapedWords(sectionIn(message, 'Question') ?? message);
  const words = new Set(textWords(question).filter((word) => !isStopWord(word)));
  const isOnTopic = ([text]: Sentence): boolean => textWords(text).some((word) => words.has(word));
  const inSection = (title: SectionTitle): Sentence[] => quotedSentences(sectionIn(message, title));
  const sentences = [
    ...sentencesIn(question, 'the question').filter(([text]) => !/[?？]$/u.test(text)),
    ...inSection('Attached'),
    ...inSection('Passages of documents'),
    ...inSection('Survey').filter(isOnTopic),
  ].filter(([text]) => signs[view]?.test(text));
  const placeOf = new Map(sentences.toReversed());
  const distinct = [...new Set(sentences.map(([text]) => text))].slice(0, maxStatements);
  return distinct.map((text) => `“${text}” (${placeOf.get(text)})`);
}

type Sentence = readonly [text: string, place: string];

/** A passage of a search begins with `[1] path:first-last`, and its lines are quoted once more. */
function quotedSentences(section = ''): Sentence[] {
  return quotationsIn(section).flatMap(({source, lines}) => {
    let [name, number] = [/^(?:File|Attached) (.*)$/.exec(source)?.[1], 0];
    return lines.flatMap((line) => {
      const [, path, first] = /^\[\d+\] (.+):(\d+)-\d+$/.exec(line) ?? [];
      if (path !== undefined) [name, number] = [path, Number(first) - 1];
      if (name === undefined || path !== undefined || line.startsWith('heading: ')) return [];
      number += 1;
      return sentencesIn(line.replace(/^> /, ''), `${name}:${number}`);
    });
  });
}

/** Headings, code and very short texts are left out. */
function sentencesIn(line: string, place: string): Sentence[] {
  if (/^\s*(?:#|```|\||[{}[\]"])/.test(line)) return [];
  return line
    .split(/(?<=[.!?])\s+|(?<=[。！？])/u)
    .map((text) => text.replace(/^[\s*+-]+/, '').trim())
    .filter((text) => text.length >= 12 || /[^\p{ASCII}]{6}/u.test(text))
    .map((text) => [text.slice(0, 400).toWellFormed(), place]);
}

/** Equal answers count as one: that of a seat without a quotation does not name its point of view. */
function takePart(message: string): string {
  const view = sectionIn(message, 'Point of view') ?? 'evidence';
  const quotes = quotesOf(view, message).map((best) => `- ${view}: ${best}`);
  return quotes.length === 0
    ? 'By rule: no given or found text has anything to quote on this question.'
    : ['Found by keywords, not an opinion:', ...quotes].join('\n');
}

function openIds(message: string): readonly string[] {
  return sectionIn(message, 'What to do')?.match(/\bO\d+\b/g) ?? [];
}
