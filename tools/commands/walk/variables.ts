/** Variables that make programs run others, or read their configuration from elsewhere. */

import type {Unknown} from '../effect.ts';
import type {Word} from '../word.ts';

/** Families of names: of loaders, shells, interpreters, package managers, version control, the cloud. */
const guardedNames =
  /^(?:\w*PATH|(?:OLD)?PWD|ENV|PS\d|SHELL\w*|SHELLOPTS|BASH\w*|ZDOTDIR|PROMPT_COMMAND|HOME|USERPROFILE|TMP|TEMP|TMPDIR|PAGER|\w*PAGER|\w*EDITOR|VISUAL|BROWSER|LESS\w*|MAN\w*|LD_\w+|DYLD_\w+|GLIBC_\w+|HOSTALIASES|RES_OPTIONS|MALLOC_\w+|GIT_\w*|SSH\w*|GPG\w*|GNUPG\w*|HG\w*|SVN\w*|NODE_(?!ENV$)\w+|NPM\w*|npm_\w+|YARN\w*|PNPM\w*|BUN\w*|DENO\w*|COREPACK\w*|TS_NODE\w*|TSX\w*|ESLINT\w*|PYTHON(?!UNBUFFERED$|DONTWRITEBYTECODE$|HASHSEED$|IOENCODING$|UTF8$|WARNINGS$)\w*|PIP\w*|UV_\w+|POETRY\w*|CONDA\w*|VIRTUAL_ENV|PYTEST\w*|RUBY\w*|GEM_\w+|BUNDLE\w*|RAKE\w*|PERL\w*|PHP\w*|COMPOSER\w*|JAVA\w*|_JAVA\w*|JDK\w*|MAVEN\w*|MVN\w*|GRADLE\w*|CARGO(?!_TERM_COLOR$|_INCREMENTAL$)\w*|RUST(?!_BACKTRACE$|_LOG$)\w*|GO(?!OS$|ARCH$|MAXPROCS$)[A-Z]\w*|CGO\w*|MAKE\w*|MFLAGS|CMAKE\w*|CC|CXX|CPP|LD|AR|AS|NM|\w*FLAGS|\w*_OPTS|\w*_OPTIONS|\w*_ARGS|\w*_COMMAND|\w*_CMD|\w*_BIN|\w*_BINARY|\w*_EXECUTABLE|\w*_SHELL|\w*_PLUGINS?|\w*_MODULES|ELECTRON_\w+|\w*_WRAPPER|\w*_LAUNCHER|\w*_PRELOAD|\w*_HOME|\w*_CONFIG\w*|\w*_RC|\w*RC|XDG_\w+|DOCKER\w*|COMPOSE\w*|BUILDKIT\w*|PODMAN\w*|CONTAINER\w*|KUBE\w*|HELM\w*|TF_\w+|TERRAFORM\w*|ANSIBLE\w*|AWS\w*|AZURE\w*|GOOGLE\w*|GCLOUD\w*|CLOUDSDK\w*|VAULT\w*|CURL\w*|WGET\w*|SSL\w*|OPENSSL\w*|REQUESTS_CA_BUNDLE|\w*_PROXY|\w*_proxy|\w*_ASKPASS|\w*_RSH|RSYNC\w*|TAR\w*|GZIP|BZIP2?|XZ_\w+|ZSTD\w*|GREP\w*|JQ\w*|AWK\w*|POSIXLY_CORRECT|TERMINFO|TERMCAP|INPUTRC|EXINIT|VIM\w*|MYVIMRC|EMACS\w*|PG\w+|MYSQL\w*|SQLITE\w*|GLOBIGNORE|RIPGREP\w*|ZIP\w*|UNZIP\w*|XZ\w*|FUNCNEST|TIMEFORMAT|EXECIGNORE|FIGNORE|HISTFILE|INSIDE_EMACS|COMP_\w+|REDIS\w*|DOTNET_(?!NOLOGO$|CLI_TELEMETRY_OPTOUT$)\w+|GH_(?!PROMPT_DISABLED$|NO_UPDATE_NOTIFIER$)\w+|GITLAB\w*|GLAB\w*|GCC_\w+|COVERAGE\w*|RUFF_\w+|MYPY\w*|MONGO\w*|QUORATE\w*|OPTIND|_)$/;

