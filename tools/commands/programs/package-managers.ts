/** pnpm, yarn and bun. A first word that is no command of theirs is a script, or a program of a package. */

import type {Act, Arguments, Invocation, Program, Reading} from '../program.ts';
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
import {act, all, has, knownOperands, runsFiles, withActs, withUnknown} from './refine.ts';

type Refine = NonNullable<Program['refine']>;
type Subcommands = NonNullable<Program['subcommands']>;

const registry = 'fetches=registry.npmjs.org';
const anything = {options: '*', operands: 'text*'};
const unjudged = {options: '*', operands: 'text*', does: 'unjudged=what_it_fetches_or_changes'};
const publishing = {...anything, does: 'publishes=packages'};

const pnpmCommon =
  '-C|--dir=from -r|--recursive -w|--workspace-root -F|--filter=text -s|--silent --stream --parallel --reporter=text --loglevel=text --color --no-color --if-present --no-bail --bail --sort --no-sort --aggregate-output --workspace-concurrency=text --reporter-hide-prefix --offline --prefer-offline -h|--help';

const pnpmInstall = `${pnpmCommon} --frozen-lockfile --no-frozen-lockfile --lockfile-only --fix-lockfile --no-lockfile --no-optional -P|--prod|--production -D|--dev|--save-dev -E|--save-exact -O|--save-optional --save-peer --save-prod -g|--global --ignore-scripts --strict-peer-dependencies --shamefully-hoist --force -f -L|--latest -i|--interactive --workspace --depth=text --dry-run --json --long -a|--all --no-save`;

const pnpmScripts: Subcommands = {
  'test t tst': {...anything, isTest: true, refine: script('test')},
  start: {...anything, refine: script('start')},
  stop: {...anything, refine: script('stop')},
  'run run-script': {style: 'posix', options: pnpmCommon, operands: 'command?', refine: script()},
  exec: {options: pnpmCommon, operands: 'command', refine: all(ofPackage, everywhere)},
};

const pnpm: Program = {
  name: ['pnpm', 'pn'],
  options: `${pnpmCommon} -v|--version`,
  subcommands: {
    '': {},
    ...pnpmScripts,
    'install i update up upgrade': {
      options: pnpmInstall,
      operands: 'installs*',
      when: {
        '-g --global': {operands: 'installs*', does: 'alters=packages_of_this_machine'},
        '': {does: 'installs=declared'},
      },
      refine: lifecycle,
    },
    'add remove rm uninstall un': {
      options: pnpmInstall,
      operands: 'installs+',
      when: {'-g --global': {operands: 'installs+', does: 'alters=packages_of_this_machine'}},
      refine: lifecycle,
    },
    'fetch prune dedupe rebuild rb install-test it ci': {
      options: pnpmInstall,
      does: 'installs=declared',
      refine: lifecycle,
    },
    'list ls ll la why root bin licenses': {options: pnpmInstall, operands: 'text*'},
    'outdated audit': {
      options: `${pnpmInstall} --audit-level=text`,
      operands: 'text*',
      does: registry,
      refine: knownOperands('is told to the registry'),
    },
    'view info show v search s se ping whoami': {
      options: `${pnpmCommon} --json`,
      operands: 'text*',
      does: registry,
      refine: knownOperands('is told to the registry'),
    },
    'help doctor': {operands: 'text*'},
    publish: {
      options: `${pnpmCommon} --dry-run --no-git-checks --ignore-scripts --tag|--access|--publish-branch=text --force --json`,
      does: 'publishes=packages',
      when: {'--dry-run': {does: registry}},
      refine: triesToPublish,
    },
    'unpublish deprecate dist-tag owner access token login logout adduser star unstar team profile hook':
      publishing,
    'dlx create init c config get set link ln unlink import patch patch-commit patch-remove deploy server store env setup self-update approve-builds ignored-builds cat-file cat-index find-hash pack pkg version cache completion bugs docs edit home issues prefix repo set-script stars xmas ignore-scripts find runtime with sbom':
      unjudged,
  },
  refine: all(orScript(), everywhere),
};

const yarnCommon =
  '--cwd=from -s|--silent --verbose --json --non-interactive --no-progress --offline --prefer-offline --ignore-engines';
const yarnInstall = `${yarnCommon} --frozen-lockfile --immutable --immutable-cache --check-cache --inline-builds --mode=text --ignore-scripts --production=?text --prod --pure-lockfile --no-lockfile --force --check-files --flat --network-timeout=text -D|--dev -P|--peer -O|--optional -E|--exact -T|--tilde -C|--caret -W|--ignore-workspace-root-check --latest -L -i|--interactive`;

