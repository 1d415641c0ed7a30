/** `quorate diagram`: draws a state machine of the user or of Quorate. */

import {AppError} from '../../machines/domain/app-error.ts';
import {type DiagramFormat, diagramFormats} from '../charts/diagram-formats.ts';
import type {Command, Parsed} from '../line/command.ts';
import type {Option} from '../line/option.ts';
import {pageWidthOf, type Terminal, write} from '../terminal.ts';

const options: readonly Option[] = [
  {
    name: 'format',
    takes: 'FORMAT',
    values: diagramFormats,
    text: 'mermaid, svg, json or xstate; mermaid if absent',
  },
];

export const diagram: Command = {
  operands: {
    usage: '[MACHINE]',
    what: 'a module that exports a machine, or the name of a machine of Quorate',
    values: 'file',
    least: 0,
    most: 1,
  },
  summary: 'draw a state machine of XState 5 as Mermaid, SVG, JSON or code for an editor',
  detail: `Prints a diagram of a machine: FILE[:EXPORT], or a machine of Quorate by its name. A module that exports several
machines needs the name of the export. The module is imported, so its code runs. Without an operand it lists the machines
of Quorate. "quorate diagram map" shows which of them invokes which.

  mermaid   a state diagram, as GitHub shows it in a block of Markdown
  svg       a picture that follows the reader's light or dark theme
  json      {config, positions}: the structure of the machine, and where each state and each transition is drawn
  xstate    a module with the structure of the machine, for the visual editor of stately.ai. Inline functions get names,
            such as "inline guard 1 of paying".

In a picture, blue states run an actor, and pink states wait for a person (tag waitsForPerson). Diamonds are choices:
they are left as soon as they are entered. With --output json, --format is json, and the list is JSON.`,
  options,
  obeys: ['output'],
  examples: [
    'quorate diagram',
    'quorate diagram quorum',
    'quorate diagram checkout.ts:checkoutMachine --format svg > checkout.svg',
    'quorate diagram map --format svg > map.svg',
  ],
  run: async (parsed, terminal) => {
    const [word] = parsed.operands;
    if (word === undefined) {
      await list(parsed, terminal);
      return 0;
    }
    const {diagramText} = await import('../charts/diagrams.ts');
    await write(terminal.stdout, await diagramText(word, formatIn(parsed), parsed.cwd));
    return 0;
  },
};

function formatIn({flags, output}: Parsed): DiagramFormat {
  const text = flags['format']?.at(-1);
  if (text === undefined) return output === 'text' ? 'mermaid' : 'json';
  const format = diagramFormats.find((each) => each === text);
  if (format) return format;
  const known = diagramFormats.join(', ');
  throw new AppError('usage', `unknown format "${text}"; the formats are ${known}`);
}

async function list({flags, output}: Parsed, {stdout, env}: Terminal): Promise<void> {
  if (flags['format']) {
    throw new AppError('usage', '--format needs a machine: quorate diagram quorum --format svg');
  }
  const [{shippedMap}, {chartData, chartLines}, {safeJson}, {styleFor}] = await Promise.all([
    import('../charts/diagrams.ts'),
    import('../render/tables/charts.ts'),
    import('../render/text.ts'),
    import('../render/style.ts'),
  ]);
  const map = shippedMap();
  const text =
    output === 'text'
      ? chartLines(map, {style: styleFor(stdout, env), width: pageWidthOf(stdout)}).join('\n')
      : safeJson(chartData(map), output === 'json' ? 2 : undefined);
  await write(stdout, `${text}\n`);
}
