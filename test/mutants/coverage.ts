/** The page of the charts' coverage: what the scenarios go through, and which changed charts are noticed. */

import type {AnyStateMachine} from 'xstate';

import {machines} from '../../machines/index.ts';
import {statesOf, transitionNames} from '../../machines/testing/chart.ts';
import {mutantsOf} from '../../machines/testing/mutants/mutants.ts';
import type {RecordedOutcome, RecordedOutcomes} from './outcomes.ts';
import {sum} from './report.ts';
import {reasonFor} from './survivors.ts';

export function coverageDocument(outcomes: RecordedOutcomes): string {
  const rows = machines.flatMap((machine) => {
    const outcome = outcomes[machine.id];
    return outcome ? [{machine, outcome}] : [];
  });
  const noticed = sum(rows.map(({outcome}) => outcome.noticed));
  const survived = sum(rows.map(({outcome}) => outcome.survivors.length));
  return [
    '# Coverage of the charts',
    '',
    'The figures are recorded by `npm run mutants`, and this page is made of them by `npm run diagrams`. A mutant is a machine with one',
    'change. It is noticed when a law, the coverage of the explored scenarios, or a test of the charts fails.',
    '',
    `**${noticed} of ${noticed + survived} mutants are noticed (${percent(noticed, noticed + survived)}).**`,
    '',
    '- **states**: without the root.',
    '- **scenarios, tours, steps**: the explored scenarios that enter a state of the machine, the runs that together take every step of',
    '  these scenarios, and these steps. Together the scenarios enter every state and take every transition, except the transitions',
    '  that only a crash takes: `test/machines/crash.test.ts` takes those.',
    '- **noticed**: the mutants that are noticed, of the mutants that make a difference.',
    '- **seconds**: the sum of the running times of the mutants, with two at a time on two cores.',
    '',
    '| machine | states | transitions | scenarios | tours | steps | noticed | of | share | seconds |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows.map(({machine, outcome}) => {
      const {scenarios, tours, steps, noticed: found, survivors, seconds} = outcome;
      const all = found + survivors.length;
      const cells = [
        machine.id,
        statesOf(machine).length - 1,
        transitionNames(machine).length,
        scenarios,
        tours,
        steps,
        found,
        all,
        percent(found, all),
        seconds,
      ];
      return `| ${cells.join(' | ')} |`;
    }),
    '',
    '## Mutants that nothing notices',
    '',
    ...survivorLines(rows.flatMap(({outcome}) => outcome.survivors)),
    '## Changes that make no difference',
    '',
    'They are not counted. Either the chart shows that the change has no effect, or the changed actions ran in the scenarios and every',
    'scenario reached the same states by the same steps.',
    '',
    ...rows.flatMap(({machine, outcome}) => unchangedLines(machine, outcome)),
    '',
  ].join('\n');
}

function survivorLines(survivors: readonly string[]): string[] {
  const byReason = Map.groupBy(survivors, (name) => reasonFor(name) ?? 'no reason is known');
  return [...byReason].flatMap(([reason, names]) =>
    [`${capitalized(reason)}:`, ''].concat(
      names.map((name) => `- \`${name}\``),
      '',
    ),
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function unchangedLines(machine: AnyStateMachine, {unchanged}: RecordedOutcome): string[] {
  return mutantsOf(machine)
    .excluded.map(({name, reason}) => `- \`${name}\`: ${reason}`)
    .concat(unchanged.map((name) => `- \`${name}\`: the same states in every scenario`));
}

function percent(part: number, all: number): string {
  return all === 0 ? '100 %' : `${((100 * part) / all).toFixed(1)} %`;
}
