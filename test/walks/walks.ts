/** Two walks through a real run, as numbered lists: one ballot from the wire to the screen, one write from the call to the disk. */

import type {Step} from './trace.ts';

interface Walk {
  readonly title: string;
  readonly about: string;
  readonly steps: readonly Step[];
}

/** The document. Throws when the run holds no ballot, or no write. */
export function walksDocument(steps: readonly Step[]): string {
  const walks: readonly Walk[] = [
    {
      title: 'One ballot, from the wire to the screen',
      about: 'A panel of one model votes on a plan.',
      steps: aboutPanel(between(steps, isScreening, (step) => isReport(step, 'quorum.decided'))),
    },
    {
      title: 'One write, from the call to the disk',
      about: 'The approved plan names a tool and its arguments; the panel votes on the call, too.',
      steps: [
        ...between(steps, isCall, (step) => isReport(step, 'task.settled')),
        ...steps.filter(({kind}) => kind === 'disk'),
      ],
    },
  ];
  return [...opening, ...walks.flatMap(sectionOf)].join('\n');
}

const opening = [
  '# Two walks',
  '',
  'Made by `npm run diagrams` from a real run, by following its actors. Each step is one of:',
  '',
  '- **wire**: what a model server hears;',
  '- **journal**: an entry that becomes durable, with the actor whose effect it tells of;',
  '- **A → B**: a message, and the state in which B stands once it has taken it, where it moves a chart; **→ B** comes from anywhere in the tree;',
  '- **report** and **screen**: what an actor tells, and the line that a person reads;',
  '- **disk**: what is left behind.',
  '',
  'An actor is named by the last two ids of its path.',
  '',
];

function sectionOf({title, about, steps}: Walk): string[] {
  const lines = steps.map((step, index) => `${index + 1}. ${lineOf(step)}`);
  return [`## ${title}`, '', about, '', ...lines, ''];
}

function lineOf(step: Step): string {
  switch (step.kind) {
    case 'wire':
      return `**wire** ${step.text}`;
    case 'journal':
      return `**journal** \`${step.entry}\`${step.actor === '' ? '' : ` of ${nameOf(step.actor)}`}`;
    case 'message': {
      const state = step.state === '' ? '' : `, which is now in **${step.state}**`;
      return `${senderOf(step)}→ ${nameOf(step.to)}: \`${step.message}\`${state}`;
    }
    case 'report':
      return `**report** \`${step.report}\` by ${nameOf(step.actor)}`;
    case 'screen':
      return `**screen** \`${step.line.replaceAll('`', "'").trimStart()}\``;
    case 'disk':
      return `**disk** ${step.text}`;
    default:
      return step satisfies never;
  }
}

/** The lock and the record are spoken to from anywhere in the tree, and are not told by whom. */
function senderOf({from, message}: Extract<Step, {readonly kind: 'message'}>): string {
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

/** From the first step that begins the walk to the one that ends it, with the lines that it puts on the screen. */
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
