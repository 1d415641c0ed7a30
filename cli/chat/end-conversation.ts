/** Ends a conversation: suspends running interactions and prints how to continue them. */

import type {RunResult} from '../../machines/domain/result.ts';
import {gateTexts} from '../gate/texts.ts';
import {waitingLines} from '../render/result/waiting.ts';
import {oneLine} from '../render/text.ts';
import {note, type Chat} from './chat.ts';
import {isLeft} from './roots.ts';
import {chatTexts} from './texts.ts';

const waitingCode = 4;
/** For an interaction that was suspended while it worked. */
const interruptedCode = 130;

/**
 * Resolves with the exit code: with a person present, that of the suspended interactions; else the last one of an interaction
 * that is not 0. `unread`: the text printed last.
 */
export async function endConversation(chat: Chat, unread = ''): Promise<number> {
  const {roots, questions, ui} = chat;
  const asking = new Set(
    [...questions.gates(), ...questions.interviews()].map(({root}) => root.id),
  );
  await Promise.all(
    roots
      .working()
      .map(async ({id, run}) => await run.suspend(asking.has(id) ? 'waiting' : 'interrupted')),
  );
  const ran = roots.all().flatMap(({run}) => run ?? []);
  const results = await Promise.all(ran.map(async ({result}) => await result));
  printLeft(results, chat);
  if (unread !== '') note(ui, unread);
  const codes = results.map(({exitCode}) => exitCode);
  if (!ui.isAttended) return codes.findLast((code) => code !== 0) ?? 0;
  const left = results.filter(isLeft).map(({exitCode}) => exitCode);
  if (left.includes(waitingCode)) return waitingCode;
  return left.length > 0 ? interruptedCode : 0;
}

function printLeft(results: readonly RunResult[], {ui, roots}: Chat): void {
  const left = results.filter(isLeft);
  if (ui.isAttended && left.length > 0) {
    const of = left.flatMap(({interaction}) => roots.of(interaction) ?? []);
    for (const [session, those] of Map.groupBy(of, (root) => root.session)) {
      const numbers = those.map(({number}) => number).join(', ');
      ui.print([chatTexts(ui.style).leftOver(numbers, oneLine(session))]);
    }
    return;
  }
  const texts = gateTexts(ui.style);
  for (const {interaction, waiting} of left) {
    ui.print(
      waiting
        ? waitingLines(interaction, waiting, ui.style)
        : [`${texts.suspended}${texts.continue}: quorate resume ${oneLine(interaction)}`],
    );
  }
}
