/**
 * Charts whose child has a bug, a row each: the child by its path of actors, the events at which it throws, the transition
 * of the parent that must handle it, the world, and the output.
 */

import {type AnyActorLogic, type AnyStateMachine, StateMachine} from 'xstate';

import {openDialogue} from '../../../machines/forms/interview/dialogue.ts';
import {agentSettings} from '../../../machines/forms/interview/interview-settings.ts';
import {machines} from '../../../machines/index.ts';
import {openTranscript} from '../../../machines/prompts/transcript.ts';
import {type Bug, withBug} from '../../support/buggy.ts';
import type {Scenario} from '../../support/played.ts';
import {listIn, valueIn} from '../laws-record.ts';
import {actionReviews} from './action-review.ts';
import {executingAgents, plannedAgents} from './agent.ts';
import {spawningScenario, toolCallScenario, turnLoops} from './calls.ts';
import {executions, tasks} from './execution.ts';
import {asks, debates} from './forms.ts';
import {interactions} from './interaction.ts';
import {form, interviews, known, settingsOf} from './interview.ts';
import {
  type Answers,
  answering,
  quietly,
  withAnswers,
  calling,
  callingAll,
  inDoubt,
  previewing,
  ran,
  ruling,
  saying,
  voting,
} from './outcomes.ts';
import {
  checkInput,
  commandInput,
  drafting,
  ensembles,
  evaluationInput,
  gatheringInput,
  largeFiles,
  planningInput,
  reviewInput,
  scoringWith,
} from './phases.ts';
import {panelScenarios as panels} from './quorum.ts';
import {modelSeat, readFile, runCommand, writeFile} from './settings.ts';

/** A chart whose child has a bug, and how the chart must handle it. */
export interface Crash {
  readonly name: string;
  /** Types of events at each of which the child may throw; `xstate.init` is its start. */
  readonly at: readonly string[];
  /** The transition of the parent. */
  readonly transition: string;
  readonly scenario: (at: string) => Scenario;
  readonly output: object;
}

/**
 * `init` is the start of the child, another word the end of its own child of this id; `!` before an id stands for
 * `xstate.error.actor.`. A world is a list of scenarios with a part of a name, or has a name below.
 */