/** Exceptions among them, with their harmless values. */
const harmless: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:\w*PAGER)$/, /^(?:cat|)$/],
  [/^(?:\w*EDITOR|VISUAL)$/, /^(?:true|:|cat|false)$/],
  [/^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$/, /^/],
  [
    /^GIT_(?:TERMINAL_PROMPT|OPTIONAL_LOCKS|LFS_SKIP_SMUDGE|MERGE_AUTOEDIT|TRACE|CURL_VERBOSE)$/,
    /^(?:[01]|no|yes|false|true)$/,
  ],
  [/^NODE_(?:NO_WARNINGS|DISABLE_COLORS|DEBUG|PENDING_DEPRECATION)$/, /^[\w,*-]*$/],
  [
    /^NODE_OPTIONS$/,
    /^(?:--(?:(?:import|require)[= ](?:tsx(?:\/(?:esm|cjs))?|ts-node\/register(?:\/transpile-only)?|source-map-support\/register|tsconfig-paths\/register|dotenv\/config)|max-old-space-size=\d+|no-warnings|trace-\w+(?:-\w+)*|enable-source-maps|experimental-[a-z-]+|stack-trace-limit=\d+|unhandled-rejections=\w+) ?)*$/,
  ],
  [
    /^(?:npm_config|NPM_CONFIG)_(?:loglevel|fund|audit|progress|yes|update_notifier|color)$/i,
    /^\w+$/,
  ],
  [/^(?:RUSTFLAGS|RUSTDOCFLAGS)$/, /^(?:-[DAWF] ?[\w:-]+ ?)*$/],
  [/^(?:CARGO_BUILD_JOBS|GOMAXPROCS|MAKEFLAGS|CMAKE_BUILD_PARALLEL_LEVEL)$/, /^(?:-j)?\d+$/],
  [
    /^(?:C|CXX|CPP)FLAGS$/,
    /^(?:-(?:O[0-3sgz]?|g\d?|W[\w-]+|std=[\w+]+|D\w+(?:=\w+)?|fPIC|pedantic|ansi) ?)*$/,
  ],
  [
    /^GO(?:FLAGS|TOOLCHAIN|111MODULE|MEMLIMIT|GC)$/,
    /^(?:-(?:mod=(?:mod|vendor|readonly)|count=\d+|v|race|short)|local|on|off|auto|\d+[A-Za-z]*)$/,
  ],
  [
    /^(?:PIP_(?:DISABLE_PIP_VERSION_CHECK|NO_INPUT|NO_CACHE_DIR|QUIET)|PYTEST_DISABLE_PLUGIN_AUTOLOAD|PYTHONNOUSERSITE|PYTHONFAULTHANDLER|PYTHONSAFEPATH)$/,
    /^\w*$/,
  ],
  [/^(?:DOCKER_BUILDKIT|COMPOSE_DOCKER_CLI_BUILD|TF_IN_AUTOMATION)$/, /^[01]?$/],
];

/** Programs obey the variable: its value decides whether it is harmful. */
export function isGuarded(name: string): boolean {
  return guardedNames.test(name);
}

export function guarded(name: string): Unknown {
  return {word: name, why: 'is a variable that programs obey'};
}

/** The reason why the variable can't have this value; undefined when it can. */
export function assignmentProblem(name: string, value: Word): Unknown | undefined {
  if (!isGuarded(name)) return undefined;
  const isHarmless = harmless.some(
    ([names, values]) => names.test(name) && value.known && values.test(value.text),
  );
  return isHarmless ? undefined : guarded(name);
}
