/** Programs that change the system: processes, services, accounts, disks, packages. Only commands that look are understood. */

import type {Invocation, Reading, Refinements} from '../program.ts';
import type {Word} from '../word.ts';
import {fitting} from './given.ts';
import {act, onlyWith} from './refine.ts';

/** `kill -9 12`, `kill -s TERM %1`, `kill $!`, `kill -0 12`, `kill -l`. */
function readKill(reading: Reading, {args}: Invocation): Reading {
  const {signal, targets} = killArguments(args);
  const asks = signal === '0' || signal === 'l' || signal === 'L';
  const others = targets.filter((word) => !asks && word.text !== '--' && !isOwn(word));
  return {...reading, acts: others.map((word) => act('signals', word))};
}

function killArguments([first, ...rest]: readonly Word[]): {
  readonly signal: string;
  readonly targets: readonly Word[];
} {
  if (!first) return {signal: '', targets: []};
  const signal = first.known ? (/^-(\w+)$/.exec(first.text)?.[1] ?? '') : '';
  if (signal === '') return {signal, targets: [first, ...rest]};
  if (signal !== 's' && signal !== 'n') return {signal, targets: rest};
  return {signal: rest[0]?.text ?? '', targets: rest.slice(1)};
}

/** A process that the command itself has started in the background. */
function isOwn({known, text}: Word): boolean {
  return known ? /^%[\d+%-]?$/.test(text) : text === '$!';
}

export const system: Refinements = {
  readKill,
  servicesOf: (reading, {args}, {operands: [, verb, more]}) => {
    const looks =
      args[0]?.text === '--status-all' || (verb?.known === true && verb.text === 'status' && !more);
    return looks ? reading : {...reading, acts: [act('alters', 'services')]};
  },
  opensShell: onlyWith('-ls -list -v', 'opens a shell'),
  // A file among the operands may be code.
  plainPackages: (reading, _, {operands}) =>
    fitting(reading, operands, {form: /^[\w@+-]+$/, why: 'is not a plain name of a package'}),
  installsPackages: (reading, _, {operands}) => ({
    ...reading,
    acts: [
      ...operands.map((word) => act('installs', word)),
      act('alters', 'packages of the system'),
    ],
  }),
  knownDatabases: (reading, _, {operands: [base]}) =>
    base?.known && /^(?:passwd|group|services|protocols|shells)$/.test(base.text)
      ? {...reading, acts: []}
      : reading,
  changesRpms: onlyWith('-q --version', 'changes packages of the system'),
};
