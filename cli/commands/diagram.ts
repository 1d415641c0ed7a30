/** `quorate diagram`: draws a state machine of the user or of Quorate. */

import {t} from '../../machines/message.ts';
import type {DiagramFormat} from '../charts/diagrams.ts';
import {importing} from '../charts/machine-file.ts';
import type {Command, Option, Parsed} from '../line/command.ts';
import {usageError} from '../line/usage-error.ts';
import type {Report} from '../render/report.ts';
import {type Terminal, write} from '../terminal.ts';

const diagramFormats: readonly DiagramFormat[] = ['mermaid', 'svg', 'json', 'xstate'];

const options: readonly Option[] = [
  {
    name: 'format',
    takes: 'FORMAT',
    text: t`mermaid, svg, json or xstate; mermaid if absent`,
  },
  {
    name: 'active',
    takes: 'STATE',
    text: t`draw this state as active: payment.failed, or {"payment": "failed"}`,
  },
];

const titles = [t`MACHINE`, t`STATES`, t`TRANSITIONS`];

export const diagram: Command = {
  operands: {
    usage: '[MACHINE]',
    what: t`a module that exports a machine, or the name of a machine of Quorate`,
    least: 0,
    most: 1,
  },
  summary: t`draw a state machine of XState 5 as Mermaid, SVG, JSON or code for an editor`,
  detail: t`Prints a diagram of a machine: FILE[:EXPORT], or a machine of Quorate by its name. A module that exports several
machines needs the name of the export. The module is imported, so its code runs. Without an operand it lists the machines
of Quorate.

${importing}

  mermaid   a state diagram, as GitHub shows it in a block of Markdown
  svg       a picture that follows the reader's light or dark theme
  json      {config, positions}: the structure of the machine, and where each state and each transition is drawn
  xstate    a module with the structure of the machine, for the visual editor of stately.ai. Inline functions get names,
            such as "inline guard 1 of paying".

In a picture, blue states run an actor, pink states wait for a person (tag waitsForPerson), and red ones are failures (tag
failure). Diamonds are choices: they are left as soon as they are entered. With --output json, --format is json, and the
list is JSON.`,
  options,
  obeys: ['output'],
  examples: [
    'quorate diagram',
    'quorate diagram quorum',
    'quorate diagram checkout.ts:checkoutMachine --format svg > checkout.svg',
    'quorate diagram checkout.ts --active payment.failed --format svg > failed.svg',
  ],
  run: async (parsed, terminal) => {
    const [word] = parsed.operands;
    if (word === undefined) {
      await list(parsed, terminal);
      return 0;
    }
    const {diagramText} = await import('../charts/diagrams.ts');
    const active = parsed.flags['active']?.at(-1);
    const {cwd} = parsed;
    const how = {
      format: formatIn(parsed),
      ...(active === undefined ? {} : {active}),
      ...(cwd === undefined ? {} : {cwd}),
    };
    await write(terminal.stdout, await diagramText(word, how));
    return 0;
  },
};

function formatIn({flags, output}: Parsed): DiagramFormat {
  const text = flags['format']?.at(-1);
  if (text === undefined) return output === 'text' ? 'mermaid' : 'json';
  const format = diagramFormats.find((each) => each === text);
  if (format) return format;
  const known = diagramFormats.join(', ');
  throw usageError(t`unknown format "${text}"; the formats are ${known}`);
}

async function list(parsed: Parsed, terminal: Terminal): Promise<void> {
  if (parsed.flags['format']) {
    throw usageError(t`--format needs a machine: quorate diagram quorum --format svg`);
  }
  const [{ownMachines}, {statesOf, transitionNames}, {tableLines}, {printReport}] =
    await Promise.all([
      import('../charts/machine-file.ts'),
      import('../../machines/testing/chart.ts'),
      import('../render/tables/table.ts'),
      import('../render/report.ts'),
    ]);
  const machines = (await ownMachines()).map((machine) => ({
    name: machine.id,
    // The machine itself is not one of its states.
    states: statesOf(machine).length - 1,
    transitions: transitionNames(machine).length,
  }));
  const rows = machines.map((each) => Object.values(each).map(String));
  const lines: Report['lines'] = ({style, width}) => tableLines(titles, rows, style, width);
  await printReport({data: machines, lines}, parsed, terminal);
}
