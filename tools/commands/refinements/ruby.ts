/** Ruby and its tools. Inline code is understood if it only computes and prints. */

import {readRuby} from '../inline/ruby.ts';
import {onlyOf, withInlineCode} from '../inline/with-inline-code.ts';
import type {Reading, Refinements} from '../program.ts';
import {wordOf} from '../word.ts';
import {valuesOf} from './given.ts';
import {act, has, runsFiles, withActs, withUnknown} from './refine.ts';

export const ruby: Refinements = {
  runsRuby: (reading, _call, given) =>
    given.operands[0]?.text.endsWith('bin/rails')
      ? railsOf(
          reading,
          given.operands.slice(1).map(({text}) => text),
        )
      : withInlineCode(reading, {
          code: onlyOf(given, '-e'),
          option: '-e',
          read: (code) =>
            readRuby(
              code,
              valuesOf(given, '-r').some(({text}) => text === 'json'),
            ),
        }),
  rakeTasks: (reading, _call, given) =>
    tasksOf(
      reading,
      given.operands.map(({text}) => text),
    ),
  railsTasks: (reading, _call, given) =>
    railsOf(
      reading,
      given.operands.map(({text}) => text),
    ),
  rubocopFixes: (reading, _call, given) =>
    has(
      given,
      '-a --autocorrect --fix -A --autocorrect-all --auto-correct-all --auto-correct -x --fix-layout',
    ) && given.operands.length === 0
      ? withActs(reading, act('edits-tree', '.'))
      : reading,
};

const outward =
  /deploy|publish|release|push|upload|install|(?:^|:)drop|reset|purge|truncate|destroy|migrate|rollback|seed|setup|prod/;

/** Tasks of rake that reach data or other systems are not followed. */
function tasksOf(reading: Reading, texts: readonly string[]): Reading {
  const dropping = texts.find((text) =>
    /^db:(?:drop|reset|purge|truncate|migrate:reset|schema:load|setup|rollback)/.test(text),
  );
  if (dropping !== undefined) return withActs(reading, act('alters', 'a database'));
  const odd = texts.find((text) => outward.test(text) || /[=;|&$`\s]/.test(text));
  const isTest = texts.some((text) => /^(?:test|spec|default)(?::|$)/.test(text));
  if (odd !== undefined) return withUnknown(reading, odd, 'may reach out of the workspace');
  return isTest ? {...reading, isTest: true} : reading;
}

function railsOf(reading: Reading, [verb = '', ...rest]: readonly string[]): Reading {
  if (/^(?:test(?::\w+)?|spec)$/.test(verb))
    return runsFiles(
      {...reading, isTest: true},
      rest.filter((text) => !text.startsWith('-')).map(wordOf),
    );
  if (
    /^(?:routes|stats|notes|about|version|server|s|zeitwerk:check|middleware|assets:precompile|log:clear|tmp:clear|-T|--tasks|initializers|)$/.test(
      verb,
    )
  )
    return reading;
  return verb.includes(':')
    ? tasksOf(reading, [verb, ...rest])
    : withUnknown(reading, `rails ${verb}`, 'is not a known subcommand');
}
