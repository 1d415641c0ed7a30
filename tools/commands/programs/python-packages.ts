/** Packages and environments of Python, and what starts its servers. */

import type {Arguments, Invocation, Program, Reading} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {fitting, valuesOf} from './given.ts';
import {modulesOf} from './python.ts';
import {
  act,
  all,
  knownOperands,
  onlyTasks,
  runsFiles,
  servesHere,
  withActs,
  withUnknown,
} from './refine.ts';

const asked = '-V|--version -h|--help';

const pipInstall =
  '-r|--requirement=code -c|--constraint=code -e|--editable=installs -U|--upgrade -q|--quiet -v|--verbose --user --no-deps --pre --no-cache-dir --no-build-isolation --disable-pip-version-check --only-binary|--no-binary=text --prefer-binary --no-input -t|--target=writes-tree -d|--dest=writes-tree -w|--wheel-dir=writes-tree --dry-run --root-user-action=text --no-warn-script-location --progress-bar=text --force-reinstall --ignore-installed -I --no-compile --upgrade-strategy=text -y|--yes --exists-action=text --system --group=text --all-extras --extra=text --python=text --no-index --find-links=lists --strict --compile';

const pipCommands: NonNullable<Program['subcommands']> = {
  '': {},
  'install download wheel sync compile': {
    options: `${pipInstall} -o|--output-file=writes`,
    operands: 'installs*',
    refine: declared,
  },
  uninstall: {options: pipInstall, operands: 'installs*', refine: declared},
  'list freeze check show inspect debug tree': {
    options:
      '-o|--outdated -u|--uptodate -e|--editable -l|--local --user --format=text -q|--quiet -f|--files --all --exclude=text --verbose -v --not-required --disable-pip-version-check --no-input --python=text',
    operands: 'text*',
    when: {'-o --outdated -u --uptodate': {operands: 'text*', does: 'fetches=pypi.org'}},
  },
  index: {
    options: '--pre',
    operands: 'text*',
    does: 'fetches=pypi.org',
    refine: knownOperands('is told to the registry'),
  },
  hash: {options: '-a|--algorithm=text', operands: 'reads+'},
  'help completion': {operands: 'text*'},
  config: {subcommands: {'list get debug': {operands: 'text*'}}},
  cache: {
    subcommands: {
      'dir info list': {operands: 'text*'},
      'purge remove': {operands: 'text*', does: 'alters=the_cache_of_pip'},
    },
  },
};

const uvCommon =
  '-q|--quiet -v|--verbose --offline --frozen --locked --no-sync --no-cache -n --directory=from --project=lists --color=text --no-progress';

const uvInstall = `${uvCommon} --dev --no-dev --all-extras --extra=text --group=text --no-group=text --all-groups --only-dev --package=text --all-packages -p|--python=text -U|--upgrade -P|--upgrade-package=text --no-install-project --inexact --exact --optional=text --editable --raw -r=code --check --dry-run --reinstall --no-editable --active --script=edits`;

