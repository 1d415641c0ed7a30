/**
 * The verdicts of the policies on the lists of commands in `test/fixtures/commands/`: `npm run policy-figures`, asserts
 * nothing. `--no-request` judges them without a request. `--misses` prints the wrong verdicts.
 */

import {type Judged, type ListFigures, missesOf, studyLists} from '../support/command-figures.ts';

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function rowOf({name, judged}: ListFigures): string {
  const of = (verdict: string) => judged.filter(({judgement}) => judgement.verdict === verdict);
  const cells = (['approve', 'refuse', 'cannot_judge'] as const).map((verdict) => {
    const {length} = of(verdict);
    return `${length} (${((length / judged.length) * 100).toFixed(1)} %)`.padStart(14);
  });
  return [name.padEnd(20), String(judged.length).padStart(6), ...cells].join('');
}

function missOf({command, judgement}: Judged): string {
  const why = judgement.verdict === 'approve' ? effectsOf(judgement) : judgement.reasons.join('; ');
  return `${judgement.verdict.padEnd(13)}${command.replaceAll('\n', String.raw`\n`)}\t${why}`;
}

function effectsOf({effects}: Judged['judgement']): string {
  const shown = effects.map(({kind, target, place}) => `${kind} ${place?.path ?? target}`);
  return shown.join(', ') || 'no effects';
}

const figuresFor = await studyLists();
const figures = figuresFor(process.argv.includes('--no-request') ? '' : undefined);
const head = ['approved', 'refused', 'not judged'].map((title) => title.padStart(14));
print(['list'.padEnd(20), 'of'.padStart(6), ...head].join(''));
for (const list of figures) print(rowOf(list));
if (process.argv.includes('--misses')) {
  for (const isDangerous of [true, false]) {
    print(isDangerous ? '\ndangerous ones approved' : '\nharmless ones refused or not judged');
    for (const miss of missesOf(figures, isDangerous)) print(missOf(miss));
  }
}
