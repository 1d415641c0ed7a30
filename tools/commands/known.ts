/** Tables of known command lines: what they reach, what they check; of variables, and of names of code. */

import type {CheckKind, CheckRun, CommandRecord, ToolOutcome} from '../../machines/domain/tool.ts';
import type {EffectKind, SimpleCommand} from './understanding.ts';

/** Variables of the shell itself, and variables of programs that are not taken as code, as a program or as a place. */
const ownVariables = /^(?:(?!\w*_proxy$|(?:f|cd)?path$)[a-z]\w*|[A-Z]\d?)$/;
const plainVariables =
  /^(?:CI|LC_\w+|LANG|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|COLUMNS|LINES|TERM|NODE_ENV|DEBUG|VERBOSE|RUST_BACKTRACE|RUST_LOG|PYTHONDONTWRITEBYTECODE|PYTHONUNBUFFERED|[A-Z]+_VERSION|VERSION)$/;
/** Languages, numbers, names of time zones. */
const plainValue = /^(?:\w+\/)?[\w.,:+@*=-]*$/;

/** The variable changes nothing that a program runs or reads. `value`: undefined if it is not known. */
export function harmlessSetting(name: string, value: string | undefined): boolean {
  if (ownVariables.test(name)) return true;
  if (value === undefined) return false;
  if (/^(?:GIT_PAGER|PAGER)$/.test(name)) return /^(?:cat)?$/.test(value);
  return plainVariables.test(name) && plainValue.test(value);
}

/** Programs that run code of the workspace, or code given to them. */
const interpreters =
  /^(?:python[\d.]*|pypy3?|node|nodejs|deno|bun|tsx|ts-node|perl|ruby|php|lua|osascript|pwsh|tclsh|Rscript|julia|elixir|java|dotnet-script)$/;
export const shells = /^(?:sh|bash|dash|zsh|ksh|ash)$/;

export function isInterpreter(name: string): boolean {
  return interpreters.test(name);
}

/** Publishing and releasing. */
export const publishing =
  /^(?:(?:npm|pnpm|yarn|bun)(?: npm)? (?:-\S+ )*(?:publish|unpublish|deprecate|dist-tag|owner|access|token|login)|lerna publish|changeset publish|semantic-release|release-it|cargo (?:publish|yank|owner|login)|twine upload|(?:python\d? -m )?twine upload|gem (?:push|yank)|(?:poetry|uv|flit|hatch|pdm|rye) publish|docker (?:image )?push|podman push|helm push|mvn .*deploy|gradle\w* .*publish|goreleaser release|gh (?:release (?:create|edit|upload)|pr merge|workflow run|repo create)|vsce publish|ovsx publish|jsr publish|deno publish|(?:vercel|netlify|firebase|wrangler|fly|flyctl|gcloud app|eb|serverless|sls|cdk) deploy|vercel --prod|terraform apply|tofu apply|pulumi up|kubectl (?:\S+ )*(?:apply|rollout|set image)|helm (?:-\S+ \S+ )*(?:install|upgrade))(?: |$)/;

const fetching =
  'curl|wget2?|http|https|xh|httpie|aria2c|lynx|links|w3m|nslookup|dig|host|whois|ping6?|traceroute|mtr|nmap|websocat|grpcurl|yt-dlp|youtube-dl';
const sending =
  'ssh|scp|sftp|ftp|tftp|lftp|nc|ncat|netcat|socat|telnet|mail|mailx|mutt|sendmail|msmtp|rclone|croc|wormhole|ngrok|cloudflared|bore|s3cmd|mosquitto_pub';

/** Names of programs that take an address, and of those that send to one. */
export const fetchers = new RegExp(`^(?:${fetching})$`);
export const senders = new RegExp(`^(?:${sending})$`);

function firstWords(words: string): RegExp {
  return new RegExp(`^(?:${words})(?: |$)`);
}

type Row = readonly [form: RegExp, kinds: readonly EffectKind[], target: string];

