/**
 * The interviewer: has one field after the other asked about, until none is open.
 *
 * choosing → conducting → choosing … → finished; left, for a pause or the beginning; failed
 */

import {assign, setup} from 'xstate';

import type {Failure} from '../../domain/failure.ts';
import {crashIn, outputIn} from '../../ended.ts';
import {report} from '../../report.ts';
import {applicable, type Handover, isDone, nextField, recordOf, reopened} from './dialogue.ts';
import type {FieldInput} from './field-state.ts';
import {fieldMachine} from './field.ts';
import type {AgentSettings} from './interview-settings.ts';

interface InterviewerState extends Handover {
  readonly settings: AgentSettings;
  /** The field that is asked about. */
  readonly field: string;
}

export const interviewerMachine = setup({
  types: {} as {
    context: InterviewerState;
    input: Pick<InterviewerState, 'dialogue' | 'settings'>;
    output: Handover;
  },
  actors: {field: fieldMachine},
  actions: {
    choose: assign(({context: {dialogue}}) => ({field: nextField(dialogue) ?? ''})),
    takeHandover: assign((_, handover: Handover) => takeHandover(handover)),
    takeFailure: assign((_, failure: Failure) => ({move: {to: 'failure' as const, failure}})),
    reportChange: report(({context: {field}}, {dialogue}: Handover) => ({
      type: 'interview.changed',
      field,
      status: recordOf(dialogue, field).status,
      done: applicable(dialogue).filter(({id}) => isDone(dialogue, id)).length,
      of: applicable(dialogue).length,
    })),
  },
  guards: {
    isOpen: ({context: {dialogue}}) => nextField(dialogue) !== undefined,
    isLeaving: (_, {move}: Handover) => move.to === 'pause' || move.to === 'startOver',
    isFailure: (_, {move}: Handover) => move.to === 'failure',
  },
}).createMachine({
  id: 'interviewer',
  context: ({input}) => ({...input, field: '', move: {to: 'next'}}),
  initial: 'choosing',
  states: {
    choosing: {
      always: [{guard: 'isOpen', target: 'conducting', actions: 'choose'}, {target: 'finished'}],
    },
    conducting: {
      invoke: {
        src: 'field',
        id: 'field',
        input: ({context}): FieldInput => fieldInput(context),
        onDone: [
          {
            guard: {type: 'isLeaving', params: outputIn},
            target: 'left',
            actions: {type: 'takeHandover', params: outputIn},
          },
          {
            guard: {type: 'isFailure', params: outputIn},
            target: 'failed',
            actions: {type: 'takeHandover', params: outputIn},
          },
          {
            target: 'choosing',
            actions: [
              {type: 'reportChange', params: outputIn},
              {type: 'takeHandover', params: outputIn},
            ],
          },
        ],
        onError: {
          target: 'failed',
          actions: {type: 'takeFailure', params: crashIn},
        },
      },
    },
    finished: {type: 'final'},
    left: {type: 'final'},
    failed: {type: 'final'},
  },
  output: ({context: {dialogue, move}}) => ({dialogue, move}),
});

function fieldInput({dialogue, settings, field}: InterviewerState): FieldInput {
  return {dialogue, settings, field};
}

/** A field that the person wants to answer anew is opened. */
function takeHandover({dialogue, move}: Handover): Partial<InterviewerState> {
  if (move.to !== 'field') return {dialogue, move};
  return {dialogue: reopened(dialogue, move.field, move.text), move: {to: 'next'}};
}
