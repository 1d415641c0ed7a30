/** The questions that wait for a person, whoever asks them: each interaction asks one at a time. */

import {performance} from 'node:perf_hooks';

import {AppError} from '../../../machines/domain/app-error.ts';
import {type HumanDecision, isApproval} from '../../../machines/domain/human.ts';
import {takesWords} from '../../gate/command.ts';
import {decide, showWhole, type GateDesk} from '../../gate/decide.ts';
import {answerCommandLines, screenLines} from '../../gate/screen.ts';
import {openingOf} from '../../past/history.ts';
import {placeOf} from '../../render/view/session-view.ts';
import type {Chat} from '../chat.ts';
import type {LiveRoot} from '../roots.ts';
import type {Waiting, ChatGates} from './waiting.ts';

/** So many approvals in a row get a word of caution. */
const cautionAfter = 5;

export function createChatGates(chat: Omit<Chat, 'gates' | 'asks'>): ChatGates {
  /** By what asks: when it was shown. */
  const shown = new Map<string, number>();
  let approvals = 0;
  const waiting = (): readonly Waiting[] =>
    chat.roots.working().flatMap((root) => waitingIn(root, chat.roots));
  const refresh = (): void => {
    const open = waiting();
    for (const gate of shown.keys()) {
      if (!open.some((each) => nameOf(each) === gate)) shown.delete(gate);
    }
    for (const each of open) {
      if (shown.has(nameOf(each))) continue;
      chat.ui.print(questionLines(each, open.length > 1, chat));
      shown.set(nameOf(each), performance.now());
    }
  };
  return {
    waiting,
    refresh,
    showWhole: async (each) => void (await showWhole(deskOf(each, chat))),
    answer: async (decision, rest, begunAt) => {
      const {one, reason} = meant(waiting(), rest, decision);
      requireSeen(one, shown.get(nameOf(one)), begunAt);
      requireAllowed(one, decision);
      const answer = await decide({kind: 'decision', decision, rest: reason}, deskOf(one, chat));
      if (answer?.kind !== 'decided') return;
      const isTaken = one.root.gates.answer(one.open.gate, answer.decision);
      if (!isTaken) chat.ui.print(['this was decided elsewhere in the meantime']);
      approvals = isApproval({decision}) ? approvals + 1 : 0;
      if (approvals > 0 && approvals % cautionAfter === 0) {
        chat.ui.print([`${approvals} approvals in a row: /show shows all of what you decide on`]);
      }
      refresh();
    },
  };
}

/** Gates of several roots may have the same name. */
function nameOf({root, open}: Waiting): string {
  return `${root.id} ${open.gate}`;
}

function waitingIn(root: LiveRoot, roots: Chat['roots']): Waiting[] {
  const asking = new Set<string>();
  return root.gates.told().flatMap((open) => {
    if (asking.has(open.interaction)) return [];
    asking.add(open.interaction);
    return [{root, open, place: placeOf(roots.view(), open.interaction)}];
  });
}

function questionLines(
  {open: {question}, place}: Waiting,
  isOneOfSeveral: boolean,
  {ui, workspace}: Pick<Chat, 'ui' | 'workspace'>,
): string[] {
  const commands = answerCommandLines(question, isOneOfSeveral ? place : undefined);
  return ['', ...screenLines(question, workspace, ui.style, ui.size(), {place, commands})];
}

/** `1.2` */
const placeForm = /^\d+(?:\.\d+)*$/;

/** A place in front is meant as one when something waits there. Throws AppError `nothing_waiting` or `usage`. */
function meant(
  open: readonly Waiting[],
  rest: string,
  decision: HumanDecision['decision'],
): {readonly one: Waiting; readonly reason: string} {
  const [, first = '', after = ''] = /^(\S+)\s*([^]*)$/.exec(rest) ?? [];
  const named = open.find(({place}) => place === first);
  const [one, another] = named ? [named] : open;
  if (!one) throw new AppError('nothing_waiting', 'nothing waits for you');
  if (another) {
    const places = open.map(({place}) => place).join(', ');
    throw new AppError('usage', `say which is meant: /${decision} N, N being one of ${places}`);
  }
  const reason = named ? after : rest;
  if (reason !== '' && !isReason(decision, first, named)) {
    throw new AppError(
      'usage',
      `/${decision} takes the number of what waits (${one.place}), not "${reason}"`,
    );
  }
  return {one, reason};
}

/** The number of something that does not wait is never the reason of an approval. */
function isReason(
  decision: HumanDecision['decision'],
  first: string,
  named: Waiting | undefined,
): boolean {
  const isPlace = !named && placeForm.test(first);
  return takesWords(decision) && (decision === 'reject' || !isPlace);
}

/** What is typed while nothing is asked yet can't be meant for the question that comes up meanwhile. */
function requireSeen({place}: Waiting, shownAt: number | undefined, begunAt: number): void {
  if (shownAt !== undefined && shownAt <= begunAt) return;
  throw new AppError(
    'usage',
    `${place} asked while you were typing: read it, and answer once more`,
  );
}

function requireAllowed({open: {question}, place}: Waiting, decision: string): void {
  const {allowed} = question;
  if (allowed.some((each) => each === decision)) return;
  const commands = allowed.map((each) => `/${each}`).join(', ');
  throw new AppError('usage', `/${decision} is no answer to what ${place} asks; write ${commands}`);
}

function deskOf(
  {open, root}: Waiting,
  {ui, env, journal}: Pick<Chat, 'ui' | 'env' | 'journal'>,
): GateDesk {
  return {
    question: open.question,
    env,
    tools: async () => openingOf(await journal.log.read(root.id)).tools,
    signal: new AbortController().signal,
    style: ui.style,
    size: ui.size,
    print: ui.print,
    ask: ui.ask,
    aside: ui.aside,
  };
}