const table = `
turn-loop.toolCall            | init run | turn-loop.acting !* [isTurnOpen] | two calls | answered twice
turn-loop.toolCall            | init run | turn-loop.acting !* → thinking | one call | answered
turn-loop.toolCall            | init run | turn-loop.acting !* [isDegraded] → degraded | degradable call | degraded
turn-loop.toolCall            | init run | turn-loop.acting !* [isSpent] → exhausted | last call | exhausted
turn-loop.toolCall            | init run | turn-loop.acting !* [isToReport] → reporting | reported call | exhausted
turn-loop.modelCall           | init model | turn-loop.thinking !model → failed | turnLoops may not | kind failed
turn-loop.actionReview        | init preview | turn-loop.reviewing !review → acting | turnLoops several high-risk calls | refused calls
turn-loop.modelCall of report | init model | turn-loop.reporting !model → failed | report of a loop | stopped
task.toolCall                 | init run | task.calling !call → failed | tasks exact harmless call | status failed
task.turnLoop                 | init model | task.working !turns → failed | tasks as it likes | status failed
execution.task                | init call | execution.running !* → scheduling | executions depend on each other | tasks failed
tool-call.actionReview        | init preview | tool-call.reviewing !review → failed | write | call failed
tool-call.humanGate           | init person | tool-call.exclusive.inDoubt !gate → failed | command in doubt | call failed
tool-call.humanGate           | init person | tool-call.inDoubt !gate → failed | read in doubt | call failed
tool-call.hold                | init | tool-call.exclusive !lock → failed | write | call failed
tool-call.spawnBelow          | init | tool-call.spawning !child → failed | spawning | call failed
human-gate.modeWatch          | init | human-gate.open !mode → rejected | gate | gate rejected
action-review.quorum          | init screen | action-review.voting !quorum → refused | actionReviews | action refused
action-review.humanGate       | init person | action-review.awaitingPerson !gate → refused | protected action | action refused
gathering.turnLoop            | init model | gathering.exploring !turns → failed | gathering | gathering failed
ensemble.planning             | init question | ensemble.drafting !* | ensembles low | planning failed
ensemble.planning             | init | ensemble.alone !planning → settled | ensembles low | planning failed
ensemble.poll                 | init | ensemble.scoring !scores → chosen | ensembles low | plan of a
ensemble.debate               | init | ensemble.debating !debate → settled | ensembles debated | plan of a
ensemble.planning of redraft  | question | ensemble.redrafting !redraft → decided | low scores | plan of a
planning.question             | init call | planning.drafting !question → failed | planning | kind failed
ask.turnLoop                  | init model | ask.working !turns → errored | asks | error
ask.modelCall                 | init model | ask.answeringDirectly !direct → errored | direct answer | error
tree.interaction.form=agent   | init gathering | interaction.active !form → awaitingChildren | interactions | error
tree.interaction.form=ask     | init turns | interaction.active !form → awaitingChildren | interactions with a question whose | error
tree.interaction              | init form | tree !* → ended | interactions | error
tree.lock                     | init lock.acquire | tree !* → ended | interactions cancel | error
tree.mode                     | init | tree !* → ended | interactions cancel | error
quorum.poll                   | init seat:test%2Fplain-b | quorum.polling !poll → counted | panels two must vote | no votes
quorum.poll.question          | init call | poll.polling !* | panels three equal | no votes
quorum.poll.question of c     | call | poll.polling !* | rejecting panel | panel rejected
quorum.poll.question.modelCall | init model | question.asking.first !call → unanswered | panels three equal | no votes
quorum.poll.question.modelCall of repair | init model | question.asking.repairing !repair → unanswered | prose panel | no votes
evaluation.question           | init call | evaluation.judging !question → failed | evaluation | planning failed
claim-check.modelCall         | init model | claim-check.correcting !call → cut | contradicted claim | cut
ask.claimCheck                | init | ask.checkingClaims !claims → errored | asks | error code
closing.modelCall             | init model | closing.writing !call → unwritten | closing | no answer
agent.closing                 | init call | agent !* → errored | executingAgents whose result is voted on once | error code
agent.gathering               | init survey | agent !* → errored | plannedAgents | error
agent.planning                | init check | agent !* → errored | plannedAgents | error
agent.quorum                  | init screen | agent !* → errored | plannedAgents | error
agent.humanGate               | init person | agent !* → errored | plannedAgents asks before | error
agent.execution               | init task:plan-1-a | agent !* → errored | executingAgents | error
agent.evaluation              | init files | agent !* → errored | executingAgents | error
debate.poll                   | init seat:proponent | debate !* → failed | debates never stops | debate failed
command.toolCall              | init review | command.running !call → failed | command | form failed
review.quorum                 | init seat.settled | review.reviewing !* | review | review failed
interview.greeter             | init reading | interview.talking.greeting !greeter → errored | interviews with somebody unknown | interview failed
interview.architect           | init plan | interview.talking.designing !architect → errored | interviews leads, which | interview failed
interview.field               | init exchange | interview.talking.interviewing.conducting !interviewer/field → errored | interviews leads, which | interview failed
interview.confirmation        | init exchange | interview.talking.confirming !confirmation → errored | interviews leads, which | interview failed
interview.exchange            | init person | interview.paused !pause → errored | interviews pauses at once | interview failed
greeter.agentLoop             | init model | greeter.thinking !agent → failed | stranger and model | agent failed
greeter.exchange              | init person | greeter.conversing !exchange → failed | stranger and model | agent failed
greeter.exchange              | init person | greeter.posing !exchange → failed | stranger and rule | agent failed
field.exchange                | init person | field.interviewing.conversing !exchange → failed | field by rule | agent failed
confirmation.exchange         | init person | confirmation.showing !exchange → failed | form | agent failed
architect.question            | init call | architect.ordering !plan → ordered | form and model | agent done
field.agentLoop               | init model | field.interviewing.thinking !interviewer → failed | field and model | agent failed
field.fieldReviewer           | init check | field.reviewing !reviewer → failed | field and model | agent failed
field-reviewer.question       | init call | field-reviewer.judging !review → failed | field and model | field failed
agent-loop.modelCall          | init model | agent-loop.thinking !model → stuck | loop | stuck
`;

type World = Omit<Scenario, 'machine'>;

const lists: Readonly<
  Record<string, readonly {readonly name: string; readonly scenario: Scenario}[]>
> = {
  actionReviews,
  asks,
  debates,
  ensembles,
  executingAgents,
  executions,
  interactions,
  interviews,
  panels,
  plannedAgents,
  tasks,
  turnLoops,
};

const [led, byRule] = ['test/leader', 'offline/offline'].map((model) =>
  agentSettings(settingsOf(model)),
);
const dialogue = openDialogue(form, known);
const stranger = openDialogue(form, {});
const read = calling('read_file', {path: 'x'});

