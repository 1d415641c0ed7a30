/** `quorate cancel ID`: cancels a run in any process, or one that no process runs. */

import type {Journal} from '../../actors/journal/journal.ts';
import {type Message, t} from '../../machines/message.ts';
import {protocolWord, say} from '../language.ts';
import {oneRun} from '../line/command.ts';
import {findInteraction} from '../past/find-run.ts';
import {oneLine} from '../render/text.ts';
import {reportCommand} from './define.ts';

export const cancel = reportCommand({
  operands: oneRun,
  summary: t`cancel a run, or one interaction in it: RUN.2`,
  detail: t`Cancels a run in any process: nothing new starts, and calls in flight are aborted.

RUN.2, an interaction below a run, is cancelled with its children; the run continues. If no process is running the run, the
interaction is cancelled when the run continues.`,
  obeys: ['output'],
  /** Exit 0: the request was carried out. The cancelled run's own exit code is 1. */
  report: async ({operands: [wanted = ''], ...globals}, terminal) => {
    const [{withRuntime}, {doubtLines}] = await Promise.all([
      import('../open-runtime.ts'),
      import('../render/result/result.ts'),
    ]);
    return await withRuntime(globals, terminal, async ({runtime, journal}) => {
      const id = await findInteraction(journal, wanted);
      const outcome = await runtime.cancel(id);
      const lines =
        outcome === 'told'
          ? [await requestedLine(id, journal)]
          : [
              t`run ${oneLine(id)}: ${protocolWord(outcome.status)}`,
              ...doubtLines(outcome).map(
                (what) => t`  nobody knows whether this happened: ${what}`,
              ),
            ];
      return {
        data: outcome === 'told' ? {type: outcome, interaction: id} : outcome,
        lines: ({style}) => lines.map((line) => say(line, style)),
      };
    });
  },
});

async function requestedLine(id: string, {owners}: Journal): Promise<Message> {
  const [run = ''] = id.split('.');
  const name = oneLine(id);
  if (run === id) return t`run ${name}: its process was asked to cancel it`;
  if ((await owners.tenureOf(run)) === 'owned')
    return t`interaction ${name}: the process of its run was asked to cancel it`;
  return t`interaction ${name}: will be cancelled when its run continues: quorate resume ${oneLine(run)}`;
}