const yarn: Program = {
  name: ['yarn', 'yarnpkg'],
  options: `${yarnInstall} -v|--version -h|--help`,
  when: {'-v --version -h --help': {does: ''}},
  subcommands: {
    '': {does: 'installs=declared', refine: lifecycle},
    install: {options: yarnInstall, does: 'installs=declared', refine: lifecycle},
    'add remove up upgrade upgrade-interactive': {
      options: yarnInstall,
      operands: 'installs*',
      when: {'': {does: 'installs=declared'}},
      refine: lifecycle,
    },
    run: {style: 'posix', options: yarnCommon, operands: 'command?', refine: script()},
    test: {...anything, isTest: true, refine: script('test')},
    exec: {style: 'posix', options: yarnCommon, operands: 'command', refine: ofPackage},
    node: {
      style: 'posix',
      operands: 'text*',
      refine: (reading, _call, {operands}) =>
        withActs(reading, {...act('command', 'node'), rest: operands}),
    },
    'why list ls bin help': {
      options: `${yarnCommon} --pattern=text --depth=text -R|--recursive -A|--all`,
      operands: 'text*',
    },
    'info outdated audit': {
      options: `${yarnCommon} -R|--recursive -A|--all --level=text --groups=text`,
      operands: 'text*',
      does: registry,
      refine: knownOperands('is told to the registry'),
    },
    workspaces: {
      subcommands: {
        'info list': {options: yarnCommon, operands: 'text*'},
        foreach: {
          style: 'posix',
          options:
            '-A|--all -p|--parallel -t|--topological --topological-dev -R|--recursive -v|--verbose -i|--interlaced -W|--worktree --since=?text --from=text --include=text --exclude=text --no-private -j|--jobs=text',
          operands: 'command',
          refine: inWorkspaces,
        },
        run: {style: 'posix', operands: 'command', refine: inWorkspaces},
      },
    },
    workspace: {style: 'posix', operands: 'text command', refine: inWorkspaces},
    'publish unpublish login logout owner tag team npm': publishing,
    'dlx create init set global link unlink plugin policies import self-update unplug rebuild stage licenses explain search patch patch-commit constraints dedupe cache config autoclean check version versions pack generate-lock-entry import-v1 completion help-v1':
      unjudged,
  },
  refine: all(orScript(), managed),
};

const bunInstall =
  '--cwd=from --frozen-lockfile --production -p --no-save --save --dev -d -D --optional --exact -E --ignore-scripts --dry-run --silent --verbose --no-progress --no-summary --force -f -g|--global';

const bun: Program = {
  name: 'bun',
  options:
    '--cwd=from --silent -v|--version --revision -h|--help --bun -b --if-present --watch --hot --no-clear-screen --smol -r|--preload|--require|--import=code --filter=text',
  subcommands: {
    '': {},
    test: {
      options:
        '-t|--test-name-pattern=text --timeout=text --bail=?text --rerun-each=text --only --todo --coverage --coverage-reporter=text --coverage-dir=writes-tree --watch -u|--update-snapshots --preload=code --reporter=text --reporter-outfile=writes --concurrent --randomize --seed=text --max-concurrency=text',
      operands: 'text*',
      does: 'runs=the_tests loads=bunfig.toml',
      isTest: true,
      // Without a slash or an ending they are patterns among the tests.
      refine: (reading, _call, {operands}) =>
        runsFiles(
          reading,
          operands.filter(({text}) => /[./]/.test(text)),
        ),
    },
    run: {
      style: 'posix',
      options: '--silent --if-present --bun -b --watch --hot --filter=text',
      operands: 'command?',
      refine: script(undefined, /[./]/),
    },
    x: {
      style: 'posix',
      options: '--bun --no-install --silent',
      operands: 'command',
      refine: ofPackage,
    },
    'install i add a remove rm update': {
      options: bunInstall,
      operands: 'installs*',
      when: {
        '-g --global': {operands: 'installs*', does: 'alters=packages_of_this_machine'},
        '': {does: 'installs=declared'},
      },
      refine: lifecycle,
    },
    ci: {options: bunInstall, does: 'installs=declared', refine: lifecycle},
    'outdated audit why': {
      options: '--json',
      operands: 'text*',
      does: registry,
      refine: knownOperands('is told to the registry'),
    },
    build: {
      options:
        '--outdir=writes-tree --outfile=writes --target=text --format=text --minify --minify-syntax --minify-whitespace --minify-identifiers --sourcemap=?text --splitting --external|-e=text --watch --root=text --production',
      operands: 'reads+',
    },
    pm: {subcommands: {'ls list bin hash': {options: '-a|--all -g', operands: 'text*'}}},
    publish: publishing,
    'create c init upgrade link unlink exec patch repl info completions discord feedback getcompletes prune':
      unjudged,
  },
  refine: all(orScript(/[./]/), elsewhere),
};

export const packageManagers: readonly Program[] = [pnpm, yarn, bun];

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