export const pythonPackages: readonly Program[] = [
  {
    name: [
      'pip',
      'pip3',
      ...['8', '9', '10', '11', '12', '13', '14'].map((minor) => `pip3.${minor}`),
    ],
    options: `${asked} -q|--quiet --disable-pip-version-check`,
    subcommands: pipCommands,
  },
  {
    name: 'uv',
    options: `${asked} ${uvCommon}`,
    subcommands: {
      '': {},
      run: {
        style: 'posix',
        options: `${uvCommon} --dev --no-dev --all-extras --extra=text --group=text --all-groups --only-dev --package=text -p|--python=text --isolated --active --exact --no-project --env-file=code`,
        operands: 'command',
        refine: all(runsFile, byVersion),
      },
      'sync lock': {
        options: uvInstall,
        does: 'installs=declared loads=pyproject.toml',
        refine: byVersion,
      },
      'add remove': {options: uvInstall, operands: 'installs+', refine: byVersion},
      pip: {options: uvCommon, subcommands: pipCommands},
      venv: {
        options: `${uvCommon} -p|--python=text --seed --clear --prompt=text --allow-existing`,
        operands: 'creates?',
        does: 'runs=an_environment',
        when: {'--clear': {operands: 'deletes-tree'}},
        refine: byVersion,
      },
      'tree export version': {
        options: `${uvInstall} --depth=text --format=text --no-hashes --no-emit-project -o|--output-file=writes --short`,
        operands: 'text*',
      },
      build: {
        options: `${uvCommon} --sdist --wheel -o|--out-dir=writes-tree --package=text --all-packages`,
        operands: 'lists?',
        does: 'runs=the_build',
      },
      format: {
        options: '--check --diff',
        does: 'edits-tree=.',
        when: {'--check --diff': {does: ''}},
      },
      python: {
        subcommands: {
          'list find dir': {options: '--only-installed --all-versions', operands: 'text*'},
          'install uninstall pin upgrade': {
            operands: 'text*',
            does: 'alters=Pythons_of_this_machine',
          },
        },
      },
      tool: {
        subcommands: {
          'list dir': {options: '--show-paths'},
          'install upgrade uninstall': {
            options: '*',
            operands: 'text*',
            does: 'alters=tools_of_this_machine',
          },
        },
      },
      cache: {
        subcommands: {dir: {}, 'clean prune': {operands: 'text*', does: 'alters=the_cache_of_uv'}},
      },
      self: {subcommands: {version: {}, update: {does: 'alters=uv_on_this_machine'}}},
      publish: {options: '*', operands: 'text*', does: 'publishes=packages'},
      help: {operands: 'text*'},
    },
  },
  {
    name: ['poetry', 'pdm', 'pipenv', 'rye', 'hatch'],
    options: `${asked} -q|--quiet -n|--no-interaction -C|--directory|-P|--project=from --no-ansi`,
    subcommands: {
      '': {},
      run: {style: 'posix', options: '-q|--quiet', operands: 'command', refine: runsFile},
      'install sync lock update': {
        options:
          '-q|--quiet --no-root --sync --with=text --without=text --only=text -E|--extras=text --all-extras --dev -d --no-dev --deploy --no-update --dry-run -n|--no-interaction -v --frozen-lockfile --check -G|--group=text --production --no-lock --no-self --system --regenerate --no-cache',
        operands: 'installs*',
        when: {'': {does: 'installs=declared'}},
      },
      'add remove uninstall': {
        options:
          '-G|--group=text -D|--dev -E|--extras=text --optional --dry-run -n|--no-interaction -d',
        operands: 'installs+',
      },
      'show list check graph outdated info tree search': {
        options:
          '-t|--tree -l|--latest -o|--outdated -T|--top-level --only=text --graph --json --lock --strict --reverse',
        operands: 'text*',
      },
      env: {
        options: '--json',
        subcommands: {
          '': {},
          'info list show': {options: '-p|--path -e --full-path', operands: 'text*'},
        },
      },
      'version about help': {options: '-s|--short --dry-run', operands: 'text?'},
      build: {
        options: '-f|--format=text -o|--output=writes-tree -t|--target=text',
        operands: 'text?',
        does: 'runs=the_build',
      },
      'test fmt': {
        options: '-a|--all --cover -i=text --randomize -p|--parallel --check',
        operands: 'text*',
        does: 'runs=the_tests edits-tree=.',
        isTest: true,
      },
      publish: {options: '*', operands: 'text*', does: 'publishes=packages'},
    },
  },
  {
    name: ['virtualenv', 'pyvenv'],
    options: '-p|--python=text -q|--quiet --system-site-packages --prompt=text',
    operands: 'creates',
    refine: byVersion,
  },
  {
    name: 'pyenv',
    options: '--version',
    subcommands: {
      'versions version which root help local global': {
        options: '--bare',
        operands: 'text?',
        refine: onlyTasks(/^[a-z]\w*$/),
      },
      'install uninstall': {
        options: '*',
        operands: 'text*',
        does: 'alters=Pythons_of_this_machine',
      },
    },
  },
  {
    name: ['conda', 'mamba', 'micromamba'],
    options: asked,
    subcommands: {
      'list info': {options: '-n|--name=text -e|--envs|--export --json', operands: 'text*'},
      env: {subcommands: {'list export': {options: '-n|--name=text --no-builds --from-history'}}},
      'install create update remove': {
        options: '-n|--name=text -y|--yes -c|--channel=text -f|--file=reads -q|--quiet',
        operands: 'installs*',
        does: 'alters=environments_of_this_machine',
      },
    },
  },
  {
    name: ['uvicorn', 'gunicorn', 'hypercorn', 'flask', 'streamlit'],
    options:
      '--reload --host=text --port|-p=text --workers|-w=text --log-level=text -b|--bind=text --app=text --debug',
    operands: 'text*',
    does: 'runs=a_server',
    refine: all(
      servesHere('--host -b --bind'),
      onlyTasks(/^(?:[\w.]+:[\w.()]+|run|routes|serve|hello)$/),
      serves,
    ),
  },
  {
    name: 'twine',
    options: asked,
    subcommands: {
      check: {options: '--strict', operands: 'reads+'},
      'upload register': {options: '*', operands: 'text*', does: 'publishes=packages'},
    },
  },
  {
    name: 'alembic',
    options: '-c|--config=code',
    subcommands: {
      'history current heads branches show check': {
        options: '-v|--verbose -r=text',
        operands: 'text*',
        does: 'runs=env.py',
      },
      'upgrade downgrade stamp': {options: '*', operands: 'text*', does: 'alters=a_database'},
    },
  },
];

