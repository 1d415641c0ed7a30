/** Programs that run tasks, and that start other programs from package scripts. */

import type {Act, Program, Reading} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {scriptOf} from './packages.ts';
import {act, eachAct, onlyTasks, withActs, withUnknown} from './refine.ts';

const asked = '-v|-V|--version -h|--help';

const services =
  /^(?:login|logout|link|unlink|gen|generate|prune|daemon|telemetry|completion|config|bin|scan|devtools)$|:\/\//;
const outward = /deploy|publish|release|push|upload|version/;

const nxOptions =
  '-t|--target|--targets=text --all -p|--projects=text --exclude=text --parallel=?text --configuration=text --prod --skip-nx-cache --skipNxCache --verbose --nx-bail --nxBail --output-style=text --outputStyle=text --base=text --head=text --affected --uncommitted --untracked --watch=?text --fix --graph --no-cloud --tui=?text --ci --coverage --skip-remote-cache --runInBand --testFile=text --json';

export const taskRunners: readonly Program[] = [
  {
    name: 'turbo',
    options: `${asked} --filter|-F=text --force=?text --no-cache --cache=text --parallel --concurrency=text --continue=?text --dry-run=?text --dry=?text --graph=?text --only --output-logs=text --log-order=text --summarize=?text --no-daemon --daemon --affected --env-mode=text --ui=text --verbosity=text --framework-inference=text --cwd=from --color --no-color`,
    operands: 'text*',
    does: 'loads=turbo.json loads=package.json',
    when: {'-v -V --version -h --help': {operands: 'text*', does: ''}},
    refine: (reading, _call, {operands}) => {
      const [first, ...more] = operands;
      const names = first?.text === 'run' ? more : operands;
      const other = names.find(({text, known}) => !known || services.test(text));
      const told = other ? withUnknown(reading, `turbo ${other.text}`, 'is no task') : reading;
      return withActs(told, ...names.map((word) => everyScript(word)));
    },
  },
  {
    name: 'nx',
    options: '--version --help',
    subcommands: {
      '': {},
      'run-many affected run test build lint e2e typecheck serve format:check': {
        options: nxOptions,
        operands: 'text*',
        does: 'runs=targets_of_the_workspace loads=nx.json',
        when: {'--fix': {operands: 'text*', does: 'runs=targets_of_the_workspace edits-tree=.'}},
        refine: (reading, _call, {options, operands}) => {
          const names = [...operands, ...options.flatMap(({value}) => (value ? [value] : []))];
          const risky = names.find(({text, known}) => !known || outward.test(text));
          return risky ? withUnknown(reading, risky.text, 'may reach out') : reading;
        },
      },
      'graph show report list print-affected': {
        options: `${nxOptions} --file=writes`,
        operands: 'text*',
      },
      reset: {does: 'runs=a_reset_of_the_cache'},
      'format:write format': {options: nxOptions, does: 'edits-tree=.'},
    },
  },
  {
    name: 'lerna',
    options: '-v|--version -h|--help',
    subcommands: {
      run: {
        style: 'posix',
        options:
          '--scope=text --ignore=text --since=text --stream --parallel --concurrency=text --no-bail --include-dependencies --no-prefix',
        operands: 'text+',
        refine: (reading, _call, {operands}) =>
          withActs(
            reading,
            ...operands.slice(0, 1).map((word) => everyScript(word, operands.slice(1))),
          ),
      },
      'list ls la ll changed diff': {
        options: '-a|--all --json -l|--long --since=text --toposort',
        operands: 'text*',
      },
      bootstrap: {options: '--hoist --ci', does: 'installs=declared'},
      'publish version': {options: '*', operands: 'text*', does: 'publishes=packages'},
    },
  },
  {
    name: ['changeset', 'semantic-release', 'release-it', 'standard-version', 'np'],
    options: '--version --help --since=text --verbose --output=writes',
    operands: 'text*',
    when: {'--version --help': {operands: 'text*'}},
    refine: (reading, call, {operands}) =>
      call.name === 'changeset' && operands[0]?.text === 'status'
        ? reading
        : withActs(reading, act('publishes', 'packages')),
  },
  {name: 'cross-env', style: 'posix', operands: 'command', refine: assigned},
  {name: 'cross-env-shell', operands: 'shell'},
  {
    name: ['dotenv', 'env-cmd'],
    style: 'posix',
    options: '-e|-f|--file=code -c=text -o|--override --silent --no-override',
    operands: 'command',
  },
  {
    name: 'concurrently',
    style: 'posix',
    options: `${asked} -k|--kill-others --kill-others-on-fail -n|--names=text -c|--prefix-colors=text -s|--success=text -r|--raw -p|--prefix=text --no-color -m|--max-processes=text -g|--group --hide=text --timings`,
    operands: 'shell*',
    refine: eachAct(byManager),
  },
  {
    name: ['npm-run-all', 'npm-run-all2', 'run-s', 'run-p'],
    options:
      '-s|--serial|--sequential -p|--parallel -l|--print-label -n|--print-name -c|--continue-on-error -r|--race --silent --aggregate-output --max-parallel=text',
    operands: 'text+',
    refine: (reading, _call, {operands}) => {
      const open = operands.find(
        ({known, pattern, text}) => !known || pattern || /[*{}\s]/.test(text),
      );
      const told = open ? withUnknown(reading, open.text, 'stands for several scripts') : reading;
      return withActs(told, ...operands.map((word) => scriptOf(word)));
    },
  },
  {
    name: 'wait-on',
    options: `${asked} -t|--timeout=text -i|--interval=text -d|--delay=text -l|--log --verbose -s|--simultaneous=text -w|--window=text`,
    operands: 'text',
    refine: onlyTasks(
      /^(?:[\w./-]+|tcp:(?:(?:localhost|127\.0\.0\.1):)?\d+|https?(?:-get)?:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?(?:\/.*)?)$/,
    ),
  },
  {
    name: ['rimraf', 'del-cli', 'del'],
    options: `${asked} -v|--verbose -g|--glob --no-glob -d|--dry-run`,
    operands: 'deletes-tree*',
    when: {'-d --dry-run': {operands: 'lists*'}},
    refine: unglobbed,
  },
  {name: ['mkdirp', 'make-dir-cli'], options: `${asked} -p|--print`, operands: 'creates+'},
  {name: 'shx', style: 'posix', operands: 'command', refine: unglobbed},
  {
    name: ['cpy', 'copyfiles', 'ncp', 'cpx'],
    options: `${asked} -u|--up=text -f|--flat -a|--all -E|--error -V|--verbose --flat`,
    operands: 'reads-tree+ writes-tree',
    refine: unglobbed,
  },
  {
    name: 'husky',
    options: asked,
    operands: 'text?',
    does: 'records=the_hooks_of_husky',
    refine: (reading, _call, {operands}) =>
      /^(?:add|set|uninstall)$/.test(operands[0]?.text ?? '')
        ? withUnknown(reading, 'husky', 'changes hooks')
        : reading,
  },
  {
    name: [
      'simple-git-hooks',
      'is-ci',
      'only-allow',
      'patch-package',
      'ngcc',
      'check-node-version',
    ],
    options: asked,
    operands: 'text*',
    does: 'loads=package.json',
  },
];

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

/** They know wildcards of their own, which the shell has left alone. */
function unglobbed(reading: Reading): Reading {
  const words = reading.acts.flatMap(({word, rest = []}) => [word, ...rest]);
  const odd = words.find(({text, pattern}) => /[*?[\]{}!]/.test(text) && !pattern);
  return odd ? withUnknown(reading, odd.text, 'is a pattern of its own') : reading;
}
