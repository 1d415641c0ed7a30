/** Performs the commands of a person. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Message} from '../../machines/message.ts';
import {goBack, review, submit} from '../interview/at-interview.ts';
import {say as inLanguageOf} from '../language.ts';
import type {ChatCommand, ChatCommands} from './command.ts';
import {beginAnew, exportAll, fork, rate, rewind, showDiff, undo} from './done.ts';
import {resume, showSessions} from './earlier.ts';
import {begin, beginInit, cancel, focusOn, replace, runCommand, say} from './interactions.ts';
import {type LineReading, parseLine} from './parse.ts';
import {change, showModels, showSetting} from './settings.ts';
import {type Chat, conversationOf, inPlaces, note, type Talk} from './talk.ts';
import {help, show, showConfig, showCost, showTree} from './views.ts';
import {requireAnswer} from './waiting.ts';

type Kind = Exclude<keyof ChatCommands, 'quit'>;
type Of<K extends Kind> = ChatCommands[K];
type Obey<K extends Kind> = (command: Of<K>, talk: Talk, begunAt: number) => Promise<void> | void;

/** One entry for each command; the compiler reports a missing one. */
const obeying: {readonly [K in Kind]: Obey<K>} = {
  say: async ({text}, talk, begunAt) => await say(text, talk, begunAt),
  begin: async (command, talk) => await begin(command, talk),
  init: inConversation((_, chat) => beginInit(chat)),
  replace: inConversation(({request}, chat) => replace(request, chat)),
  run: inConversation(({command}, chat) => runCommand(command, chat)),
  set: inConversation(({name, overrides}, chat) => change(name, overrides, chat)),
  setting: inConversation((command, chat) => showSetting(command, chat)),
  models: inConversation((_, chat) => showModels(chat)),
  decide: async ({decision, rest}, {questions}, begunAt) =>
    await questions.decide(decision, rest, begunAt),
  answer: ({text, place}, {questions}, begunAt) =>
    questions.reply(requireAnswer(text), place, begunAt),
  back: ({name}, {questions}) => goBack(name, questions.asking()),
  review: ({name}, {questions, ui}) => review(name, questions.asking(), ui),
  submit: (_, {questions}) => submit(questions.asking()),
  show: async ({place}, talk) => await show(place, talk),
  diff: inConversation(({place}, chat) => showDiff(place, chat)),
  undo: inConversation(({what}, chat) => undo(what, chat)),
  rate: inConversation((command, chat) => rate(command, chat)),
  fork: inConversation(({what}, chat) => fork(what, chat)),
  rewind: inConversation(({what}, chat) => rewind(what, chat)),
  export: inConversation(({what}, chat) => exportAll(what, chat)),
  new: inConversation((_, chat) => beginAnew(chat)),
  tree: (_, talk) => showTree(talk),
  focus: ({place}, talk) => (place === undefined ? showTree(talk) : focusOn(place, talk)),
  cancel: async ({place}, talk) => await cancel(place, talk),
  config: inConversation((_, chat) => showConfig(chat)),
  cost: (_, talk) => showCost(talk),
  sessions: inConversation(({what}, chat) => showSessions(what, chat)),
  resume: inConversation(({what}, chat) => resume(what, chat)),
  help: ({what}, talk) => help(what, talk),
};

/** One run refuses the command. */
function inConversation<K extends Kind>(
  act: (command: Of<K>, chat: Chat) => Promise<void> | void,
): Obey<K> {
  return async (command, talk) => await act(command, conversationOf(talk));
}

async function obey<K extends Kind>(command: Of<K>, talk: Talk, begunAt: number): Promise<void> {
  const act: Obey<K> = obeying[command.kind];
  await act(command, talk, begunAt);
}

/**
 * Performs commands one after another. Resolves with true when one of them is `/quit`. `begunAt`: when the person began to
 * type, by `performance.now()`. Rejects with AppError at the first command that fails.
 */
export async function obeyAll(
  [command, ...rest]: readonly ChatCommand[],
  talk: Talk,
  begunAt: number,
): Promise<boolean> {
  if (command === undefined || command.kind === 'quit') return command !== undefined;
  await obey(command, talk, begunAt);
  return await obeyAll(rest, talk, begunAt);
}

/** Reads and performs a line. Prints expected failures: `refused`; never rejects for them. */
export async function obeyLine(
  text: string,
  talk: Talk,
  begunAt: number,
): Promise<'left' | 'refused' | 'done'> {
  return await obeyReading(parseLine(text, isAnswering(talk)), talk, begunAt);
}

export function isAnswering({questions}: Talk): boolean {
  return questions.answering() !== undefined;
}

export async function obeyReading(
  reading: LineReading,
  talk: Talk,
  begunAt: number,
): Promise<'left' | 'refused' | 'done'> {
  if (!reading.ok) {
    noteProblem(reading.problem, talk);
    return 'refused';
  }
  const outcome = await noting(async () => await obeyAll(reading.commands, talk, begunAt), talk);
  if (outcome === undefined) return 'refused';
  return outcome ? 'left' : 'done';
}

/** Undefined for an expected failure, which is printed. */
export async function noting<T>(act: () => Promise<T>, talk: Talk): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    noteProblem(error.wording, talk);
    return undefined;
  }
}

export function noteProblem(problem: Message | string, {ui, roots}: Talk): void {
  note(ui, inPlaces(inLanguageOf(problem, ui.style), roots), ui.style.yellow);
}