/** Lines that reach the network, or things outside the workspace. The first that fits counts. */
export const reachingRows: readonly Row[] = [
  [publishing, ['publishes'], 'a release'],
  [
    /^(?:npm|pnpm|yarn|bun) (?:ci|clean-install|install-clean)(?: -\S+)*$|^(?:npm|pnpm|yarn|bun)(?: -\S+)* (?:install|i)(?: -\S+)*$|^(?:pnpm|yarn|bun)(?: --(?:frozen-lockfile|immutable))?$|^(?:python[\d.]* -m )?pip3? install(?: -q| --quiet| -U| --upgrade)*(?: (?:-r|--requirement)[ =]\S+| -e \.\S*| \.\S*)+$|^(?:bundle|pipenv|poetry|composer|shards) (?:install|update)(?: -\S+)*$|^uv (?:sync|pip install -r \S+)|^cargo (?:fetch|update|vendor)|^go mod (?:download|tidy|vendor)|^mix deps\.get|^dotnet restore|^pod install/,
    ['installs'],
    'declared',
  ],
  [
    /^(?:npm|pnpm|yarn|bun|(?:python[\d.]* -m )?pip3?|uv|poetry|pipenv|gem|cargo|brew|apt|apt-get|apk|dnf|yum|pacman|zypper|go|pipx|conda|mamba|easy_install|composer|dotnet|deno|luarocks|cpan|cpanm|opam|rustup|nvm|volta|asdf|snap|port|choco|winget)(?: -\S+)* (?:install|i|add|get|upgrade|up|update|require|create|init|dlx|download|wheel|tool install|pip install|-S\w*|link|remove|rm|uninstall|un)(?: |$)/,
    ['installs'],
    'named packages',
  ],
  [
    /^(?:npm|pnpm|yarn|bun) (?:view|info|outdated|audit|search|ping|whoami|show|docs|repo|bugs|fund|doctor)(?: |$)|^pip3? (?:search|index|download)|^cargo (?:search|audit|install)|^gem (?:search|fetch|outdated)|^(?:apt|apt-get|apk|brew) |^bundle outdated|^(?:gh|hub|glab|tea) (?!--version|--help)|^huggingface-cli |^hf /,
    ['fetches'],
    'its service',
  ],
  [firstWords(`${fetching}|openssl s_client`), ['fetches'], 'an address'],
  [firstWords(`${sending}|rsync .*\\S+:`), ['sends'], 'another computer'],
  [
    /^(?:docker|podman|nerdctl|docker-compose|kubectl|oc|helm|terraform|tofu|terragrunt|pulumi|ansible\S*|vagrant|aws|gcloud|gsutil|az|doctl|heroku|vercel|netlify|firebase|wrangler|flyctl|fly|supabase|railway|minikube|kind|eksctl|systemctl|service|journalctl|launchctl|crontab|psql|mysql|mariadb|mongo|mongosh|redis-cli|createdb|dropdb|pg_dump|pg_restore|mysqldump|mysqladmin|pm2|supervisorctl|iptables|ufw|nft|ip|ifconfig|route|sysctl|dmesg|xdg-open|open|osascript|defaults|gsettings|code|cursor|tmux|screen|loginctl|nmcli|mount|umount|losetup|quorate)(?! (?:--version|-v|--help|version)$)(?: |$)/,
    ['alters'],
    'something outside the workspace',
  ],
  [/^(?:printenv|(?:declare|typeset)(?: -[px]+)?)$/, ['reveals'], 'the environment'],
];

/** Commands that check work. A package script counts by its name, and by the commands that it runs. */
const checkTable: readonly (readonly [CheckKind, RegExp])[] = [
  [
    'tests',
    /^(?:(?:npm|pnpm|yarn|bun)(?: run)? (?:t|tst|test)(?::\S+)?|vitest|jest|mocha|ava|tap|jasmine|karma|node --test|bun test|deno test|playwright test|cypress run|pytest|py\.test|unittest|tox|nox|nose2?|manage\.py test|rspec|minitest|rails test|rake (?:test|spec)|phpunit|pest|artisan test|prove|ctest|bats|cargo (?:test|nextest)|go test|gotestsum|swift test|dotnet test|mix test|dart test|flutter test|zig (?:test|build test)|make (?:check|test)|sbt test|lein test|stack test|cabal test|(?:gradlew?|mvnw?)(?: \S+)*? (?:test|check|verify)|nx test|turbo (?:run )?test|bazel test|just test|task test|busted|elm-test|composer test)(?= |$)/,
  ],
  [
    'build',
    /^(?:(?:npm|pnpm|yarn|bun)(?: run)? build(?::\S+)?|(?:cargo|go|dotnet|swift|zig|vite|next|nuxt|tsup|webpack|rollup|esbuild) build|cargo check|make(?: (?:all|build))?|ninja|cmake --build|(?:gradlew?|mvnw?)(?: \S+)*? (?:build|compile|package|assemble))(?= |$)/,
  ],
  [
    'lint',
    /^(?:(?:npm|pnpm|yarn|bun)(?: run)? lint(?::\S+)?|eslint|oxlint|stylelint|biome (?:check|lint|ci)|ruff check|flake8|pylint|golangci-lint run|go vet|cargo clippy|rubocop|shellcheck|prettier (?:--check|-c))(?= |$)/,
  ],
  [
    'types',
    /^(?:(?:npm|pnpm|yarn|bun)(?: run)? (?:type-?check|types)(?::\S+)?|tsc|vue-tsc|mypy|pyright|dmypy run|sorbet|srb tc)(?= |$)/,
  ],
];

