/**
 * The built-in model, which needs no network. It understands a small, documented set of requests by rule and carries them out.
 * For any other request it reports that it does not understand, and how to configure a model.
 */

import {asJson, isJsonObject, type JsonObject} from '../../../machines/domain/json.ts';
import type {ModelOutcome, ModelRequest} from '../../../machines/domain/model.ts';
import {quotedIn, sectionIn} from '../../../machines/prompts/section-reading.ts';
import {personWords} from '../../../machines/prompts/section-text.ts';
import type {ToolCall, Transcript} from '../../../machines/prompts/transcript.ts';
import {questionFor, type QuestionName} from '../../../machines/questions/questions.ts';
import {createFunctionModel} from '../function-model.ts';
import type {Model} from '../model.ts';
import {inLanguageOf} from './japanese.ts';
import {answerFromAttached} from './questions/attached.ts';
import {answeredByRule, objectedByRule, positionByRule, ruledByRule} from './questions/debating.ts';
import {concludedByRule, quotedFor, rankedByRule} from './questions/discussing.ts';
import {workOn} from './questions/questions.ts';
import {advice, refusalOf} from './refusing.ts';
import {commands} from './skills/commands.ts';
import {creation} from './skills/creation.ts';
import {definitions} from './skills/definition.ts';
import {editing} from './skills/editing.ts';
import {facts} from './skills/facts.ts';
import {moving} from './skills/moving.ts';
import {explanation, overview} from './skills/overview.ts';
import {replacement} from './skills/replacement.ts';
import {runTests} from './skills/run-tests.ts';
import type {Report, Skill, Use, Work} from './skills/skill.ts';
import {todos} from './skills/todos.ts';
import {
  answersIn,
  firstMessage,
  hasLaterMessages,
  questionOf,
  requestOf,
  useKey,
} from './transcript.ts';
import {understand} from './understand.ts';

const skills: readonly Skill[] = [
  overview,
  explanation,
  todos,
  editing,
  creation,
  moving,
  replacement,
  runTests,
  definitions,
  facts,
  commands,
];

/** Deterministic: the reply depends only on the request. It fails only when cancelled, or to report that work was not done. */
export function createOfflineModel(): Model {
  return createFunctionModel('offline/offline', reply);
}

const usage = {inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0};

/** The questions that rules can answer. */
const replies: Readonly<Partial<Record<QuestionName, (message: string) => ModelOutcome>>> = {
  create_plan: planned,
  evaluate_result: (message) => call('evaluate_result', evaluation(message)),
  rank_answers: (message) => call('rank_answers', rankedByRule(message)),
  conclude: (message) => call('conclude', concludedByRule(message)),
  take_position: (message) => call('take_position', positionByRule(message)),
  raise_objections: (message) => call('raise_objections', objectedByRule(message)),
  answer_objections: (message) => call('answer_objections', answeredByRule(message)),
  rule_on_objections: (message) => call('rule_on_objections', ruledByRule(message)),
  cast_ballot: abstained,
  review_diff: abstained,
};

function abstained(): ModelOutcome {
  const reason =
    'the offline model works by rule and cannot judge a proposal; the policy reviewers can';
  return call('cast_ballot', {verdict: 'abstain', reasons: [reason], confidence: 0});
}

function reply(request: ModelRequest): ModelOutcome {
  const outcome = replyTo(request);
  const isLast = outcome.kind === 'ok' && outcome.calls.length === 0 && outcome.text !== '';
  return isLast &&
    request.transcript.messages.some(({role, text}) => role === 'user' && hasLaterMessages(text))
    ? {...outcome, text: `${outcome.text}\n\n${laterMessagesIgnored}`}
    : outcome;
}

const laterMessagesIgnored =
  '(Later messages were ignored: the offline model works by rule, and understands a request only as a whole.)';

function replyTo({purpose, transcript, tools}: ModelRequest): ModelOutcome {
  const message = firstMessage(transcript.messages);
  if (purpose === 'explore') return say(explored(message));
  // Without text from a model, rules write the closing answer.
  if (purpose === 'close') return say('');
  if (purpose === 'act') return act(message, transcript);
  if (purpose === 'ask') return answerQuestion(message, transcript, tools);
  if (purpose === 'discuss') return say(quotedFor(message));
  // An interview without a leading model follows its own rules.
  const answer =
    purpose === 'greet' || purpose === 'interview' ? undefined : replies[questionFor(purpose)];
  return (
    answer?.(message) ?? say(`The offline model works by rule and has no rule for this. ${advice}`)
  );
}

