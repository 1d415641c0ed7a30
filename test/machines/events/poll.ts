/** Polls to explore: speakers some of which can't be called, with and without enough answers. */

import {pollMachine} from '../../../machines/panel/poll.ts';
import type {PollSeat} from '../../../machines/panel/polled.ts';
import {openTranscript} from '../../../machines/prompts/transcript.ts';
import {crash} from '../../support/hand-performer.ts';
import type {Played} from '../../support/played.ts';
import type {LawfulScenario} from '../explored.ts';
import {outputOf, settlementsOf, unless, valueIn} from '../laws-record.ts';
import {answering} from './answers.ts';
import {failing, saying} from './outcomes.ts';

function speaker(id: string): PollSeat {
  return {
    id,
    filledBy: 'speaker',
    ask: {
      purpose: 'discuss',
      model: id,
      system: '',
      transcript: openTranscript('the question'),
      tools: [],
      toolChoice: 'none',
      maxOutputTokens: 100,
    },
  };
}

const seats = ['test/a', 'test/b'];
const words = 'so it is';

/** The paths of the calls with an answer. */
function answersIn({log}: Played): string[] {
  return settlementsOf(log, 'callModel')
    .filter(({outcome}) => valueIn(outcome, 'text') === words)
    .map(({path}) => path);
}

/** `enough`: the number of answers that suffices; undefined: all. */
function pollOf(name: string, enough: number | undefined): LawfulScenario {
  return {
    name,
    scenario: {
      machine: pollMachine,
      input: {
        subject: 'the question',
        seats: seats.map(speaker),
        deadlineMs: 1_000,
        ...(enough === undefined ? {} : {enough}),
      },
      outcomes: answering({
        discuss: [saying(words), saying(''), failing('auth')],
        awaitResume: (before) => (before === 0 ? [{resumed: true}, crash] : [crash]),
      }),
    },
    law: {
      'every seat has the answer of its model, or a reason': (played) => {
        const output = outputOf(played);
        const said = answersIn(played).join();
        return seats.flatMap((seat) => {
          const answer = valueIn(output, seat);
          const isKept = said.includes(encodeURIComponent(seat))
            ? valueIn(answer, 'text') === words
            : typeof valueIn(answer, 'because') === 'string';
          return unless(output === undefined || isKept, `${seat}: ${JSON.stringify(answer)}`);
        });
      },
      'it does not wait for a resume once there are enough answers': (played) => {
        const isWaiting = played.open().includes('subject/resume');
        const isContent = enough !== undefined && answersIn(played).length >= enough;
        return unless(!isWaiting || !isContent, 'it waits');
      },
    },
  };
}

export const polls: readonly LawfulScenario[] = [
  pollOf('that waits for all', undefined),
  pollOf('that continues with one answer', 1),
  pollOf('that continues without any', 0),
];