/** Commands that run the project's own checks and nothing else: approved without a sandbox, if no unknown code is reached. */
export const usualChecks: ReadonlySet<string> = new Set([
  'npm test',
  'npm run build',
  'cargo test',
  'pytest',
  'go test ./...',
  'make test',
  'node --test',
]);

/** Names of files that interpreters and build tools load: code, manifests, configuration of tools. */
export const codeName =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|pyi|rb|rake|gemspec|pl|pm|php|go|rs|java|kts?|scala|groovy|gradle|c|cc|cpp|cxx|h|hpp|cs|fs|fsx|swift|sh|bash|zsh|lua|r|jl|exs?|erl|clj|hs|ml|zig|nim|dart|mk|mak|cmake|bzl|awk|sed|sql|wasm|so|node|toml|cfg|ini)$|(?:^|\/)(?:GNUmakefile|[Mm]akefile|Rakefile|Gemfile|Justfile|justfile|Taskfile\.ya?ml|Procfile|Dockerfile|BUILD|WORKSPACE|CMakeLists\.txt|package\.json|tsconfig[\w.-]*\.json|deno\.jsonc?|composer\.json|Pipfile|[\w.-]*rc(?:\.json|\.ya?ml)?|pom\.xml|build\.xml|\.pre-commit-config\.ya?ml)$/;

// Commands that check work: tests, builds, linters, type checks; and how a check ended, by the exit code of its command.

const prefix =
  /^(?:npx|bunx|uvx|pnpm (?:exec|dlx)|yarn dlx|uv run|poetry run|bundle exec|python3? -m) /;

/** Options with which nothing is checked. */
const idle =
  /^(?:-h|--help|-v|--version|-V|--init|--list(?:Tests|FilesOnly)?|--showConfig|--print-config)$/;

export function runsTests(command: SimpleCommand): boolean {
  return kindOf(command) === 'tests';
}

function kindOf(command: SimpleCommand): CheckKind | undefined {
  if (command.args.some(({text}) => idle.test(text))) return undefined;
  const words = [command.name, ...command.args.map(({text}) => text)].join(' ');
  return checkTable.find(([, pattern]) => pattern.test(words.replace(prefix, '')))?.[0];
}

/** Exit codes of a shell that found no program, or could not start it: nothing was checked. */
const notStarted: ReadonlySet<number | undefined> = new Set([126, 127]);

/** The checks that a command has run, one of each kind. `commands`: the simple commands in it. */
export function checksOf(
  commands: readonly SimpleCommand[],
  line: string,
  outcome: ToolOutcome,
): Pick<CommandRecord, 'checks'> {
  if (outcome.kind !== 'succeeded' && outcome.kind !== 'failed') return {};
  const {kind: end, exitCode} = outcome;
  if (notStarted.has(exitCode)) return {};
  const runs = commands.flatMap((command, at): CheckRun[] => {
    const kind = kindOf(command);
    if (!kind) return [];
    const written = commands.slice(0, at + 1).findLast(({text}) => line.includes(text));
    const fate = end === 'succeeded' ? 'passed' : 'failed';
    return [{kind, status: isExitOf(written, line, fate) ? fate : 'unknown'}];
  });
  const checks = [...new Map(runs.map((run) => [run.kind, run])).values()];
  return checks.length > 0 ? {checks} : {};
}

/**
 * True if the exit code of the whole command is that of this one. False if a later command sets it (`npm test | tail`,
 * `npm test; date`, `npm test || true`), or if an earlier one may skip it.
 */
export function isExitOf(
  one: SimpleCommand | undefined,
  command: string,
  fate: 'passed' | 'failed',
): boolean {
  const at = one ? command.lastIndexOf(one.text) : 0;
  const before = withoutDescriptors(command.slice(0, at));
  const after = withoutDescriptors(command.slice(at + (one?.text.length ?? 0))).trim();
  if (before.includes('||') || /[|;\n]|(?<!&)&(?!&)/.test(after)) return false;
  return fate === 'passed' || !after.includes('&&');
}

/** Removes `2>&1` and `&>`, whose characters separate no commands. */
function withoutDescriptors(text: string): string {
  return text.replaceAll(/\d?[<>]&\d?|&>>?/g, '');
}
