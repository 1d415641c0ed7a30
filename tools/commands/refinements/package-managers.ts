/** pnpm, yarn and bun. A first word that is not one of their commands is a script, or a program of a package. */

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
  // Words without a slash or an ending are patterns that select tests.
  bunTestFiles: (reading, _call, {operands}) =>
    runsFiles(
      reading,
      operands.filter(({text}) => /[./]/.test(text)),
    ),
  bunRun: script(undefined, /[./]/),
  orScriptOrFile: all(orScript(/[./]/), elsewhere),
};

/** `run NAME ARGS`, `test ARGS`: every word after the name belongs to the script. */
function script(name?: string, file?: RegExp): Refine {
  return (reading, call, given) => {
    const acts = reading.acts.filter(({role}) => role !== 'command');
    const [word, ...rest] = name === undefined ? given.operands : [wordOf(name), ...call.args];
    const result = {...reading, acts};
    if (!word) return result;
    const done = withActs(result, ...inFolder([started(word, rest, file)], given));
    return everywhere(unlessAsked(done, rest), call, given);
  };
}

/** @param file Matches words that are files. */
function started(word: Word, rest: readonly Word[], file?: RegExp): Act {
  return file?.test(word.text) ? act('code', word) : scriptOf(word, rest);
}

/** For a manager: a first word that is not one of its commands. */
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

/** With the folder option it runs code of that folder. */
function elsewhere(reading: Reading, _call: Invocation, {options}: Arguments): Reading {
  const folder = options.find(({name}) => name === '--cwd')?.value;
  return folder ? withActs(reading, act('code', folder)) : reading;
}

function lifecycle(reading: Reading, _call: Invocation, given: Arguments): Reading {
  const result = fromHere(reading);
  if (has(given, '--ignore-scripts --dry-run --lockfile-only -g --global')) return result;
  return withActs(result, ...inFolder(scripts('preinstall install postinstall prepare'), given));
}

/** Yarn runs the program that its configuration names instead of itself. */
function managed(reading: Reading, _call: Invocation, given: Arguments): Reading {
  return withActs(
    reading,
    ...inFolder([act('loads', '.yarnrc.yml'), act('loads', '.yarnrc')], given),
  );
}

/** `workspaces foreach run test`, `workspace NAME test`: a script in each workspace. */
function inWorkspaces(reading: Reading, {name}: Invocation): Reading {
  const command = reading.acts.find(({role}) => role === 'command');
  const words = command ? [command.word, ...(command.rest ?? [])] : [];
  const [first, ...rest] = words[0]?.text === 'run' ? words.slice(1) : words;
  const result = {...reading, acts: reading.acts.filter((one) => one !== command)};
  return first?.known && !commandsOfYarn.test(first.text)
    ? withActs(result, {...scriptOf(first, rest), from: everyPackage})
    : withUnknown(result, first?.text ?? name, 'is not a script');
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
