/** Programs that run tasks, and that start other programs from package scripts. */

import type {Act, Reading, Refinements} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {scriptOf} from './packages.ts';
import {act, eachAct, onlyTasks, withActs, withUnknown} from './refine.ts';

const services =
  /^(?:login|logout|link|unlink|gen|generate|prune|daemon|telemetry|completion|config|bin|scan|devtools)$|:\/\//;

const outward = /deploy|publish|release|push|upload|version/;

export const taskRunners: Refinements = {
  turboTasks: (reading, _call, {operands}) => {
    const [first, ...more] = operands;
    const names = first?.text === 'run' ? more : operands;
    const other = names.find(({text, known}) => !known || services.test(text));
    const result = other ? withUnknown(reading, `turbo ${other.text}`, 'is not a task') : reading;
    return withActs(result, ...names.map((word) => everyScript(word)));
  },
  nxTasks: (reading, _call, {options, operands}) => {
    const names = [...operands, ...options.flatMap(({value}) => (value ? [value] : []))];
    const risky = names.find(({text, known}) => !known || outward.test(text));
    return risky ? withUnknown(reading, risky.text, 'may reach out') : reading;
  },
  firstEverywhere: (reading, _call, {operands}) =>
    withActs(reading, ...operands.slice(0, 1).map((word) => everyScript(word, operands.slice(1)))),
  changesetsPublish: (reading, call, {operands}) =>
    call.name === 'changeset' && operands[0]?.text === 'status'
      ? reading
      : withActs(reading, act('publishes', 'packages')),
  assignsVariables: assigned,
  byManagers: eachAct(byManager),
  severalScripts: (reading, _call, {operands}) => {
    const open = operands.find(
      ({known, pattern, text}) => !known || pattern || /[*{}\s]/.test(text),
    );
    const result = open ? withUnknown(reading, open.text, 'stands for several scripts') : reading;
    return withActs(result, ...operands.map((word) => scriptOf(word)));
  },
  waitsHere: onlyTasks(
    /^(?:[\w./-]+|tcp:(?:(?:localhost|127\.0\.0\.1):)?\d+|https?(?:-get)?:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?(?:\/.*)?)$/,
  ),
  unglobbed,
  huskyHooks: (reading, _call, {operands}) =>
    /^(?:add|set|uninstall)$/.test(operands[0]?.text ?? '')
      ? withUnknown(reading, 'husky', 'changes hooks')
      : reading,
};

/** `npm:lint` stands for `npm run lint`. */
function byManager(each: Act): readonly Act[] {
  const [, name] = /^(?:npm|pnpm|yarn|bun):([\w:.-]+)$/.exec(each.word.text) ?? [];
  return [name === undefined ? each : scriptOf({...each.word, text: name})];
}

function everyScript(word: Word, rest: readonly Word[] = []): Act {
  const name = word.text.slice(word.text.lastIndexOf('#') + 1);
  return {...scriptOf({...word, text: name}, rest), from: {...wordOf('**'), pattern: true}};
}

/** `cross-env A=1 B=2 command` */
function assigned(
  reading: Reading,
  call: {readonly name: string},
  {operands}: {readonly operands: readonly Word[]},
): Reading {
  const first = operands.findIndex(({text}) => !/^[A-Za-z_]\w*=/.test(text));
  const [word, ...rest] = first < 0 ? [] : operands.slice(first);
  if (!word) return withUnknown(reading, call.name, 'has no command to run');
  const env = Object.fromEntries(
    operands.slice(0, first).map((one) => {
      const at = one.text.indexOf('=');
      return [one.text.slice(0, at), {...one, text: one.text.slice(at + 1)}];
    }),
  );
  return {...reading, acts: [{role: 'command', word, rest, env}]};
}

/** They have wildcards of their own, which the shell does not expand. */
function unglobbed(reading: Reading): Reading {
  const words = reading.acts.flatMap(({word, rest = []}) => [word, ...rest]);
  const odd = words.find(({text, pattern}) => /[*?[\]{}!]/.test(text) && !pattern);
  return odd ? withUnknown(reading, odd.text, 'is a pattern of its own') : reading;
}
