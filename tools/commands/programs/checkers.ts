/** Programs that check, format and mend the code of JavaScript and of everything. */

import type {Act, Arguments, Invocation, Program, Reading} from '../program.ts';
import type {Word} from '../word.ts';
import {act, has, withActs, withUnknown} from './refine.ts';

const asked = '-v|--version -h|--help';

export const checkers: readonly Program[] = [
  {
    name: ['tsc', 'tsgo', 'vue-tsc'],
    style: 'single',
    options: `${asked} --all -p|--project=reads -b|--build -w|--watch --noEmit --noEmitOnError --emitDeclarationOnly -d|--declaration --declarationMap --sourceMap --inlineSourceMap --incremental --composite --tsBuildInfoFile|--outFile=writes --outDir|--declarationDir|--generateTrace=writes-tree --generateCpuProfile=writes --rootDir=lists --baseUrl=lists -t|--target=text -m|--module=text --moduleResolution=text --lib=text --jsx=text --types=text --strict --noImplicitAny --strictNullChecks --skipLibCheck --skipDefaultLibCheck --esModuleInterop --allowJs --checkJs --resolveJsonModule --isolatedModules --allowImportingTsExtensions --allowSyntheticDefaultImports --experimentalDecorators --noUnusedLocals --noUnusedParameters --noErrorTruncation --forceConsistentCasingInFileNames --pretty --preserveWatchOutput --listFiles --listFilesOnly --listEmittedFiles --traceResolution --explainFiles --diagnostics --extendedDiagnostics --showConfig --verbose --dry --force -f --clean --init --removeComments --downlevelIteration --erasableSyntaxOnly --stopBuildOnErrors --singleThreaded --checkers=text --builders=text`,
    operands: 'reads*',
    refine: compiles,
  },
  {
    name: 'eslint',
    options: `${asked} -c|--config=code --no-config-lookup --no-eslintrc --env=text --ext=text --global=text --parser=code --parser-options=text --resolve-plugins-relative-to=unjudged --plugin=code --rule=text --rulesdir=unjudged --fix --fix-dry-run --fix-type=text --ignore-path=reads --no-ignore --ignore-pattern=text --stdin --stdin-filename=text --quiet --max-warnings=text -o|--output-file=writes -f|--format=code --color --no-color --no-inline-config --report-unused-disable-directives --report-unused-disable-directives-severity=text --cache --cache-file|--cache-location=writes --cache-strategy=text --no-error-on-unmatched-pattern --exit-on-fatal-error --no-warn-ignored --pass-on-no-patterns --debug --print-config=reads --env-info --stats --flag=text --concurrency=text`,
    operands: 'reads-tree*',
    does: 'runs=eslint',
    when: {
      '--fix --fix-type': {operands: 'edits-tree*', does: 'runs=eslint'},
      '-v --version -h --help': {does: ''},
    },
    refine: hereUnless('--fix --fix-type'),
  },
  {
    name: 'prettier',
    options: `${asked} -c|--check -l|--list-different -w|--write --config=code --no-config --config-precedence=text --no-editorconfig --find-config-path=text --file-info=reads --support-info --ignore-path=reads -u|--ignore-unknown --plugin=code --parser=text --stdin-filepath=text --log-level|--loglevel=text --no-color --color --cache --cache-location=writes --cache-strategy=text --no-cache --no-error-on-unmatched-pattern --with-node-modules --single-quote --no-semi --tab-width=text --print-width=text --use-tabs --trailing-comma=text --arrow-parens=text --end-of-line=text --prose-wrap=text --quote-props=text --no-bracket-spacing --bracket-same-line --jsx-single-quote --single-attribute-per-line --html-whitespace-sensitivity=text --embedded-language-formatting=text --experimental-ternaries --experimental-cli`,
    operands: 'reads-tree*',
    does: 'runs=prettier',
    when: {
      '-w --write': {operands: 'edits-tree*', does: 'runs=prettier'},
      '-v --version -h --help --support-info': {does: ''},
    },
  },
  {
    name: 'biome',
    options: '-V|--version -h|--help',
    subcommands: {
      '': {},
      'check lint format ci': {
        options:
          '--write --fix --apply --apply-unsafe --unsafe --config-path=reads --diagnostic-level=text --max-diagnostics=text --error-on-warnings --verbose --colors=text --no-errors-on-unmatched --files-ignore-unknown=text --files-max-size=text --changed --staged --since=text --stdin-file-path=text --reporter=text --log-level=text --only=text --skip=text --indent-style=text --indent-width=text --line-width=text --formatter-enabled=text --linter-enabled=text --organize-imports-enabled=text --use-editorconfig=text --vcs-enabled=text',
        operands: 'reads-tree*',
        when: {'--write --fix --apply --apply-unsafe': {operands: 'edits-tree*'}},
        refine: hereUnless('--write --fix --apply --apply-unsafe'),
      },
      'version rage explain help': {operands: 'text*'},
      'migrate init': {options: '--write --jsonc', operands: 'text*', does: 'edits=biome.json'},
    },
  },
  {
    name: 'oxlint',
    options:
      '-V|--version -h|--help --fix --fix-suggestions --fix-dangerously -c|--config=code --tsconfig=reads -A|--allow=text -W|--warn=text -D|--deny=text --deny-warnings --max-warnings=text --quiet --silent -f|--format=text --type-aware --type-check --ignore-path=reads --ignore-pattern=text --no-ignore --threads=text --rules --import-plugin --react-plugin --jest-plugin --vitest-plugin --jsx-a11y-plugin --nextjs-plugin --promise-plugin --node-plugin --disable-nested-config --report-unused-disable-directives --print-config',
    operands: 'reads-tree*',
    does: 'runs=oxlint',
    when: {
      '--fix --fix-suggestions --fix-dangerously': {operands: 'edits-tree*', does: 'runs=oxlint'},
    },
    refine: hereUnless('--fix --fix-suggestions --fix-dangerously'),
  },
  {
    name: 'oxfmt',
    options:
      '-V|--version -h|--help --check --list-different --write -c|--config=reads --ignore-path=reads --with-node-modules --no-error-on-unmatched-pattern --threads=text',
    operands: 'edits-tree*',
    when: {
      '-V --version -h --help': {operands: 'text*'},
      '--check --list-different': {operands: 'reads-tree*'},
      '': {does: 'edits-tree=.'},
    },
  },
  {
    name: [
      'stylelint',
      'markdownlint',
      'markdownlint-cli2',
      'standard',
      'xo',
      'textlint',
      'cspell',
      'tslint',
      'solhint',
      'htmlhint',
      'jshint',
    ],
    options: `${asked} --fix -c|--config=code --ignore-path|--ignore=text --ignore-pattern=text --quiet -q --no-progress --no-summary --cache --color --no-color --formatter=code --max-warnings=text --allow-empty-input --dot --verbose -p|--project=reads --no-must-find-files --words-only --unique --show-suggestions --gitignore`,
    operands: 'reads-tree*',
    does: 'runs=a_linter',
    when: {'--fix': {operands: 'edits-tree*', does: 'runs=a_linter'}},
    refine: hereUnless('--fix'),
  },
  {
    name: [
      'knip',
      'madge',
      'depcheck',
      'dependency-cruiser',
      'depcruise',
      'attw',
      'publint',
      'size-limit',
      'ts-prune',
      'type-coverage',
      'dpdm',
      'license-checker',
      'api-extractor',
    ],
    options: `${asked} -c|--config=code --production --strict --dependencies --exports --files --include=text --exclude=text --reporter=text --no-exit-code --max-issues=text --json --circular --extensions=text --ts-config=reads --tsconfig=reads --no-progress --no-config-hints --detail --summary --pack --ignores=text --ignore=text --cache --no-gitignore --treat-config-hints-as-errors --debug --performance --at-least=text`,
    operands: 'reads-tree*',
    does: 'runs=an_analysis',
  },
  {
    name: 'lint-staged',
    options: `${asked} -c|--config=code --no-stash -q|--quiet -v|--verbose --allow-empty -p|--concurrent=text -r|--relative -d|--debug --diff=text --diff-filter=text`,
    does: 'runs=the_linters edits-tree=.',
  },
  {
    name: 'shellcheck',
    options:
      '-V|--version --help -a|--check-sourced -C|--color=?text -e|--exclude=text -f|--format=text -i|--include=text -o|--enable=text -P|--source-path=text -s|--shell=text -S|--severity=text -W|--wiki-link-count=text -x|--external-sources --norc --rcfile=reads',
    operands: 'reads*',
  },
  {
    name: 'shfmt',
    options:
      '--version --help -l|--list -d|--diff -w|--write -s|--simplify -i|--indent=text -ci|--case-indent -bn|--binary-next-line -sr|--space-redirects -ln|--language-dialect=text -p|--posix -f|--find',
    style: 'single',
    operands: 'reads-tree*',
    when: {'-w --write': {operands: 'edits-tree*'}},
  },
  {
    name: [
      'hadolint',
      'yamllint',
      'actionlint',
      'jsonlint',
      'ajv',
      'codespell',
      'typos',
      'editorconfig-checker',
      'ec',
      'commitlint',
    ],
    options: `${asked} -q|--quiet -f|--format=text -s|--strict --no-color --color -S|--skip=text --from=text --to=text --last --edit=?reads -d=text`,
    operands: 'reads-tree*',
  },
  {
    name: 'pre-commit',
    options: '-V|--version -h|--help',
    subcommands: {
      run: {
        options:
          '-a|--all-files --files=lists --show-diff-on-failure -v|--verbose --from-ref|-s=text --to-ref|-o=text --hook-stage=text --color=text',
        operands: 'text*',
        does: 'runs=the_hooks edits-tree=. loads=.pre-commit-config.yaml',
      },
      'validate-config sample-config': {operands: 'text*'},
    },
  },
];

