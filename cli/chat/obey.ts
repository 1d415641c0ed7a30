/** Performs the commands of a conversation. */

import type {Chat} from './chat.ts';
import type {ChatCommand, ChatCommands} from './command.ts';
import {beginAnew, exportAll, showDiff, undo} from './done.ts';
import {resume, showSessions} from './earlier.ts';
import {fork, rewind} from './fork.ts';
import {requireAnswer} from './questions/meant.ts';
import {rate} from './rate.ts';
import {change, showModels, showSetting} from './settings.ts';
import {begin, beginInit, cancel, focusOn, replace, runCommand, say} from './talk.ts';
import {help, show, showConfig, showCost, showTree} from './views.ts';

type Kind = Exclude<keyof ChatCommands, 'quit'>;
type Of<K extends Kind> = ChatCommands[K];
type Obey<K extends Kind> = (command: Of<K>, chat: Chat, begunAt: number) => Promise<void> | void;

/** One entry for each command; the compiler reports a missing one. */
const obeying: {readonly [K in Kind]: Obey<K>} = {
  say: async ({text}, chat, begunAt) => await say(text, chat, begunAt),
  begin: async (command, chat) => await begin(command, chat),
  init: async (_, chat) => await beginInit(chat),
  replace: async ({request}, chat) => await replace(request, chat),
  run: async ({command}, chat) => await runCommand(command, chat),
  set: async ({name, overrides}, chat) => await change(name, overrides, chat),
  setting: (command, chat) => showSetting(command, chat),
  models: (_, chat) => showModels(chat),
  decide: async ({decision, rest}, {questions}, begunAt) =>
    await questions.decide(decision, rest, begunAt),
  answer: ({text, place}, {questions}, begunAt) =>
    questions.reply(requireAnswer(text), place, begunAt),
  show: async ({place}, chat) => await show(place, chat),
  diff: async ({place}, chat) => await showDiff(place, chat),
  undo: async ({what}, chat) => await undo(what, chat),
  rate: async (command, chat) => await rate(command, chat),
  fork: async ({what}, chat) => await fork(what, chat),
  rewind: async ({what}, chat) => await rewind(what, chat),
  export: async ({what}, chat) => await exportAll(what, chat),
  new: (_, chat) => beginAnew(chat),
  tree: (_, chat) => showTree(chat),
  focus: ({place}, chat) => (place === undefined ? showTree(chat) : focusOn(place, chat)),
  cancel: async ({place}, chat) => await cancel(place, chat),
  config: (_, chat) => showConfig(chat),
  cost: (_, chat) => showCost(chat),
  sessions: async ({what}, chat) => await showSessions(what, chat),
  resume: async ({what}, chat) => await resume(what, chat),
  help: ({what}, chat) => help(what, chat),
};

async function obey<K extends Kind>(command: Of<K>, chat: Chat, begunAt: number): Promise<void> {
  const act: Obey<K> = obeying[command.kind];
  await act(command, chat, begunAt);
}

/**
 * Performs commands one after another. Resolves with true when one of them is `/quit`. `begunAt`: when the person began to
 * type, by `performance.now()`. Rejects with AppError at the first command that fails.
 */
export async function obeyAll(
  [command, ...rest]: readonly ChatCommand[],
  chat: Chat,
  begunAt: number,
): Promise<boolean> {
  if (command === undefined || command.kind === 'quit') return command !== undefined;
  await obey(command, chat, begunAt);
  return await obeyAll(rest, chat, begunAt);
}