function say(text: string): ModelOutcome {
  return {kind: 'ok', text, calls: [], usage};
}

function call(name: string, args: JsonObject): ModelOutcome {
  return {kind: 'ok', text: '', calls: [{id: 'offline-1', name, args}], usage};
}

/** A task that was not done counts as failed, even if its calls succeeded. */
function admit(text: string): ModelOutcome {
  return {kind: 'refused', code: 'not_done', message: text, usage};
}

function explored(message: string): string {
  const lines = (quotedIn(message, 'Survey') ?? '').split('\n').map((line) => line.trim());
  const found = lines.filter((line) => line !== '');
  if (found.length === 0) return 'The survey of the workspace found nothing that describes it.';
  const start = found.slice(0, 12).join(' ').slice(0, 600).toWellFormed();
  return `The survey of the workspace has ${found.length} lines. It begins: ${start}`;
}

const onAttached =
  'The offline model works by rule and does not understand this request about the attached text. It can count and quote its lines: quorate ask.';

function planned(message: string): ModelOutcome {
  if (sectionIn(message, 'Attached') !== undefined) return say(`${onAttached} ${advice}`);
  if (hasLaterMessages(message)) return say('Nothing is planned.');
  const request = requestOf(message);
  const found = understand(request, skills);
  if ('not' in found) {
    const given = previousPlan(message);
    return given ? call('create_plan', given) : say(refusalOf(request, found, skills));
  }
  if (sectionIn(message, 'Done so far') !== undefined) {
    const text = 'A task failed, and the offline model does not plan again.';
    return say(inLanguageOf(request, text));
  }
  const {objective, reasoning, tasks} = found;
  return call('create_plan', {objective, reasoning, tasks: tasks.map(asJson)});
}

/** The plan of a person, which the offline model proposes again because it cannot write another one. */
function previousPlan(message: string): JsonObject | undefined {
  try {
    const plan: unknown = JSON.parse(quotedIn(message, 'Previous plan') ?? '');
    return isJsonObject(plan) ? plan : undefined;
  } catch {
    return undefined;
  }
}

function answerQuestion(
  message: string,
  {messages}: Transcript,
  tools: readonly string[],
): ModelOutcome {
  const question = questionOf(message);
  const observed = sectionIn(message, 'Observations');
  if (observed !== undefined)
    return say(`The offline model only quotes the observations:\n${observed}`);
  const attached = sectionIn(message, 'Attached');
  if (attached !== undefined) return say(answerFromAttached(question, attached));
  return continueWork(workOn(question, tools), messages, ({text}) =>
    say(inLanguageOf(question, text)),
  );
}

function act(message: string, {messages}: Transcript): ModelOutcome {
  const request = requestOf(message);
  const found = understand(request, skills);
  const task = sectionIn(message, 'Task') ?? '';
  const {tasks, works} = 'not' in found ? {tasks: [], works: undefined} : found;
  const own = tasks.find((one) => task.startsWith(personWords(`${one.id}: ${one.description}`)));
  const work = works?.get(own?.id ?? '');
  if (!work) {
    return admit(
      `Not done: the offline model only does tasks of its own plans, and this is not one of them: ${task}. ${advice}`,
    );
  }
  return continueWork(work(), messages, ({text, isDone}) =>
    (isDone ? say : admit)(inLanguageOf(request, text)),
  );
}

/** Replays the work from its start with the answers in the transcript, up to the first calls without an answer. */
function continueWork(
  work: Work,
  messages: Transcript['messages'],
  conclude: (report: Report) => ModelOutcome,
): ModelOutcome {
  const answers = answersIn(messages);
  let step = work.next();
  while (step.done !== true) {
    const known = step.value.map((use) => answers.get(useKey(use)));
    const open = step.value.filter((_use, index) => known[index] === undefined);
    if (open.length > 0) {
      const calls = open.map((use, index) => toCall(use, messages.length, index));
      return {kind: 'ok', text: '', calls, usage};
    }
    step = work.next(known.filter((answer) => answer !== undefined));
  }
  return conclude(step.value);
}

function toCall({tool, args}: Use, turn: number, index: number): ToolCall {
  return {id: `offline-${turn}-${index + 1}`, name: tool, args};
}

/** Reports no problems of its own: the problems that code found are known without this verdict. */
function evaluation(message: string): JsonObject {
  const found = sectionIn(message, 'Problems found by code') ?? '';
  return {successful: !/^- /m.test(found), problems: []};
}