/** Mends the whole folder where no place is named. */
function hereUnless(names: string): NonNullable<Program['refine']> {
  return (reading, _call, given) =>
    has(given, names) && given.operands.length === 0
      ? withActs(reading, act('edits-tree', '.'))
      : reading;
}

/**
 * What is compiled is written where the configuration says, or beside files that are named. A word after an option that needs none
 * (`--noEmit false`) is its value.
 */
function compiles(reading: Reading, call: Invocation, given: Arguments): Reading {
  const {operands} = given;
  const list = operands.find(({text, known}) => !known || text.startsWith('@'));
  if (list) return withUnknown(reading, list.text, 'holds options');
  const isOff = operands.some(({text}) => text === 'false');
  if (has(given, looking) && !isOff) return reading;
  if (has(given, '--init')) return withActs(reading, act('writes', 'tsconfig.json'));
  const isBeside = !has(given, '--outDir --outFile -b --build');
  const made = isBeside ? operands.map((word) => act('writes', compiled(word))) : [];
  return withActs(reading, act('runs', call.name), ...configured(given), ...made);
}

const looking = '-v --version -h --help --all --noEmit --showConfig --listFilesOnly';

/** It says where to write. */
function configured({options, operands}: Arguments): readonly Act[] {
  const named = options.find(({name}) => name === '-p' || name === '--project')?.value;
  if (named)
    return [named.text.endsWith('.json') ? act('code', named) : act('loads', inside(named))];
  return operands.length === 0 ? [act('loads', 'tsconfig.json')] : [];
}

function inside(folder: Word): Word {
  return {...folder, text: `${folder.text.replace(/\/$/, '')}/tsconfig.json`};
}

function compiled(word: Word): Word {
  return {...word, text: word.text.replace(/\.([cm]?)tsx?$/, '.$1js')};
}