const worlds: Readonly<Record<string, World>> = {
  'two calls': turns(['x', 'y']),
  'one call': turns(['x']),
  'degradable call': turns(['x'], {isDegradable: true}),
  'last call': turns(['x'], {maxTurns: 1}),
  'reported call': turns(['x'], {maxTurns: 1, reportsAtLimit: true}),
  'report of a loop': withAnswers(quietly(turnLoops, 'reports'), {act: [read]}),
  write: {...toolCallScenario(writeFile, 'interactive', 0), mayFire: () => false},
  'command in doubt': inDoubtOf(runCommand),
  'read in doubt': inDoubtOf(readFile),
  spawning: {...spawningScenario('interactive', true), messages: [], mayFire: () => false},
  gate: {...worldOf({question: {kind: 'plan', history: []}}), hilMode: 'auto_approve'},
  gathering: worldOf(gatheringInput, {
    surveyWorkspace: [{text: 'a survey', read: ['README.md']}],
    explore: [saying('it is small')],
  }),
  planning: worldOf(planningInput, {plan: [drafting('test/a')], checkCalls: [{problems: []}]}),
  evaluation: worldOf(evaluationInput, {
    checkFiles: [{missing: []}],
    evaluate: [calling('evaluate_result', {successful: true, problems: []})],
  }),
  closing: worldOf(evaluationInput, {close: [saying('It is done.')]}),
  command: worldOf(commandInput, {
    previewTool: [{kind: 'ready', args: {command: 'npm test'}, preview: '$ npm test'}],
    runTool: [ran],
  }),
  review: worldOf(reviewInput(largeFiles(2), [modelSeat('test/a')]), {
    'review-diff': [voting('approve')],
  }),
  'protected action': withAnswers(quietly(actionReviews), {
    previewTool: (_, open) => previewing(open, {protectedReason: 'it is under .git'}),
  }),
  'low scores': withAnswers(quietly(ensembles, 'low'), {'score-plan': [scoringWith(2)]}),
  'direct answer': withAnswers(quietly(asks), {
    ask: (before) => [before < 2 ? read : saying('perhaps')],
  }),
  'rejecting panel': {...quietly(panels, 'three equal'), outcomes: () => [voting('reject')]},
  'prose panel': {...quietly(panels, 'three equal'), outcomes: () => [saying('I approve.')]},
  'contradicted claim': worldOf(checkInput, {
    ask: [saying('so it is')],
    'review-result': [ruling('reject')],
  }),
  'stranger and model': alone({dialogue: stranger, settings: led}, 'a greeter that is a model'),
  'stranger and rule': alone({dialogue: stranger, settings: byRule}),
  form: alone({dialogue}),
  'form and model': alone({dialogue, settings: led}),
  'field by rule': alone({dialogue, settings: byRule, field: 'name'}),
  'field and model': alone({dialogue, settings: led, field: 'name'}),
  loop: alone({
    agent: 'interviewer',
    dialogue,
    field: 'name',
    transcript: openTranscript('Ask.'),
    canReview: false,
    model: 'test/leader',
    system: '',
    maxLoops: 2,
    maxOutputTokens: 100,
  }),
};

const message = 'a bug in a chart';
const internal = {code: 'internal', message};
const skipped = ['c', 'd', 'e'].map((id) => ({id, status: 'skipped'}));

const outputs: Readonly<Record<string, object>> = {
  'answered twice': endOf('answered', 2),
  answered: endOf('answered', 1),
  degraded: endOf('degraded', 1),
  exhausted: endOf('exhausted', 1),
  'kind failed': {kind: 'failed', failure: internal},
  'status failed': {status: 'failed', failure: internal},
  stopped: {kind: 'failed', failure: internal, stopped: 'max_turns'},
  'refused calls': {
    kind: 'answered',
    steps: [
      {status: 'succeeded'},
      {status: 'refused', failure: internal},
      {status: 'refused'},
      {status: 'refused', failure: internal},
    ],
  },
  'tasks failed': {
    results: [
      {id: 'a', status: 'failed', failure: internal},
      ...skipped,
      {id: 'b', status: 'failed', failure: internal},
    ],
  },
  'call failed': {result: {status: 'failed', failure: internal}},
  'gate rejected': {decision: {decision: 'reject'}, by: 'auto_reject'},
  'action refused': [{kind: 'refused', failure: internal}],
  'gathering failed': {failure: internal, evidence: [{did: 'read', target: 'README.md', ok: true}]},
  'planning failed': {kind: 'failed', failure: {code: 'internal'}},
  'plan of a': {kind: 'ready', by: 'test/a'},
  error: {status: 'error', error: internal},
  'error code': {status: 'error', error: {code: 'internal'}},
  'no votes': {verdict: 'noQuorum', approved: false, degraded: true},
  'panel rejected': {verdict: 'rejected', approved: false, degraded: true},
  cut: {isCut: true},
  'no answer': {answer: ''},
  'debate failed': {outcome: 'failed', failure: {message}},
  'form failed': {status: 'failed', error: {message}},
  'review failed': {status: 'failed', error: {message}, review: {approved: false, degraded: true}},
  'interview failed': {status: 'error', error: {message}},
  'agent failed': {move: {to: 'failure', failure: {message}}},
  'agent done': {move: {to: 'next'}},
  'field failed': {passed: false},
  stuck: {kind: 'stuck'},
};

