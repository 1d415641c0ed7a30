/** The files of the workspace that a program may load and run, by its language. */

export interface Reach {
  /** Files that it may run, matched by path. */
  readonly files: RegExp;
  /** It runs these, and the files that they load. Absent: it may run any of them. */
  readonly starts?: RegExp;
}

function oneOf(...forms: readonly RegExp[]): RegExp {
  return new RegExp(forms.map(({source}) => `(?:${source})`).join('|'), 'i');
}

function endings(names: string): RegExp {
  return new RegExp(String.raw`\.(?:${names.replaceAll(' ', '|')})$`);
}

function withName(names: string): RegExp {
  return new RegExp(String.raw`(?:^|\/)(?:${names.replaceAll(' ', '|').replaceAll('.', '\\.')})$`);
}

/** Programs of every language start these. */
const scripts = oneOf(
  endings('sh bash zsh ksh fish awk'),
  withName('Makefile GNUmakefile justfile'),
);

/** A file without an ending: a program of any language, if it begins like one. */
export const bareName = /(?:^|\/)[a-z][\w-]*$/i;

/** Settings of JavaScript tools that name code or contain options of Node. */
const settings = oneOf(
  /(?:^|\/)(?:package|[jt]sconfig[\w.-]*|deno|nx|project|turbo|angular|lerna|binding|[\w.-]*\.(?:config|workspace))\.(?:jsonc?|gyp)$/,
  /(?:^|\/)\.?[\w-]+rc(?:\.(?:jsonc?|ya?ml|toml))?$/,
  withName('bunfig.toml'),
);

const javascript = oneOf(
  endings('[cm]?[jt]sx? vue svelte astro mdx coffee snap node wasm'),
  settings,
);

const javascriptConfig = oneOf(
  /(?:^|\/)(?:package|nx|turbo|angular|[\w.-]*\.config)\.jsonc?$/,
  /(?:^|\/)\.?[\w-]+rc(?:\.(?:jsonc?|ya?ml|toml))?$/,
  /(?:^|\/)[\w.-]*\.(?:config|conf)\.[cm]?[jt]s$|(?:^|\/)\.[\w-]+rc\.[cm]?[jt]s$/,
);

const pythonSettings = withName(
  'pyproject.toml setup.cfg setup.py tox.ini pytest.ini .pytest.ini mypy.ini .mypy.ini .flake8 .pylintrc pylintrc .coveragerc Pipfile conf.py noxfile.py',
);

const python = oneOf(endings('py pyi pyx pyw pyc pth so ipynb'), pythonSettings);

const ruby = oneOf(
  endings('rb rake ru gemspec erb haml slim thor'),
  withName('Gemfile Rakefile Thorfile Guardfile .rspec .irbrc'),
);

const php = oneOf(
  endings('php phtml phar inc neon'),
  withName('composer.json phpunit.xml phpunit.xml.dist artisan'),
);

const nativeCode = oneOf(
  endings(
    'c h cc cpp cxx hpp hh m mm s asm cmake zig mk am ac in inc bzl bazel build o a so dylib ninja',
  ),
  withName('CMakeLists.txt CMakePresets.json meson.build BUILD WORKSPACE Tiltfile'),
);

const rust = oneOf(
  endings('rs c h cc cpp s'),
  withName('Cargo.toml .cargo/config .cargo/config.toml rust-toolchain rust-toolchain.toml'),
);

const go = oneOf(endings('go c h s cc cpp'), withName('go.mod go.work'));

const goSettings = withName('go.mod go.work .golangci.yml .golangci.yaml .golangci.toml');

const jvm = oneOf(
  endings('java kt kts groovy gradle scala sbt sc clj cljs cljc edn xml jar class properties'),
  withName('jvm.config maven.config'),
);

const dotnet = oneOf(
  endings('cs fs vb csproj fsproj vbproj props targets sln slnx razor cshtml dll exe ps1'),
  withName('nuget.config global.json'),
);

const beam = endings('ex exs eex heex leex erl hrl');

const others = oneOf(
  endings('pl pm t lua r rmd swift dart hs lhs cabal tf tfvars hcl nix'),
  withName(
    'Package.swift pubspec.yaml stack.yaml package.yaml Dockerfile Containerfile Vagrantfile',
  ),
  withName(
    'Taskfile.ya?ml taskfile.ya?ml docker-compose.ya?ml compose.ya?ml .pre-commit-config.yaml',
  ),
);

const everything: Reach = {
  files: oneOf(
    javascript,
    python,
    ruby,
    php,
    nativeCode,
    rust,
    go,
    jvm,
    dotnet,
    beam,
    others,
    scripts,
  ),
};

function whole(files: RegExp): Reach {
  return {files: oneOf(files, scripts)};
}

/** For programs that read, check or bundle sources: only their settings run, and the files that these load. */
function settingsOf(files: RegExp, starts: RegExp): Reach {
  return {...whole(files), starts};
}

