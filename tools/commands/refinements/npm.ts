/** npm and npx. Scripts of package.json are followed; a program of a package runs if it is installed. */

import type {Arguments, Invocation, Program, Reading, Refinements} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {
  everywhere,
  fromHere,
  inFolder,
  ofPackage,
  scriptOf,
  scripts,
  unlessAsked,
} from './packages.ts';
import {act, has, withActs, withUnknown} from './refine.ts';

type Refine = NonNullable<Program['refine']>;

const archive: Word = {text: '*.tgz', known: true, pattern: true, quoted: true};

export const npm: Refinements = {
  npmMembers: (reading, call, given) => {
    const result = everywhere(reading, call, given);
    return given.operands[0]?.text === 'init' ? beginsMember(result, call, given) : result;
  },
  npmTest: script('test'),
  npmStart: script('start'),
  npmStop: script('stop'),
  npmRestart: script('restart'),
  npmScript: script(),
  npmLifecycle: lifecycle,
  npmInstallTest: (reading, call, given) =>
    withActs(lifecycle(reading, call, given), act('package-script', 'test')),
  npmPacks: packs,
  npmVersion: (reading, _call, {operands}) =>
    operands.length === 0
      ? reading
      : withActs(
          reading,
          act('edits', 'package.json'),
          act('records', 'a version'),
          ...scripts('preversion version postversion'),
        ),
  beginsMember,
  ofPackage,
  npmPublishes: triesToPublish,
};

/** The scripts that npm runs when it installs. */
function lifecycle(reading: Reading, _call: Invocation, given: Arguments): Reading {
  const result = fromHere(reading);
  if (has(given, '--ignore-scripts --dry-run -g --global')) return result;
  return withActs(result, ...inFolder(scripts('preinstall install postinstall prepare'), given));
}

/** `npm init -w FOLDER` makes the folder. */
function beginsMember(reading: Reading, {name}: Invocation, given: Arguments): Reading {
  return has(given, '-w --workspace')
    ? withUnknown(reading, `${name} init -w`, 'begins a package in a folder of its own')
    : reading;
}

function packs(reading: Reading, _call: Invocation, given: Arguments): Reading {
  const run = has(given, '--ignore-scripts') ? [] : scripts('prepack prepare postpack');
  const made = has(given, '--dry-run') ? [] : [act('writes', archive)];
  return withActs(reading, ...inFolder([...run, ...made], given));
}

/** A dry run packs the package without publishing it. */
function triesToPublish(reading: Reading, call: Invocation, given: Arguments): Reading {
  const [what] = given.operands;
  if (!has(given, '--dry-run')) return reading;
  if (what && !/^(?:\.\/?|[\w./-]+\.tgz)$/.test(what.text))
    return withUnknown(reading, what.text, 'is another package than that of this folder');
  const names = 'prepublishOnly prepack prepare postpack publish postpublish';
  const run = has(given, '--ignore-scripts') || what?.text.endsWith('.tgz') ? [] : scripts(names);
  return everywhere(withActs(reading, ...inFolder(run, given)), call, given);
}

/** `npm run NAME -- ARGS`; `npm run` alone lists the scripts. */
function script(name?: string): Refine {
  return (reading, call, given) => {
    const [word, ...rest] = name === undefined ? given.operands : [wordOf(name), ...given.operands];
    if (!word || has(given, '-h --help')) return unlessAsked(reading, call.args);
    const own = word.text === 'env' ? [act('reveals', 'the environment')] : [];
    const result = withActs(reading, ...inFolder([scriptOf(word, rest), ...own], given));
    return everywhere(unlessAsked(result, rest), call, given);
  };
}