/** `pip install -r FILE`, `pip install -e .`: as the workspace declares. Other folders run what is in them. */
function declared(reading: Reading): Reading {
  const named = reading.acts.filter(({role, word}) => role === 'installs' && !isOwn(word));
  const others = reading.acts.filter(({role}) => role !== 'installs');
  const isOfOwn = others.length + named.length < reading.acts.length;
  const own = isOfOwn ? [act('loads', 'setup.py'), act('loads', 'pyproject.toml')] : [];
  const installs = named.length === 0 ? [act('installs', 'declared')] : named;
  const folders = named.filter(({word}) => /^(?:[.~/]|file:)|\.(?:whl|zip|gz)$/.test(word.text));
  return {
    ...reading,
    acts: [...others, ...installs, ...folders.map(({word}) => act('code', word)), ...own],
  };
}

/** `.`, `.[dev]` */
function isOwn({text, known}: Word): boolean {
  return known && /^\.\/?(?:\[[\w,-]*\])?$/.test(text);
}

/** `uvicorn pkg.main:app`, `flask --app pkg run`, `streamlit run FILE`. */
function serves(reading: Reading, {name}: Invocation, given: Arguments): Reading {
  const [first, file] = given.operands;
  const apps = [...valuesOf(given, '--app'), ...(first?.text.includes(':') ? [first] : [])];
  const modules = apps.flatMap((word) =>
    modulesOf({...word, text: word.text.replace(/\.py(?=:|$)|:.*$/g, '').replaceAll('/', '.')}),
  );
  const told = runsFiles(reading, modules, 'loads');
  return name === 'streamlit' && file ? withActs(told, act('code', file)) : told;
}

/** An interpreter by its version: a path would be run. */
function byVersion(reading: Reading, _call: Invocation, given: Arguments): Reading {
  const form = /^(?:(?:c?python|pypy)@?)?\d*(?:\.\d+){0,2}$/;
  return fitting(reading, valuesOf(given, '-p --python'), {form, why: 'may be a program'});
}

/** `uv run FILE.py ARGS`, `uv run pytest`. */
function runsFile(reading: Reading): Reading {
  const command = reading.acts.find(({role}) => role === 'command');
  if (!command) return reading;
  const {word, rest = []} = command;
  if (word.text === '-')
    return withUnknown(reading, '-', 'runs what it reads from its standard input');
  if (!word.text.endsWith('.py')) return reading;
  const file = {...command, word: wordOf('python'), rest: [word, ...rest]};
  return {...reading, acts: reading.acts.map((one) => (one === command ? file : one))};
}