const byProgram: readonly (readonly [names: string, reach: Reach])[] = [
  [
    [
      'node nodejs tsx ts-node ts-node-esm ts-node-dev tsnd jiti nodemon deno bun npm npx pnpm yarn',
      'vitest jest mocha _mocha ava tape jasmine uvu c8 nyc playwright cypress karma ng turbo nx',
      'lerna next nuxt nuxi astro svelte-kit remix react-router gatsby react-scripts expo',
      'docusaurus vitepress eleventy storybook sb start-storybook build-storybook electron-vite',
      'waku parcel svelte-package typedoc jsdoc compodoc documentation api-documenter api-extractor',
      'size-limit',
    ].join(' '),
    whole(javascript),
  ],
  [
    [
      'eslint prettier oxlint stylelint markdownlint markdownlint-cli2 standard xo textlint cspell',
      'tslint solhint htmlhint jshint knip madge depcheck dependency-cruiser depcruise attw publint',
      'ts-prune type-coverage dpdm license-checker lint-staged vite webpack rspack rollup rolldown',
      'tsup tsdown unbuild microbundle pkgroll bunchee swc babel postcss tailwindcss commitlint',
    ].join(' '),
    settingsOf(javascript, javascriptConfig),
  ],
  [
    [
      'python python3 python2 pypy pypy3 py pip pip3 pipenv rye pytest py.test tox nox coverage',
      'coverage3 alembic poetry pdm hatch uv flask django-admin uvicorn gunicorn streamlit celery',
      'mkdocs sphinx-build pyproject-build',
    ].join(' '),
    whole(python),
  ],
  [
    'mypy flake8 pylint bandit pyflakes pycodestyle pydocstyle vulture radon interrogate pydoclint safety pip-audit deptry djlint cfn-lint',
    settingsOf(python, pythonSettings),
  ],
  ['pre-commit', {...everything, starts: withName('.pre-commit-config.yaml')}],
  [
    'ruby jruby rake thor rails rspec minitest cucumber m gem bundle bundler brakeman srb steep',
    whole(ruby),
  ],
  [
    'rubocop standardrb erblint reek haml-lint',
    settingsOf(ruby, withName('.rubocop.yml .standard.yml .erb-lint.yml .reek.yml .haml-lint.yml')),
  ],
  ['php php8 php7 phpunit pest paratest codecept behat composer', whole(php)],
  [
    'phpstan psalm phpcs phpmd php-cs-fixer phpcbf pint rector ecs',
    settingsOf(
      php,
      /(?:^|\/)(?:phpstan|psalm|phpcs|phpmd|rector|ecs|pint|composer|\.php-cs-fixer)[\w.-]*$/,
    ),
  ],
  ['cargo rustc', whole(rust)],
  ['go gotestsum', whole(go)],
  [
    'golangci-lint staticcheck govulncheck revive errcheck gosec ineffassign misspell',
    settingsOf(go, goSettings),
  ],
  ['mvn mvnw mvnd gradle gradlew ant sbt mill lein clj boot java', whole(jvm)],
  ['dotnet', whole(dotnet)],
  ['mix elixir iex erl escript', whole(beam)],
  ['perl prove', whole(endings('pl pm t'))],
  ['lua luajit lua5.4 lua5.3 lua5.1 busted', whole(endings('lua'))],
  ['swift', whole(oneOf(endings('swift m mm c h cc cpp'), withName('Package.swift')))],
  ['dart flutter', whole(oneOf(endings('dart'), withName('pubspec.yaml')))],
  ['zig', whole(nativeCode)],
  ['terraform tofu terragrunt', whole(endings('tf tfvars hcl tf\\.json'))],
];

const reaches: ReadonlyMap<string, Reach> = new Map(
  byProgram.flatMap(([names, reach]) => names.split(' ').map((name) => [name, reach] as const)),
);

/** They compile sources and run none of them. */
const compiling: Readonly<Record<string, Reach | undefined>> = {
  'go the build': settingsOf(go, goSettings),
};

/** They run no code of the workspace, with any arguments. */
const inert: ReadonlySet<string> = new Set('tsc tsgo vue-tsc helm luacheck selene'.split(' '));

/** Undefined: nothing. `what`: as named in the effect (`the tests`). Programs that are not listed may run any file. */
export function reachOf(program: string, what: string): Reach | undefined {
  if (inert.has(program) || /^a (?:reset|clean-up) of /.test(what)) return undefined;
  const python3 = program.replace(/^(python3)\.\d+$/, '$1');
  return compiling[`${program} ${what}`] ?? reaches.get(python3) ?? everything;
}

const byInstalling: ReadonlySet<string> = new Set(
  'pip pip3 uv poetry pdm pipenv hatch rye bundle bundler composer mix'.split(' '),
);

/** It runs settings and build scripts when it installs. npm and similar programs run scripts of package.json, which are followed. */
export function runsOnInstall(program: string): boolean {
  return byInstalling.has(program);
}
