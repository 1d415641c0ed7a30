/** The tools of Go. */

import type {Program} from '../program.ts';
import type {Word} from '../word.ts';
import {valuesOf} from './given.ts';
import {act, withActs, withUnknown} from './refine.ts';

type Subcommands = NonNullable<Program['subcommands']>;

const goBuild =
  '-C=from -a -n -p=text -race -msan -asan -cover -coverpkg=text -covermode=text -v -x -work -buildmode=text -buildvcs=text -compiler=text -gcflags=text -asmflags=text -ldflags=text -linkshared -mod=text -trimpath -tags=text -json';

/** The linker may be another program. */
const linked: NonNullable<Program['refine']> = (reading, _call, given) => {
  const odd = valuesOf(given, '-ldflags -gcflags -asmflags').find(
    ({text, known}) =>
      !known || /ext|plugin|-o\b|-I|-dumpdep|-cpuprofile|-memprofile|-trace/.test(text),
  );
  return odd
    ? withUnknown(reading, odd.text, 'may make the build run programs or write files')
    : reading;
};

/** `./...`, `../x`: they must lie inside. */
const ofFolders: NonNullable<Program['refine']> = (reading, call, given) =>
  withActs(
    linked(reading, call, given),
    ...given.operands.filter(isPath).map((word) => act('lists', rootOf(word))),
  );

function isPath({text}: Word): boolean {
  return /^\.{0,2}\/|^\.{1,2}$/.test(text);
}

/** `./...`: all packages below. */
function rootOf(word: Word): Word {
  return {...word, text: word.text.replace(/(?<=.)\/?\.\.\.$/, '')};
}

/** `go run pkg@version`, `go run https://…`: what is fetched. */
const local: NonNullable<Program['refine']> = (reading, call, given) => {
  const [first] = given.operands;
  const isHere =
    first?.known === true && /^\.{0,2}\/|^\.$|\.go$/.test(first.text) && !first.text.includes('@');
  const told = linked(reading, call, given);
  return isHere
    ? withActs(told, act('code', first))
    : withUnknown(told, first?.text ?? 'go run', 'would be fetched and run');
};

const go: Subcommands = {
  '': {},
  build: {
    style: 'single',
    options: `${goBuild} -o=writes`,
    operands: 'text*',
    does: 'installs=declared runs=the_build',
    refine: ofFolders,
  },
  test: {
    style: 'single',
    options: `${goBuild} -run=text -skip=text -count=text -short -timeout=text -bench=text -benchmem -benchtime=text -coverprofile=writes -cpuprofile=writes -memprofile=writes -trace=writes -outputdir=writes-tree -o=writes -c -parallel=text -cpu=text -failfast -shuffle=text -list=text -vet=text -fuzz=text -fuzztime=text -fullpath -i`,
    operands: 'text*',
    does: 'installs=declared runs=the_tests',
    isTest: true,
    when: {'-list -c -n': {operands: 'text*', does: 'runs=the_build', isTest: false}},
    refine: ofFolders,
  },
  vet: {
    style: 'single',
    options: goBuild,
    operands: 'text*',
    does: 'runs=the_build',
    refine: ofFolders,
  },
  run: {
    style: 'posix',
    options: goBuild,
    operands: 'text*',
    does: 'installs=declared',
    refine: local,
  },
  'fmt fix': {
    style: 'single',
    options: '-n -x -mod=text',
    operands: 'text*',
    does: 'edits-tree=.',
    when: {'-n': {operands: 'text*', does: ''}},
  },
  generate: {
    style: 'single',
    options: '-n -v -x -run=text -skip=text',
    operands: 'text*',
    does: 'runs=go_generate edits-tree=.',
    when: {'-n': {operands: 'text*', does: ''}},
  },
  'list doc version env help': {
    style: 'single',
    options: `${goBuild} -m -u -f=text -deps -test -e -find -versions -retracted -compiled -export -all -short -src -c -cmd -changed`,
    operands: 'text*',
    refine: (reading, _call, {operands}) =>
      withActs(
        reading,
        ...operands
          .filter(({text, known}) => !known || /^[\w-]+(?:\.[\w-]+)+\/|@/.test(text))
          .map((word) => act('fetches', word)),
      ),
  },
  mod: {
    subcommands: {
      download: {
        style: 'single',
        options: '-x -json',
        operands: 'installs*',
        when: {'': {does: 'installs=declared'}},
      },
      'tidy vendor': {
        style: 'single',
        options: '-v -x -e -go=text -compat=text -json -diff -o=writes-tree',
        operands: 'text*',
        does: 'installs=declared',
      },
      'verify graph why': {style: 'single', options: '-m -vendor -go=text', operands: 'text*'},
      init: {operands: 'text?', does: 'writes=go.mod'},
    },
  },
  work: {
    subcommands: {
      'sync use init': {style: 'single', options: '-r', operands: 'lists*', does: 'edits=go.work'},
    },
  },
  get: {style: 'single', options: `${goBuild} -u -t -d`, operands: 'installs+'},
  install: {
    style: 'single',
    options: goBuild,
    operands: 'installs*',
    does: 'alters=programs_of_this_machine',
  },
  clean: {
    style: 'single',
    options: '-n -x -r -i -cache -testcache -modcache -fuzzcache',
    operands: 'text*',
    does: 'runs=a_reset_of_the_build',
    when: {'-cache -modcache -i': {operands: 'text*', does: 'alters=the_cache_of_Go'}},
  },
  tool: {
    subcommands: {
      cover: {
        style: 'single',
        options: '-html=reads -func=reads -o=writes -mode=text',
        operands: 'text*',
      },
    },
  },
};

