/** The end of a conversation: what works is suspended, and how it goes on is told. */

import type {RunResult} from '../../machines/domain/result.ts';
import {waitingLines} from '../render/result/waiting.ts';
import {oneLine} from '../render/text.ts';
import {note, type Chat} from './chat.ts';
import {isLeft} from './roots.ts';

const waitingCode = 4;
/** Of something that was left while it was at work. */
const interruptedCode = 130;

/**
 * Resolves with the exit code. `unread`: the last thing to say. Where a person was there to see the rest: of what was left; else of the last that did not end
 * well.
 */
export async function leave(chat: Chat, unread = ''): Promise<number> {
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
  tellLeft(results, chat);
  if (unread !== '') note(ui, unread);
  const codes = results.map(({exitCode}) => exitCode);
  if (!ui.isAttended) return codes.findLast((code) => code !== 0) ?? 0;
  const left = results.filter(isLeft).map(({exitCode}) => exitCode);
  if (left.includes(waitingCode)) return waitingCode;
  return left.length > 0 ? interruptedCode : 0;
}

function tellLeft(results: readonly RunResult[], {ui, roots}: Chat): void {
  const left = results.filter(isLeft);
  if (ui.isAttended && left.length > 0) {
    const of = left.flatMap(({interaction}) => roots.of(interaction) ?? []);
    for (const [session, those] of Map.groupBy(of, (root) => root.session)) {
      const numbers = those.map(({number}) => number).join(', ');
      ui.print([`${numbers} suspended: quorate chat --resume ${oneLine(session)} goes on`]);
    }
    return;
  }
  for (const {interaction, waiting} of left) {
    ui.print(
      waiting
        ? waitingLines(interaction, waiting)
        : [`suspended; continue with: quorate resume ${oneLine(interaction)}`],
    );
  }
}
