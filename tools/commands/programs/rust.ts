/** The tools of Rust. */

import type {Act, Program} from '../program.ts';
import type {Word} from '../word.ts';
import {valuesOf} from './given.ts';
import {act, after, has, knownOperands, withActs, withUnknown} from './refine.ts';

type Subcommands = NonNullable<Program['subcommands']>;

const cargoCommon =
  '-q|--quiet -v|--verbose --color=text --locked --offline --frozen --manifest-path=code -h|--help';

const cargoBuild = `${cargoCommon} -r|--release --profile=text --all --workspace -p|--package|--exclude=text --all-targets --all-features --no-default-features -F|--features=text --lib --bins --bin=text --examples --example=text --tests --test=text --benches --bench=text --doc --target=text --target-dir=writes-tree --message-format=text -j|--jobs=text --keep-going --no-run --no-fail-fast --timings --ignore-rust-version --future-incompat-report`;

const cargoFix = `${cargoBuild} --fix --allow-dirty --allow-staged --allow-no-vcs --edition --edition-idioms --broken-code --no-deps`;

const cargo: Subcommands = {
  '': {},
  'build b check c doc d rustdoc': {
    options: `${cargoBuild} --no-deps --document-private-items --open`,
    does: 'installs=declared runs=the_build',
  },
  'test t bench': {
    options: cargoBuild,
    operands: 'text*',
    does: 'installs=declared runs=the_tests',
    isTest: true,
    when: {'-h --help --no-run': {operands: 'text*', does: 'runs=the_build', isTest: false}},
    refine: (reading, _call, {operands}) => {
      const {acts, unknown} = reading;
      if (operands.some(({text}) => /^--(?:list|help)$/.test(text))) return {acts, unknown};
      return withActs(reading, ...logsOf(operands));
    },
  },
  nextest: {
    subcommands: {
      run: {
        options: `${cargoBuild} -E=text --retries=text --no-capture --nocapture --partition=text --cargo-profile=text --test-threads=text --status-level=text --final-status-level=text --fail-fast --max-fail=text --run-ignored=text`,
        operands: 'text*',
        does: 'installs=declared runs=the_tests',
        isTest: true,
      },
      list: {options: cargoBuild, operands: 'text*', does: 'runs=the_build'},
    },
  },
  'run r': {
    style: 'posix',
    options: cargoBuild,
    operands: 'text*',
    does: 'installs=declared runs=the_program',
  },
  clippy: {
    options: cargoFix,
    operands: 'text*',
    does: 'installs=declared runs=the_build',
    refine: (reading, call, given) =>
      has(given, '--fix --broken-code --edition')
        ? withActs(reading, act('edits-tree', '.'))
        : reading,
  },
  fmt: {
    options: `${cargoCommon} --all --check -p|--package=text --message-format=text`,
    operands: 'text*',
    refine: (reading, _call, given) =>
      has(given, '--check') || given.operands.some(({text}) => text === '--check')
        ? reading
        : withActs(reading, act('edits-tree', '.')),
  },
  clean: {
    options: `${cargoCommon} -r|--release --doc -p|--package=text --target=text --profile=text -n|--dry-run`,
    does: 'deletes-tree=target',
  },
  'tree metadata locate-project pkgid read-manifest verify-project version help': {
    options: `${cargoBuild} -i|--invert=text -d|--duplicates -e|--edges=text --depth=text --format-version=text --no-deps --no-dedupe --prefix=text --format|-f=text --charset=text --filter-platform=text -V --list`,
    operands: 'text*',
  },
  vendor: {
    options: `${cargoCommon} --versioned-dirs --no-delete --respect-source-config`,
    operands: 'deletes-tree?',
    does: 'installs=declared',
    when: {'': {does: 'installs=declared deletes-tree=vendor'}},
  },
  'fetch update generate-lockfile': {
    options: `${cargoCommon} --target=text -p|--package=text --precise=text --aggressive --recursive -w|--workspace --dry-run -n`,
    operands: 'text*',
    does: 'installs=declared',
  },
  'audit deny outdated machete udeps bloat': {
    options: `${cargoBuild} -R --root-deps-only --depth=text --json --with-metadata`,
    operands: 'text*',
    does: 'runs=an_analysis',
  },
  'llvm-cov tarpaulin': {
    options: `${cargoBuild} --lcov --html --json --output-path=writes --out|-o=text --output-dir=writes-tree --summary-only --no-report`,
    operands: 'text*',
    does: 'installs=declared runs=the_tests',
    isTest: true,
  },
  'add remove rm': {
    options: `${cargoCommon} -F|--features=text --no-default-features --default-features --dev -D --build -B --optional --no-optional -p|--package=text --target=text --rename=text --dry-run -n`,
    operands: 'installs+',
  },
  'install uninstall': {
    options: '*',
    operands: 'installs*',
    does: 'alters=programs_of_this_machine',
  },
  'new init': {
    options: `${cargoCommon} --bin --lib --name=text --edition=text --vcs=text`,
    operands: 'creates?',
  },
  'search info': {
    options: `${cargoCommon} --limit=text`,
    operands: 'text',
    does: 'fetches=crates.io',
    refine: knownOperands('is told to the registry'),
  },
  package: {
    options: `${cargoBuild} -l|--list --no-verify --allow-dirty --no-metadata`,
    does: 'runs=the_build',
  },
  publish: {
    options: `${cargoBuild} -n|--dry-run --no-verify --allow-dirty --registry=text --index=text --token=text`,
    does: 'publishes=packages',
    when: {'-n --dry-run': {does: 'installs=declared runs=the_build'}},
  },
  'login logout owner yank': {options: '*', operands: 'text*', does: 'publishes=packages'},
};

