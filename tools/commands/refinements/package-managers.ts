/** pnpm, yarn and bun. A first word that is no command of theirs is a script, or a program of a package. */

import type {Act, Arguments, Invocation, Program, Reading, Refinements} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {
  everyPackage,
  everywhere,
  fromHere,
  inFolder,
  ofPackage,
  scriptOf,
  scripts,
  unlessAsked,
} from './packages.ts';
import {act, all, has, runsFiles, withActs, withUnknown} from './refine.ts';

type Refine = NonNullable<Program['refine']>;

export const packageManagers: Refinements = {
  packageTest: script('test'),
  packageStart: script('start'),
  packageStop: script('stop'),
  packageScript: script(),
  packageEverywhere: all(ofPackage, everywhere),
  packageLifecycle: lifecycle,
  pnpmPublishes: triesToPublish,
  orScriptEverywhere: all(orScript(), everywhere),
  yarnNode: (reading, _call, {operands}) =>
    withActs(reading, {...act('command', 'node'), rest: operands}),
  inWorkspaces,
  orScriptManaged: all(orScript(), managed),
  // Without a slash or an ending they are patterns among the tests.
  bunTestFiles: (reading, _call, {operands}) =>
    runsFiles(
      reading,
      operands.filter(({text}) => /[./]/.test(text)),
    ),
  bunRun: script(undefined, /[./]/),
  orScriptOrFile: all(orScript(/[./]/), elsewhere),
};

/** `run NAME ARGS`, `test ARGS`: every word after the name is the script's. */
function script(name?: string, file?: RegExp): Refine {
  return (reading, call, given) => {
    const acts = reading.acts.filter(({role}) => role !== 'command');
    const [word, ...rest] = name === undefined ? given.operands : [wordOf(name), ...call.args];
    const told = {...reading, acts};
    if (!word) return told;
    const done = withActs(told, ...inFolder([started(word, rest, file)], given));
    return everywhere(unlessAsked(done, rest), call, given);
  };
}

/** @param file What in a name says that it is a file. */
function started(word: Word, rest: readonly Word[], file?: RegExp): Act {
  return file?.test(word.text) ? act('code', word) : scriptOf(word, rest);
}

/** Of a manager: a first word that is no command of its own. */
function orScript(file?: RegExp): Refine {
  return (reading, call, given) => {
    const [first, ...rest] = given.operands;
    const missing = `${call.name} ${first?.text ?? ''}`;
    const unknown = reading.unknown.filter(({word}) => word !== missing);
    const isOwn = unknown.length === reading.unknown.length;
    if (isOwn || !first?.known || first.pattern) return reading;
    return withActs({...reading, unknown}, ...inFolder([started(first, rest, file)], given));
  };
}

/** Whose folder is given runs what is there. */
function elsewhere(reading: Reading, _call: Invocation, {options}: Arguments): Reading {
  const folder = options.find(({name}) => name === '--cwd')?.value;
  return folder ? withActs(reading, act('code', folder)) : reading;
}

function lifecycle(reading: Reading, _call: Invocation, given: Arguments): Reading {
  const told = fromHere(reading);
  if (has(given, '--ignore-scripts --dry-run --lockfile-only -g --global')) return told;
  return withActs(told, ...inFolder(scripts('preinstall install postinstall prepare'), given));
}

/** Yarn runs what its own configuration names in place of itself. */
function managed(reading: Reading, _call: Invocation, given: Arguments): Reading {
  return withActs(
    reading,
    ...inFolder([act('loads', '.yarnrc.yml'), act('loads', '.yarnrc')], given),
  );
}

/** `workspaces foreach run test`, `workspace NAME test`: a script, in each of them. */
function inWorkspaces(reading: Reading, {name}: Invocation): Reading {
  const command = reading.acts.find(({role}) => role === 'command');
  const words = command ? [command.word, ...(command.rest ?? [])] : [];
  const [first, ...rest] = words[0]?.text === 'run' ? words.slice(1) : words;
  const told = {...reading, acts: reading.acts.filter((one) => one !== command)};
  return first?.known && !commandsOfYarn.test(first.text)
    ? withActs(told, {...scriptOf(first, rest), from: everyPackage})
    : withUnknown(told, first?.text ?? name, 'is no script');
}

const commandsOfYarn =
  /^(?:add|remove|up|upgrade|exec|dlx|npm|install|pack|publish|version|link|unlink|node|run|why|info|config|set|plugin|patch|rebuild|unplug|workspaces?|constraints|dedupe|cache|init|create|import|stage|search|explain)$/;

/** A dry run packs the package without publishing it. */
function triesToPublish(reading: Reading, {name}: Invocation, given: Arguments): Reading {
  if (!has(given, '--dry-run')) return reading;
  if (has(given, '-r --recursive -F --filter -w --workspace-root'))
    return withUnknown(reading, `${name} publish`, 'runs scripts of several packages');
  const run = has(given, '--ignore-scripts') ? '' : 'prepublishOnly prepack prepare postpack';
  return run === '' ? reading : withActs(reading, ...inFolder(scripts(run), given));
}
