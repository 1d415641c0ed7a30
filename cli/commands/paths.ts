/** `quorate paths FILE`: runs through a machine that take each of its transitions, and tests made of them. */

import {t} from '../../machines/message.ts';
import {importing, machineOperand} from '../charts/machine-file.ts';
import type {Toured} from '../charts/paths.ts';
import type {Command, Option, Parsed} from '../line/command.ts';
import {toCount} from '../line/option-values.ts';
import type {Report} from '../render/report.ts';
import {type Terminal, write} from '../terminal.ts';

const options: readonly Option[] = [
  {
    name: 'samples',
    takes: 'FILE[:EXPORT]',
    text: t`the module that exports samples of inputs, events and outcomes; usually that of the machine`,
  },
  {
    name: 'vitest',
    takes: 'FILE',
    text: t`write a test file for Vitest, with a test for each tour`,
  },
  {
    name: 'init-samples',
    takes: 'FILE',
    text: t`write a skeleton of samples for the machine, and explore nothing`,
  },
  {
    name: 'to',
    takes: 'STATE',
    text: t`show the shortest run to this state instead of tours`,
  },
  {
    name: 'max-states',
    takes: 'N',
    text: t`explore at most N states; 2000 if absent`,
  },
  {
    name: 'max-depth',
    takes: 'N',
    text: t`explore runs of at most N moves; 60 if absent`,
  },
];

export const paths: Command = {
  operands: {
    usage: 'FILE',
    what: t`a module that exports a machine: ${machineOperand}`,
    least: 1,
    most: 1,
  },
  summary: t`explore a state machine of XState 5 and show runs that take each transition`,
  detail: t`Explores a machine: in every state it sends each event, settles each invoked actor and fires each timer. It shows tours that
together take every transition that it found. Promises, callbacks and observables do not run: each does what an actor of its
kind can do, or stays silent. Custom actions are not executed. The module itself is imported, so its code runs.

${importing}

Guards and actions that read data need samples. The export samples of the module, or of --samples, gives them:

  export const samples = {
    input: {items: []},                                           // or inputs: [{…}, {…}]
    events: {'card.entered': [{number: '4242'}, {number: ''}]},   // the data of an event beside its type
    outcomes: {chargeCard: [{paid: true}, {paid: false}]},        // the output of an actor
    distinguish: ({attempts}) => Math.min(attempts, 3),           // the part of the context that distinguishes states
  };

In outcomes, fails(error), sends(event) and next(value) of
quorate/testing are an actor's failure, an event to its parent, and a value of an observable.

Exit 0: every transition is taken. 1: some are not, or the machine fails because an action, a guard or an actor throws and
nothing handles it. --vitest and --init-samples create a file, or replace one that they made before and that nobody edited.`,
  options,
  obeys: ['output'],
  examples: [
    'quorate paths checkout.ts',
    'quorate paths checkout.ts:checkoutMachine --vitest checkout.paths.test.ts',
    'quorate paths checkout.ts --init-samples checkout.samples.ts',
    'quorate paths checkout.ts --to payment.failed',
  ],
  run: async (parsed, terminal) => {
    const {operands, flags, cwd} = parsed;
    const [{aside}, {findMachine}, {samplesFor, tourMachine, writeSamplesFile, writeTestFile}] =
      await Promise.all([
        import('../charts/aside.ts'),
        import('../charts/machine-file.ts'),
        import('../charts/paths.ts'),
      ]);
    const found = await findMachine(operands[0] ?? '', cwd);
    const skeleton = flags['init-samples']?.at(-1);
    if (skeleton !== undefined) {
      writeSamplesFile(skeleton, found, cwd);
      await write(terminal.stdout, `${skeleton}\n`);
      return 0;
    }
    const samples = await samplesFor(found, flags['samples']?.at(-1), cwd);
    const limits = {...samples.limits, ...limitsIn(parsed)};
    const toured = await aside(() =>
      tourMachine(found.machine, {...samples, limits}, flags['to']?.at(-1)),
    );
    const file = flags['vitest']?.at(-1);
    const {failures, transitions} = toured.exploration;
    const starts = !failures.some(({moves}) => moves.length === 0);
    if (file !== undefined && starts) writeTestFile(file, found, samples, toured, cwd);
    await show(toured, parsed, terminal);
    return transitions.missing.length === 0 && failures.length === 0 ? 0 : 1;
  },
};

function limitsIn({flags}: Parsed): {readonly states?: number; readonly depth?: number} {
  const [states, depth] = ['max-states', 'max-depth'].map((name) => numberIn(flags[name], name));
  return {...(states === undefined ? {} : {states}), ...(depth === undefined ? {} : {depth})};
}

function numberIn(values: readonly string[] | undefined, name: string): number | undefined {
  const text = values?.at(-1);
  return text === undefined ? undefined : toCount(`--${name}`, text);
}

async function show(toured: Toured, parsed: Parsed, terminal: Terminal): Promise<void> {
  const {pathsData, pathsLines} = await import('../render/tables/paths.ts');
  const {printReport} = await import('../render/report.ts');
  const lines: Report['lines'] = (view) => pathsLines(toured, view);
  await printReport({data: pathsData(toured), lines}, parsed, terminal);
}
