/**
 * The built-in model, which needs no network. It carries out the requests of the recipes, quotes texts in answers and discussions,
 * and refuses everything else with the way to a language model. It is a demonstration: it does not understand language.
 */

import {isJsonObject, type JsonObject} from '../../../machines/domain/json.ts';
import {isJapanese, type Language} from '../../../machines/domain/language.ts';
import type {ModelOutcome, ModelPurpose, ModelRequest} from '../../../machines/domain/model.ts';
import {
  personWords,
  quotedIn,
  sectionIn,
  unescapedWords,
} from '../../../machines/prompts/section-text.ts';
import type {ToolCall, Transcript} from '../../../machines/prompts/transcript.ts';
import {
  questionFor,
  type QuestionName,
  questionPurposes,
  toolOf,
} from '../../../machines/questions/questions.ts';
import {createFunctionModel, type Model} from '../model.ts';
import {contributions, takePart} from './discussion.ts';
import {answerTo, quoteGiven} from './questions.ts';
import {nearExample, taskFor} from './recipes.ts';
import {advance, NotDone, type Work} from './work.ts';

/** Deterministic: the reply depends only on the request. It fails only when cancelled, or to report that work was not done. */
export function createOfflineModel(): Model {
  return createFunctionModel('offline/offline', reply);
}

const usage = {inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0};

function say(text: string, ...calls: readonly ToolCall[]): ModelOutcome {
  return {kind: 'ok', text, calls, usage};
}

function call(name: string, args: JsonObject): ModelOutcome {
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
    ? call(toolOf(question), args)
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
  if (rejected) return call('create_plan', rejected);
  const request = requestIn(message);
  const isAlone = sectionIn(message, 'Attached') === undefined && !hasLaterMessages(message);
  const task = isAlone ? taskFor(request) : undefined;
  if (!task) return say(refusalOf(request));
  if (sectionIn(message, 'Done so far') !== undefined)
    return say(texts[languageOf(request)].failed);
  const description = descriptionOf(request);
  return call('create_plan', {
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
