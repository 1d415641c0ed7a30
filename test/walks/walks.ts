/**
 * Two walks through a real run, as numbered lists: one ballot from the wire to the screen, one write from the call to the disk.
 */

import {globSync, readFileSync} from 'node:fs';
import {basename, join} from 'node:path';

import {recordId} from '../../machines/facts/record.ts';
import type {Step} from './trace.ts';

const root = join(import.meta.dirname, '../..');

/** The file of each chart, by the id of its machine. */
const chartFiles = new Map(
  globSync('machines/**/*.ts', {cwd: root})
    .filter((file) => readFileSync(join(root, file), 'utf8').includes('.createMachine('))
    .map((file) => [basename(file, '.ts'), file]),
);

interface Walk {
  readonly title: string;
  readonly about: string;
  readonly lines: readonly string[];
}

/** The document. Throws when the run has no ballot, or no write. */
export function walksDocument(steps: readonly Step[]): string {
  const walks: readonly Walk[] = [
    {
      title: 'One ballot, from the wire to the screen',
      about:
        'A panel of one model votes on a plan. If the model had not replied by the deadline, the poll would end in **late** instead of\n**complete**: see `test/machines/panel/poll.test.ts`.',
      lines: folded(
        aboutPanel(between(steps, isScreening, (step) => isReport(step, 'quorum.decided'))),
      ),
    },
    {
      title: 'One write, from the call to the disk',
      about: 'The approved plan names a tool and its arguments; the panel votes on the call, too.',
      lines: withoutVote([
        ...between(steps, isCall, (step) => isReport(step, 'task.settled')),
        ...steps.filter(({kind}) => kind === 'disk'),
      ]),
    },
  ];
  return [...opening, ...walks.flatMap(sectionOf)].join('\n');
}

const opening = [
  '# Two walks',
  '',
  'Made by `npm run diagrams` from a real run, by following its actors. Each step is one of:',
  '',
  '- **wire**: a request to a model server;',
  '- **journal**: an entry that becomes durable, with the actor whose effect it records;',
  '- **A → B**: a message, the state of B after it, and the file of B’s chart; **→ B** may come from any actor of the tree;',
  '- **outcome of E → B**: the engine settles the effect E, whose actor ends and passes the outcome to B;',
  '- **report**: a report of an actor, with the lines that it puts on the screen;',
  '- **disk**: the file that results.',
  '',
  'An actor is named by the last two ids of its path. A report is delivered after its entry is durable, so a vote may be reported',
  'when the next actors have already started. A report that charts read is recorded, too; that message is not listed.',
  '',
];

function sectionOf({title, about, lines}: Walk): string[] {
  return [`## ${title}`, '', about, '', ...lines.map((line, index) => `${index + 1}. ${line}`), ''];
}

/** The vote on the call is the first walk again, and shown as one line. */
function withoutVote(steps: readonly Step[]): string[] {
  const from = steps.findIndex(
    (step) => isMessage(step, 'xstate.init') && step.to.endsWith('/quorum'),
  );
  const to = steps.findIndex((step) => isMessage(step, 'xstate.done.actor.quorum'));
  if (from < 0 || to < from) throw new Error('the call is not voted on');
  return [
    ...folded(steps.slice(0, from + 1)),
    '**vote** of the panel, as in the first walk',
    ...folded(steps.slice(to)),
  ];
}

function isMessage(step: Step, message: string): step is Message {
  return step.kind === 'message' && step.message === message;
}

/** One line per step: a report with its lines on the screen, the outcome of an effect with the message that delivers it. */
function folded(steps: readonly Step[]): string[] {
  const lines: string[] = [];
  const listed = steps.filter((step) => step.kind !== 'message' || step.to !== recordId);
  for (const [index, step] of listed.entries()) {
    const before = listed[index - 1];
    if (step.kind === 'screen') lines.push(`${lines.pop() ?? ''}${screenText(step)}`);
    else if (isPassedOn(before, step)) {
      lines.pop();
      lines.push(`outcome of ${nameOf(step.from ?? '')} → ${receiverOf(step)}`);
    } else lines.push(lineOf(step));
  }
  return lines;
}

type Message = Extract<Step, {readonly kind: 'message'}>;

function isPassedOn(before: Step | undefined, step: Step): step is Message {
  return (
    before?.kind === 'message' &&
    before.message === 'effect.settled' &&
    step.kind === 'message' &&
    step.from === before.to
  );
}

function lineOf(step: Exclude<Step, {readonly kind: 'screen'}>): string {
  switch (step.kind) {
    case 'wire':
      return `**wire** ${step.text}`;
    case 'journal':
      return `**journal** \`${step.entry}\`${step.actor === '' ? '' : ` of ${nameOf(step.actor)}`}`;
    case 'message':
      return `${senderOf(step)}→ ${receiverOf(step)} \`${step.message}\``;
    case 'report':
      return `**report** \`${step.report}\` by ${nameOf(step.actor)}`;
    case 'disk':
      return `**disk** ${step.text}`;
    default:
      return step satisfies never;
  }
}

function screenText({line}: Extract<Step, {readonly kind: 'screen'}>): string {
  return ` · \`${line.replaceAll('`', "'").trim()}\``;
}

/** The receiver, its state after the message, and the file of its chart. */
function receiverOf({to, state, machine}: Message): string {
  const file = chartFiles.get(machine);
  const notes = [...(state === '' ? [] : [`**${state}**`]), ...(file ? [`\`${file}\``] : [])];
  return `${nameOf(to)}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}

/** The lock takes messages from any actor of the tree, without its name. */
function senderOf({from, message}: Message): string {
  if (from !== undefined) return `${nameOf(from)} `;
  return message.startsWith('effect.') ? 'engine ' : '';
}

function nameOf(path: string): string {
  return `\`${path === '' ? 'root' : path.split('/').slice(-2).join('/')}\``;
}

/** Without the steps of other actors: the panel is the parent of the first step's actor. */
function aboutPanel(steps: readonly Step[]): readonly Step[] {
  const [first] = steps;
  const panel = first?.kind === 'message' ? first.to.split('/').slice(0, -1).join('/') : '';
  const isWithin = (actor = ''): boolean => actor === panel || actor.startsWith(`${panel}/`);
  return steps.filter((step) => {
    if (step.kind === 'message') return isWithin(step.from) || isWithin(step.to);
    return step.kind !== 'journal' || step.actor === '' || isWithin(step.actor);
  });
}

/** From the first step that begins the walk to the one that ends it, with the lines that it writes to the screen. */
function between(
  steps: readonly Step[],
  begins: (step: Step) => boolean,
  ends: (step: Step) => boolean,
): readonly Step[] {
  const from = steps.findIndex(begins);
  const to = steps.findIndex((step, index) => index > from && ends(step));
  if (from < 0 || to < 0) throw new Error('the run does not hold this walk');
  const rest = steps.slice(to + 1);
  const quiet = rest.findIndex(({kind}) => kind !== 'screen');
  return steps.slice(from, to + 1 + Math.max(0, quiet)).filter((step) => !isReport(step, 'usage'));
}

function isScreening(step: Step): boolean {
  return isStartOf(step, /\/quorum\/screen$/);
}

function isCall(step: Step): boolean {
  return isStartOf(step, /\/task:[^/]+\/call$/);
}

function isStartOf(step: Step, path: RegExp): boolean {
  return step.kind === 'message' && step.message === 'xstate.init' && path.test(step.to);
}

function isReport(step: Step, report: string): boolean {
  return step.kind === 'report' && step.report === report;
}
