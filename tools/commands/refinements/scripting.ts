/** Perl, PHP, Lua, R, Elixir and their tools. Inline code is understood if it only computes and prints. */

import {readPerlCall} from '../inline/perl-call.ts';
import {readPhp} from '../inline/php.ts';
import {onlyOf, withInlineCode} from '../inline/with-inline-code.ts';
import type {Arguments, Invocation, Reading, Refinements} from '../program.ts';
import type {Word} from '../word.ts';
import {act, has, onlyTasks, withActs, withUnknown} from './refine.ts';

export const scripting: Refinements = {
  runsPerl: (reading, call) => {
    const acts = readPerlCall(call);
    return acts ? {acts, unknown: []} : reading;
  },
  perltidyWrites: (reading, {name}) =>
    name === 'perltidy' ? withUnknown(reading, 'perltidy', 'writes beside its sources') : reading,
  runsPhp: (reading, call, given) =>
    withInlineCode(phpOf(reading, call, given), {
      code: onlyOf(given, '-r'),
      option: '-r',
      read: readPhp,
    }),
  phpFixes: (reading, {name}, given) => {
    const edits =
      /^(?:php-cs-fixer|phpcbf|pint|rector|ecs)$/.test(name) &&
      !has(given, '--dry-run --test -V --version -h --help') &&
      given.operands[0]?.text !== 'check';
    return edits ? withActs(reading, act('edits-tree', '.')) : reading;
  },
  styluaFixes: (reading, {name}, given) =>
    name === 'stylua' && !has(given, '--check')
      ? withActs(reading, ...given.operands.map((word) => act('edits-tree', word)))
      : reading,
  rScripts: onlyTasks(/\.[Rr]$/),
};

/** `php vendor/bin/phpunit`, `php artisan test`. */
function phpOf(reading: Reading, _call: Invocation, {operands}: Arguments): Reading {
  const [file, ...rest] = operands;
  const installed = /^(?:\.\/)?vendor\/bin\/([\w-]+)$/.exec(file?.text ?? '')?.[1];
  if (installed === undefined) return artisanOf(reading, file, rest[0]);
  const acts = reading.acts.filter(({role}) => role !== 'code' && role !== 'text');
  return withActs({...reading, acts}, {...act('command', installed), rest});
}

/** Some of its commands change data. */
function artisanOf(reading: Reading, file: Word | undefined, verb: Word | undefined): Reading {
  if (!/(?:^|\/)(?:artisan|bin\/console)$/.test(file?.text ?? '')) return reading;
  const subcommand = verb?.text ?? '';
  if (subcommand === 'test') return {...reading, isTest: true};
  return /^(?:|list|about|env|route:list|migrate:status|config:show|event:list|schedule:list|inspire|--version|lint:\w+|debug:[\w-]+|cache:clear|view:clear|config:clear|route:clear)$/.test(
    subcommand,
  )
    ? reading
    : withUnknown(reading, `${file?.text ?? ''} ${subcommand}`, 'is not a known subcommand');
}