/** `-- --logfile FILE`: the test program writes there. */
function logsOf(operands: readonly Word[]): readonly Act[] {
  return operands.flatMap((word, at) => {
    const attached = word.text.startsWith('--logfile=')
      ? after(word, '--logfile='.length)
      : undefined;
    const given = word.text === '--logfile' ? operands[at + 1] : attached;
    return given ? [act('writes', given)] : [];
  });
}

export const rust: readonly Program[] = [
  {name: 'cargo', options: `${cargoCommon} -V|--version --list`, subcommands: cargo},
  {
    name: 'rustc',
    style: 'single',
    options:
      '-o|--out-dir=writes -O -g --edition=text --crate-type=text --crate-name=text --emit=text --target=text --test -V|--version -vV --explain=text --print=text -l=text --cap-lints=text -A=text -W=text -D=text',
    operands: 'reads?',
    refine: (reading, _call, given) => {
      const [file] = given.operands;
      const odd =
        valuesOf(given, '--emit --print').find(({text}) => text.includes('=')) ??
        given.operands.find(({text}) => text.startsWith('@'));
      const made =
        file && !has(given, '-o --out-dir')
          ? [act('writes', {...file, text: file.text.replace(/^.*\/|\.rs$/g, '')})]
          : [];
      return odd
        ? withUnknown(reading, odd.text, 'holds options, or writes what it names')
        : withActs(reading, ...made);
    },
  },
  {
    name: 'rustfmt',
    options:
      '--check --edition=text -l|--files-with-diff -q|--quiet -v|--verbose --color=text -V|--version -h|--help --backup',
    operands: 'edits+',
    when: {'--check': {operands: 'reads+'}, '-V --version -h --help': {operands: 'text*'}},
  },
  {
    name: 'rustup',
    options: '-V|--version -h|--help',
    subcommands: {
      'show which doc help': {options: '-v|--verbose', operands: 'text*'},
      'toolchain component target override': {
        subcommands: {
          list: {options: '--installed --toolchain=text -v|--verbose -q|--quiet'},
          'install add remove uninstall set unset link': {
            options: '*',
            operands: 'text*',
            does: 'alters=Rust_on_this_machine',
          },
        },
      },
      run: {style: 'posix', operands: 'text command'},
      'update default self install check set': {
        options: '*',
        operands: 'text*',
        does: 'alters=Rust_on_this_machine',
      },
    },
  },
];
