/**
 * The built-in model that needs no network: it understands a small, documented set of requests by rule and does them
 * for real. For anything else it says so, and how to configure a model.
 */

import type {JsonObject} from '../../../machines/domain/json.ts';
import type {ModelReply, ModelRequest} from '../../../machines/domain/model.ts';
import {questionFor, type QuestionName} from '../../../machines/domain/questions.ts';
import type {ToolCall, Transcript} from '../../../machines/domain/transcript.ts';
import {createFunctionModel} from '../function-model.ts';
import type {Model} from '../model.ts';
import {commands} from './commands.ts';
import {appending, creation} from './files.ts';
import {overview} from './overview.ts';
import {workOn} from './questions.ts';
import {replacement} from './replacement.ts';
import {
  type Job,
  notDone,
  partlyDone,
  type PlannedTask,
  type Skill,
  type Use,
  type Work,
} from './skill.ts';
import {todos} from './todos.ts';
import {
  answersIn,
  firstMessage,
  lastSection,
  questionOf,
  requestOf,
  textAfter,
  useKey,
} from './transcript.ts';

/** In the order in which they are tried. */
const skills: readonly Skill[] = [overview, todos, appending, creation, replacement, commands];

export {offlineQuestions} from './questions.ts';

/** What the offline model understands, for the documentation. */
export const offlineSkills = skills.map(({skill, phrases, does}) => ({skill, phrases, does}));

/** Deterministic: the reply follows from the request alone. Never fails but by cancellation. */
export function createOfflineModel(): Model {
  return createFunctionModel('offline/offline', (request) => withUsage(request, reply(request)));
}

interface Reply {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

/** The questions that rules can answer; every other one stays without an answer. */
const replies: Readonly<Partial<Record<QuestionName, (message: string) => Reply>>> = {
  create_plan: planned,
  evaluate_result: (message) => call('evaluate_result', evaluation(message)),
  cast_ballot: () =>
    call('cast_ballot', {
      verdict: 'abstain',
      reasons: [
        'the offline model works by rule and cannot judge a proposal; the policy reviewers can',
      ],
      confidence: 0,
    }),
};

function reply({purpose, transcript, tools}: ModelRequest): Reply {
  const message = firstMessage(transcript.messages);
  if (purpose === 'explore') return say(explored(message));
  if (purpose === 'act') return act(message, transcript);
  if (purpose === 'ask') return answerQuestion(message, transcript, tools);
  return (
    replies[questionFor(purpose)]?.(message) ??
    say(`The offline model works by rule and has none for this. ${advice}`)
  );
}

function say(text: string): Reply {
  return {text, calls: []};
}

function call(name: string, args: JsonObject): Reply {
  return {text: '', calls: [{id: 'offline-1', name, args}]};
}

function explored(message: string): string {
  const lines = textAfter(message, 'Survey')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) return 'The survey of the workspace found nothing that describes it.';
  const start = lines.slice(0, 12).join(' ').slice(0, 600).toWellFormed();
  return `The survey of the workspace has ${lines.length} lines. It begins: ${start}`;
}

function understand(message: string): Job | undefined {
  const request = requestOf(message) ?? message;
  for (const skill of skills) {
    const job = skill.understand(request);
    if (job) return job;
  }
  return undefined;
}

function planned(message: string): Reply {
  const job = understand(message);
  if (!job) return say(unknownRequest(requestOf(message) ?? message));
  if (lastSection(message, 'Done so far') !== undefined) {
    return say(
      `The offline model has one plan for “${job.objective}” and can't plan what is left of it. ${advice}`,
    );
  }
  const isRevision = lastSection(message, 'Previous plan') !== undefined;
  const reasoning = isRevision
    ? `${job.reasoning} The offline model has only this plan: the reasons given against it are for a person to weigh.`
    : job.reasoning;
  return call('create_plan', {
    objective: job.objective,
    reasoning,
    tasks: job.tasks.map(toArguments),
  });
}

function toArguments({depends_on: needs, ...task}: PlannedTask): JsonObject {
  return {...task, ...(needs ? {depends_on: needs} : {})};
}

const advice =
  'To have a language model do it, set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a local server under [providers.NAME] in the configuration, and choose a model with -m.';

function unknownRequest(request: string): string {
  const examples = skills.map(({phrases}) => `- ${phrases[0] ?? ''}`).join('\n');
  const asked = request.length > 200 ? `${request.slice(0, 200).toWellFormed()}…` : request;
  return `The offline model works by rule and does not understand “${asked}”. It understands requests such as:\n${examples}\n${advice}`;
}

function answerQuestion(message: string, {messages}: Transcript, tools: readonly string[]): Reply {
  const question = questionOf(message);
  const observed = lastSection(message, 'Observations');
  if (observed !== undefined)
    return say(`The offline model only quotes what was observed:\n${observed}`);
  return continueWork(workOn(question, tools), messages);
}

function act(message: string, {messages}: Transcript): Reply {
  const job = understand(message);
  const task = lastSection(message, 'Task') ?? '';
  const own = job?.tasks.find(
    ({id, description, args}) => !args && task.startsWith(`${id}: ${description}`),
  );
  if (!job?.work || !own) {
    return say(
      `${notDone}the offline model only works out tasks of its own plans, and this is none: ${task}. ${advice}`,
    );
  }
  return continueWork(job.work(), messages);
}

/** Runs the work again from its start, with the answers that came so far, up to the first calls without one. */
function continueWork(work: Work, messages: Transcript['messages']): Reply {
  const answers = answersIn(messages);
  let step = work.next();
  while (step.done !== true) {
    const known = step.value.map((use) => answers.get(useKey(use)));
    const open = step.value.filter((_use, index) => known[index] === undefined);
    if (open.length > 0)
      return {text: '', calls: open.map((use, index) => toCall(use, messages.length, index))};
    step = work.next(known.filter((answer) => answer !== undefined));
  }
  return say(step.value);
}

function toCall({tool, args}: Use, turn: number, index: number): ToolCall {
  return {id: `offline-${turn}-${index + 1}`, name: tool, args};
}

function evaluation(message: string): JsonObject {
  const found = lastSection(message, 'Problems found by code') ?? '';
  const byCode = found
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => line.slice(2));
  const admitted = message.split('\n').flatMap((line) => {
    const text = line.replace(/^Result: /, '');
    return line !== text && (text.startsWith(notDone) || text.startsWith(partlyDone)) ? [text] : [];
  });
  const problems = [...byCode, ...admitted].map((problem) => ({problem}));
  return {
    successful: problems.length === 0,
    problems,
    ...(problems.length === 0 ? {} : {feedback: 'What is listed as a problem is left to do.'}),
  };
}

/** Estimated: four characters a token. Nothing is charged. */
function withUsage(request: ModelRequest, {text, calls}: Reply): ModelReply {
  const read = request.transcript.messages.reduce(
    (sum, message) => sum + message.text.length,
    request.system.length,
  );
  const written = text.length + (calls.length > 0 ? JSON.stringify(calls).length : 0);
  return {
    kind: 'ok',
    text,
    calls,
    usage: {
      inputTokens: Math.ceil(read / 4),
      outputTokens: Math.ceil(written / 4),
      cachedTokens: 0,
      costUsd: 0,
    },
  };
}