/** The children that have the bug, by the last word of a path; without one, all have it. */
const holders: Readonly<Record<string, NonNullable<Bug['isIn']>>> = {
  report: (holder) =>
    [valueIn(holder, 'toolChoice'), valueIn(holder, 'request', 'toolChoice')].includes('none'),
  redraft: (holder) => valueIn(holder, 'brief', 'advice') !== undefined,
  c: (holder) => (valueIn(holder, 'model') ?? valueIn(holder, 'input', 'model')) === 'test/plain-c',
  repair: (holder) =>
    listIn(valueIn(holder, 'request') ?? holder, 'transcript', 'messages').length > 1,
};

export const crashes: readonly Crash[] = table
  .trim()
  .split('\n')
  .map((row) => {
    const [child = '', at = '', transition = '', world = '', output = ''] = row
      .split(' | ')
      .map((column) => column.trim());
    const [path = '', holder = ''] = child.split(' of ');
    const [id = '', ...actors] = path.split('.');
    const isIn = holders[holder];
    return {
      name: `${child} (${transition})`,
      at: at.split(' ').map(eventNamed),
      transition: transition.replace('!', 'xstate.error.actor.'),
      scenario: (event) => ({
        ...worldNamed(world),
        machine: withBugAt(machineNamed(id), actors, {at: event, ...(isIn && {isIn})}),
      }),
      output: found(outputs[output], output),
    };
  });

/** The transitions that only a crash takes. */
export const crashTransitions: readonly string[] = [
  ...crashes.map(({transition}) => transition),
  // Shown in forms/ask/ask.test.ts: nothing is asked.
  'claim-check.started always → passed',
  // Shown in tree/tree.test.ts: an interaction is spawned by a message.
  'interaction xstate.error.actor.*',
];

function eventNamed(word: string): string {
  if (word === 'init') return 'xstate.init';
  return word.includes('.') ? word : `xstate.done.actor.${word}`;
}

function worldNamed(text: string): World {
  const [list = '', ...name] = text.split(' ');
  return worlds[text] ?? quietly(found(lists[list], text), name.join(' '));
}

function machineNamed(id: string): AnyStateMachine {
  return found<AnyStateMachine>(
    machines.find((machine) => machine.id === id),
    id,
  );
}

function found<Item>(item: Item | undefined, name: string): Item {
  if (item === undefined) throw new Error(`there is no ${name}`);
  return item;
}

/** The chart in which the actor at the end of the path has the bug; `NAME=ID` replaces it by a machine. */
function withBugAt(machine: AnyStateMachine, path: readonly string[], bug: Bug): AnyStateMachine {
  const [step = '', ...rest] = path;
  const [name = '', id] = step.split('=');
  const own = id === undefined ? machine.implementations.actors[name] : machineNamed(id);
  const logic: AnyActorLogic = found(own && 'src' in own ? own.src : own, step);
  if (!(logic instanceof StateMachine)) return machine.provide({actors: {[name]: broken(logic)}});
  const changed = rest.length > 0 ? withBugAt(logic, rest, bug) : withBug(logic, bug);
  return machine.provide({actors: {[name]: changed}});
}

/** The logic, changed to throw at its start. */
function broken(logic: AnyActorLogic): AnyActorLogic {
  return {
    ...logic,
    getInitialSnapshot: () => {
      throw new Error(message);
    },
  };
}

/** A loop whose model calls these files' readers at once, then answers. */
function turns(paths: readonly string[], input: object = {}): World {
  return withAnswers(quietly(turnLoops, 'may not', input), {
    act: (before) => [
      before === 0
        ? callingAll(...paths.map((path) => ['read_file', {path}] as const))
        : saying('done'),
    ],
  });
}

/** A call that crashes ends like any other that failed. */
function endOf(kind: string, count: number): object {
  return {
    kind,
    steps: Array.from({length: count}, () => ({status: 'failed', failure: internal})),
    evidence: Array.from({length: count}, () => ({ok: false})),
  };
}

function inDoubtOf(tool: typeof readFile | typeof runCommand): World {
  const scenario = toolCallScenario(tool, 'interactive', 0);
  return {...withAnswers(scenario, {runTool: [inDoubt]}), mayFire: () => false};
}

function worldOf(input: object, answers: Answers = {}): World {
  return {input, outcomes: answering(answers), mayFire: () => false};
}

/** A part of an interview, run by itself. */
function alone(input: object, world = 'leads, which'): World {
  return {...quietly(interviews, world), input};
}
