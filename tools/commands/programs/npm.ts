/** npm and npx. Scripts of package.json are followed; a program of a package runs where it is installed. */

import type {Arguments, Invocation, Program, Reading} from '../program.ts';
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
import {act, has, knownOperands, withActs, withUnknown} from './refine.ts';

type Refine = NonNullable<Program['refine']>;

const common =
  '-C|--prefix=from -s|--silent -q|--quiet -d|--verbose --loglevel=text --no-audit --audit=?text --no-fund --fund=?text --no-progress --progress=?text --color=?text --no-color --json --parseable -l|--long --offline --prefer-offline --no-update-notifier --foreground-scripts --workspaces -w|--workspace=text --include-workspace-root --if-present -h|--help --yes -y';

const installOptions = `${common} --ignore-scripts --omit=text --include=text --only=text --production --legacy-peer-deps --strict-peer-deps --force -f -S|--save -D|--save-dev -O|--save-optional -P|--save-prod -E|--save-exact --no-save --no-package-lock --package-lock-only --engine-strict --install-strategy=text --dry-run --no-bin-links --prefer-dedupe -g|--global`;

const archive: Word = {text: '*.tgz', known: true, pattern: true, quoted: true};

export const npm: readonly Program[] = [
  {
    name: 'npm',
    options: `${common} -v|--version -g|--global --access=text --tag=text`,
    refine: (reading, call, given) => {
      const told = everywhere(reading, call, given);
      return given.operands[0]?.text === 'init' ? beginsMember(told, call, given) : told;
    },
    subcommands: {
      '': {},
      'test tst t': {options: common, operands: 'text*', isTest: true, refine: script('test')},
      start: {options: common, operands: 'text*', refine: script('start')},
      stop: {options: common, operands: 'text*', refine: script('stop')},
      restart: {options: common, operands: 'text*', refine: script('restart')},
      'run run-script rum urn': {
        options: `${common} --ignore-scripts`,
        operands: 'text*',
        refine: script(),
      },
      'ci clean-install ic install-clean': {
        options: installOptions,
        does: 'installs=declared',
        refine: lifecycle,
      },
      'install i in ins inst insta instal isnt isnta isntal isntall add update up upgrade udpate': {
        options: installOptions,
        operands: 'installs*',
        when: {
          '-g --global': {operands: 'installs*', does: 'alters=packages_of_this_machine'},
          '': {does: 'installs=declared'},
        },
        refine: lifecycle,
      },
      'install-test it install-ci-test cit': {
        options: installOptions,
        does: 'installs=declared',
        isTest: true,
        refine: (reading, call, given) =>
          withActs(lifecycle(reading, call, given), act('package-script', 'test')),
      },
      'uninstall un remove rm r unlink': {
        options: installOptions,
        operands: 'installs+',
        when: {'-g --global': {operands: 'installs+', does: 'alters=packages_of_this_machine'}},
        refine: lifecycle,
      },
      'prune dedupe ddp rebuild rb': {
        options: installOptions,
        operands: 'text*',
        does: 'installs=declared',
        refine: lifecycle,
      },
      'ls list la ll': {
        options: `${common} -a|--all --depth=text --omit=text --include=text --link --package-lock-only -g|--global --prod --dev`,
        operands: 'text*',
      },
      outdated: {
        options: `${common} -a|--all --depth=text -g|--global`,
        operands: 'text*',
        does: 'fetches=registry.npmjs.org',
      },
      'view info show v search s se find': {
        options: `${common} --searchlimit=text`,
        operands: 'text*',
        does: 'fetches=registry.npmjs.org',
        refine: knownOperands('is told to the registry'),
      },
      audit: {
        options: `${common} --audit-level=text --omit=text --include=text --production --package-lock-only --dry-run`,
        subcommands: {
          '': {does: 'fetches=registry.npmjs.org'},
          signatures: {options: common, does: 'fetches=registry.npmjs.org'},
          fix: {
            options: `${common} --ignore-scripts --omit=text --package-lock-only --dry-run`,
            does: 'installs=declared',
            refine: lifecycle,
          },
        },
      },
      'explain why fund query': {options: common, operands: 'text*'},
      'root prefix bin': {options: `${common} -g|--global`},
      'doctor ping whoami': {options: common, does: 'fetches=registry.npmjs.org'},
      help: {operands: 'text*'},
      pack: {
        options: `${common} --dry-run --ignore-scripts`,
        when: {'--dry-run': {does: ''}},
        refine: packs,
      },
      version: {
        options: `${common} -m|--message=text --no-git-tag-version --git-tag-version=?text --preid=text --allow-same-version`,
        operands: 'text?',
        refine: (reading, _call, {operands}) =>
          operands.length === 0
            ? reading
            : withActs(
                reading,
                act('edits', 'package.json'),
                act('records', 'a version'),
                ...scripts('preversion version postversion'),
              ),
      },
      'config c': {
        options: `${common} -g|--global`,
        subcommands: {
          'list ls': {options: `${common} -g|--global`},
          get: {options: `${common} -g|--global`, operands: 'text*'},
          'set delete rm edit fix': {
            options: '*',
            operands: 'text*',
            does: 'alters=npm_for_this_user',
          },
        },
      },
      get: {options: common, operands: 'text*'},
      set: {options: '*', operands: 'text*', does: 'alters=npm_for_this_user'},
      pkg: {subcommands: {get: {options: common, operands: 'text*', does: 'reads=package.json'}}},
      init: {
        options: `${common} --init-type=text --scope=text`,
        does: 'edits=package.json',
        refine: beginsMember,
      },
      cache: {
        subcommands: {
          'verify ls': {options: common, operands: 'text*'},
          'clean clear rm add': {options: '*', operands: 'text*', does: 'alters=the_cache_of_npm'},
        },
      },
      'exec x': {options: common, operands: 'text+', refine: ofPackage},
      publish: {
        options: `${common} --dry-run --ignore-scripts --tag=text --access=text --otp=text --provenance`,
        operands: 'text?',
        does: 'publishes=packages',
        when: {'--dry-run': {operands: 'text?', does: 'fetches=registry.npmjs.org'}},
        refine: triesToPublish,
      },
      'unpublish deprecate undeprecate dist-tag dist-tags owner author access token login adduser add-user logout star unstar hook org team profile trust stage':
        {
          options: '*',
          operands: 'text*',
          does: 'publishes=packages',
        },
    },
  },
  {
    name: ['npx', 'pnpx', 'bunx'],
    style: 'posix',
    options:
      '-y|--yes --no --no-install -q|--quiet --silent --bun --offline --prefer-offline -v|--version -h|--help',
    operands: 'command',
    when: {'-v --version -h --help': {operands: 'text*'}},
    refine: ofPackage,
  },
];

/** What npm runs by itself when it installs. */
function lifecycle(reading: Reading, _call: Invocation, given: Arguments): Reading {
  const told = fromHere(reading);
  if (has(given, '--ignore-scripts --dry-run -g --global')) return told;
  return withActs(told, ...inFolder(scripts('preinstall install postinstall prepare'), given));
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

/** `npm run NAME -- ARGS`; `npm run` alone tells which there are. */
function script(name?: string): Refine {
  return (reading, call, given) => {
    const [word, ...rest] = name === undefined ? given.operands : [wordOf(name), ...given.operands];
    if (!word || has(given, '-h --help')) return unlessAsked(reading, call.args);
    const own = word.text === 'env' ? [act('reveals', 'the environment')] : [];
    const told = withActs(reading, ...inFolder([scriptOf(word, rest), ...own], given));
    return everywhere(unlessAsked(told, rest), call, given);
  };
}
