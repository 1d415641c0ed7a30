/** Node, programs that start it for other languages, and Deno. Inline code is understood if it only computes and prints. */

import type {Unknown} from '../effect.ts';
import {readJavascript} from '../inline/javascript.ts';
import {withInlineCode} from '../inline/with-inline-code.ts';
import type {Act, Arguments, Invocation, Reading, Refinements} from '../program.ts';
import {isElsewhere} from '../read-program.ts';
import type {Word} from '../word.ts';
import {valuesOf} from './given.ts';
import {scriptOf} from './packages.ts';
import {act, eachAct, runsFiles, withActs, withUnknown} from './refine.ts';

export const node: Refinements = {
  runsNode: (reading, call, given) =>
    /^node(?:js)?$/.test(call.name)
      ? withInlineCode(loaded(reading, call, given), {
          code: codeOf(call, given),
          option: '-e --eval -p --print',
          read: readJavascript,
        })
      : loaded(reading, call, given),
  loadsFile: loaded,
  nearbyOnly: eachAct(reached),
  // Scripts of package.json are tasks as well.
  denoScript: (reading, _call, {operands: [name, ...rest]}) =>
    name ? withActs(reading, scriptOf(name, rest)) : reading,
};

/** After `-e`, `-p` or `-pe`, or in a here-document. */
function codeOf({args, input}: Invocation, given: Arguments): Word | undefined {
  if (args.every(({text}) => text === '-') && typeof input !== 'string') return input;
  const [code, ...more] = valuesOf(given, '-e --eval -p --print');
  if (more.length > 0) return undefined;
  const isBoth = code?.text === 'e' && args[0]?.text === '-pe';
  return isBoth ? given.operands[0] : code;
}

/** A program of a package, a subcommand, files of tests. */
function loaded(reading: Reading, _call: Invocation, given: Arguments): Reading {
  if (reading.isTest) return runsFiles(reading, given.operands);
  const [main, ...rest] = given.operands;
  if (main && /^(?:watch|inspect|debug)$/.test(main.text))
    return withUnknown(reading, main.text, 'runs the file after it');
  const installed = /^(?:\.\/)?node_modules\/\.bin\/([\w.-]+)$/.exec(main?.text ?? '')?.[1];
  if (installed === undefined) return reading;
  const acts = reading.acts.filter(({word}) => word !== main && !rest.includes(word));
  return withActs({...reading, acts}, {...act('package-command', installed), rest});
}

function reached(read: Act): readonly (Act | Unknown)[] {
  return read.role !== 'text' && isElsewhere(read.word)
    ? [{word: read.word.text, why: 'is code from elsewhere'}]
    : [read];
}
