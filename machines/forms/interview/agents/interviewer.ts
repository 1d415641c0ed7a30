/**
 * The interviewer: conducts one field after the other until none is open.
 *
 * advanced → conducting → advanced … → finished; paused, restarted, failed
 */

import {assign, setup} from 'xstate';

import {onCrash, otherwise, when} from '../../../actor-end.ts';
import type {Failure} from '../../../domain/failure.ts';
import {report} from '../../../facts/record.ts';
import {applicable, isDone, nextField, recordOf} from '../dialogue.ts';
import {fieldMachine} from '../field/field.ts';
import {
  type Assignment,
  failing,
  type FieldAssignment,
  going,
  handedOver,
  type Handover,
  handoverGuards,
} from './handover.ts';

/** `field` is the one that is asked about. */
interface InterviewerState extends FieldAssignment {
  readonly failure?: Failure;
}

export const interviewerMachine = setup({
  types: {} as {context: InterviewerState; input: Assignment; output: Handover},
  actors: {field: fieldMachine},
  actions: {
    choose: assign(({context: {dialogue}}) => ({field: nextField(dialogue) ?? ''})),
    takeHandover: assign((_, handover: Handover) => handedOver(handover)),
    takeFailure: assign((_, failure: Failure) => ({failure})),
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
    ...handoverGuards,
  },
}).createMachine({
  id: 'interviewer',
  context: ({input}) => ({...input, field: ''}),
  initial: 'advanced',
  states: {
    advanced: {
      tags: 'choice',
      always: [{guard: 'isOpen', target: 'conducting', actions: 'choose'}, {target: 'finished'}],
    },
    conducting: {
      invoke: {
        src: 'field',
        id: 'field',
        input: ({context: {dialogue, settings, field}}): FieldAssignment => ({
          dialogue,
          settings,
          field,
        }),
        onDone: [
          when('isPause', 'paused', 'takeHandover'),
          when('isRestart', 'restarted', 'takeHandover'),
          when('isFailure', 'failed', 'takeHandover'),
          otherwise('advanced', 'reportChange', 'takeHandover'),
        ],
        onError: onCrash('failed', 'takeFailure'),
      },
    },
    finished: {type: 'final', output: going('next')},
    paused: {type: 'final', output: going('pause')},
    restarted: {type: 'final', output: going('startOver')},
    failed: {type: 'final', tags: 'failure', output: failing},
  },
  output: ({event}) => event.output as Handover,
});