const fixes = {'-w': {operands: 'edits-tree*'}};

export const golang: readonly Program[] = [
  {name: 'go', subcommands: go},
  {
    name: ['gofmt', 'goimports', 'gofumpt'],
    style: 'single',
    options: '-l -d -w -s -e -r=text -local=text -extra -v',
    operands: 'reads-tree*',
    when: fixes,
  },
  {
    name: 'golangci-lint',
    options: '--version -h|--help',
    subcommands: {
      run: {
        options:
          '--fix -c|--config=code --timeout=text --new --new-from-rev=text --fast --enable|-E=text --disable|-D=text --enable-only=text --disable-all --enable-all --tests --out-format=text --max-issues-per-linter=text --max-same-issues=text -v|--verbose --color=text --build-tags=text -j|--concurrency=text --issues-exit-code=text --allow-parallel-runners',
        operands: 'text*',
        does: 'runs=a_linter',
        when: {'--fix': {operands: 'text*', does: 'runs=a_linter edits-tree=.'}},
      },
      fmt: {
        options: '-d|--diff -E|--enable=text',
        operands: 'edits-tree*',
        when: {'-d --diff': {operands: 'reads-tree*'}, '': {does: 'edits-tree=.'}},
      },
      'linters version help config': {operands: 'text*'},
    },
  },
  {
    name: ['staticcheck', 'govulncheck', 'revive', 'errcheck', 'gosec', 'ineffassign', 'misspell'],
    style: 'single',
    options:
      '-tests -tags=text -checks=text -f=text -version -json -v -test -exclude=text -quiet -set_exit_status',
    operands: 'text*',
    does: 'runs=an_analysis',
  },
  {
    name: 'gotestsum',
    style: 'posix',
    options:
      '-f|--format=text --junitfile=writes --jsonfile=writes --rerun-fails --packages=text --no-color --hide-summary=text --format-icons=text --max-fails=text --version -h|--help',
    operands: 'text*',
    does: 'runs=the_tests',
    isTest: true,
    refine: (reading, call, given) => {
      const odd = given.operands.find(
        ({text, known}) =>
          !known ||
          /^--?(?:exec|toolexec|o|.*profile|trace|outputdir|overlay|modfile|ldflags|gcflags)\b/.test(
            text,
          ),
      );
      return odd
        ? withUnknown(reading, odd.text, `is no option of ${call.name} that is known`)
        : reading;
    },
  },
];
