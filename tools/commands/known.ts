/** Tables of known programs: readers, with the options that write or run code; writers of plain files; and other command lines. */

import type {CheckKind} from '../../machines/domain/tool.ts';
import type {EffectKind} from './effect.ts';

/** What the operands of a reader are. `text`: not places. `pattern`: the first one is not a place. */
export type Operands = 'reads' | 'lists' | 'text' | 'pattern';

export interface Reader {
  readonly operands: Operands;
  /** Short options that are barred, as letters. */
  readonly letters: string;
  /** Long options that are barred. GNU programs accept any unique beginning of a long option. */
  readonly long: readonly string[];
  /** Words that are barred in any position. */
  readonly barred?: RegExp;
}

/** `program: LETTERS long-option …`; `-` for no letters. */
function readers(operands: Operands, table: string): [string, Reader][] {
  return table
    .trim()
    .split('\n')
    .flatMap((line): [string, Reader][] => {
      const [names = '', options = ''] = line.split(':').map((part) => part.trim());
      const [letters = '-', ...long] = options.split(' ').filter((word) => word !== '');
      return names
        .split(' ')
        .map((name) => [name, {operands, letters: letters.replace('-', ''), long}]);
    });
}

const inPrograms: Readonly<Record<string, RegExp>> = {
  sed: /^(?!(?:-[nErsuz]+|--(?:quiet|silent|regexp-extended|null-data|separate|unbuffered|posix))$)-/,
  awk: /^-(?!F|v$)|\b(?:system|getline|close|ENVIRON|PROCINFO|ARGV|ARGC|SYMTAB)\b|[|>@]/,
  jq: /\b(?:env|input_filename|import|include|input_line_number|get_search_list)\b|\$ENV|\$__/,
  find: /^-(?!(?:i?name|i?path|i?regex|regextype|type|maxdepth|mindepth|not|o|or|a|and|size|[acm]time|[acm]min|print0?|prune|empty|perm|user|group|links|depth|ls|quit|true|false|readable|writable|executable|xdev|mount|P|newer|exec|execdir|delete)$)/,
  tail: /^\+?-?\d*f$/,
  // Globs make it read hidden and ignored files.
  rg: /^(?:-g|--i?glob).*[^!]|^-[a-zA-Z]*g$/,
};

/** Programs that only read: with these options left out, they change nothing and start nothing. */
export const readerTable: ReadonlyMap<string, Reader> = new Map<string, Reader>(
  [
    ...readers(
      'reads',
      `cat tac head nl cut tr fold expand unexpand paste comm join cmp rev fmt pr base32 sum zcat strings
       iconv: o output
       tail: fF follow pid retry
       wc: - files0-from
       sort: oTS output temporary-directory compress-program files0-from random-source
       uniq: -
       od hexdump: -
       xxd: r revert
       base64 cksum: c check
       md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum: c check
       diff: - output to-file from-file
       column: -
       jq: fL from-file slurpfile rawfile library-path seq
       bat batcat: - pager paging config-file diff generate-config-file`,
    ),
    ...readers(
      'lists',
      `ls dir: - hyperlink
       tree: olR fromfile info gitfile infofile
       stat: -
       file: Cmf compile magic-file files-from
       du: L files0-from dereference exclude-from
       readlink realpath: -
       basename dirname pathchk: -
       find: LH`,
    ),
    ...readers(
      'pattern',
      `grep egrep fgrep: fRz file dereference-recursive
       rg: fLzu. pre pre-glob hostname-bin search-zip file follow hidden no-ignore no-ignore-vcs no-ignore-files unrestricted ignore-file no-config
       awk gawk mawk: filEeoDpb
       sed: ifwe in-place file sandbox`,
    ),
    ...readers(
      'text',
      `echo true false : pwd exit break continue return seq uname whoami id arch nproc uptime groups
       date: sfr set file reference
       printf: v
       which type: -
       sleep expr: -
       tput: S
       locale getconf: -
       hostname: bF file boot
       df free: -`,
    ),
  ].map(([name, reader]) => {
    const barred = inPrograms[name.replace(/^[gm]awk$/, 'awk')];
    return [name, barred ? {...reader, barred} : reader];
  }),
);

/** The part of `sed` that only prints or substitutes: `10,20p`, `/a/,/b/p`, `s/a/b/g`, also several, separated by `;`. */
export function isPlainSed(script: string): boolean {
  const address = String.raw`(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*/I?)`;
  const substitute = [...'/|#,:@!'].map((mark) => {
    const text = String.raw`(?:[^${mark}\\\n]|\\[^\n])*`;
    const edge = mark === '|' ? String.raw`\|` : mark;
    return `s${edge}${text}${edge}${text}${edge}[gpiI\\d]*`;
  });
  const verb = String.raw`(?:[pdq=nlNDPghGHx]|${substitute.join('|')})`;
  const one = String.raw`\s*(?:${address}(?:,\+?${address})?\s*!?\s*)?${verb}\s*`;
  return new RegExp(`^(?:${one})(?:;${one})*;?\\s*$`).test(script);
}

/** Options of `git` before its verb that change nothing. */
export const gitPlain = /^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/;

/** Verbs of git that only read, with the words that write, run code or name other places. */
export const gitReaders: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    'status log diff show rev-parse ls-files ls-tree blame describe shortlog rev-list merge-base cat-file name-rev grep check-ignore whatchanged for-each-ref show-ref count-objects cherry range-diff diff-tree diff-index diff-files var show-branch version help':
      /^(?:--output|--ext-diff|--textconv|--no-index|--open-files|-O|--exec|--upload-pack|--filters|--batch|--git-dir|--work-tree|--show-signature|--contents|-S$|--ignore-revs-file|--untracked|--exclude-from|-X|--exclude-standard=|--web|-w$|--info|--path-format|-f$|--file)/,
    branch:
      /^(?!(?:-[avrl]+|--(?:list|all|remotes|show-current|merged|no-merged|contains|verbose|sort=\S+|format=\S+|column|no-column))$)/,
    tag: /^(?!(?:-[ln]\d*|--(?:list|sort=\S+|contains|points-at|merged))$)/,
    remote: /^(?!(?:-v|--verbose|show|get-url|-n|origin|upstream)$)/,
    stash: /^(?!(?:list|show|-p|--stat|--patch|stash@\{\d+\}|--oneline)$)/,
    worktree: /^(?!list$|--porcelain$)/,
    config:
      /^(?!(?:--get|--list|-l|--get-all|--get-regexp|--show-origin|--show-scope|--local|[\w-]+\.[\w.-]+)$)/,
    reflog: /^(?:expire|delete|drop)/,
    'symbolic-ref': /^(?!(?:--short|-q|HEAD)$)/,
    bisect: /^(?!log$)/,
    submodule: /^(?!status$|--recursive$)/,
  }).flatMap(([verbs, barred]) => verbs.split(' ').map((verb) => [verb, barred] as const)),
);

/** Verbs of git that write to its data or to the work tree, and the effect; the words after them decide no more than this. */
const gitWriters: readonly (readonly [RegExp, EffectKind])[] = [
  [
    /^(?:fetch|pull|clone|ls-remote|remote update|submodule (?:update|add)|archive --remote)\b/,
    'fetches',
  ],
  [/^push\b/, 'publishes'],
  [
    /^(?:reset(?=.* --(?:hard|merge|keep))|clean\b|restore(?!.*--staged)|stash (?:drop|clear)|branch .*(?:-D|-d|--delete)|tag .*(?:-d|--delete)|checkout(?=.* (?:--|\.|-f|--force|HEAD\b.* ))|switch(?=.* (?:-f|--force|--discard-changes))|reflog (?:expire|delete)|rebase|commit(?=.* --am)|filter-branch|update-ref|worktree remove|gc|prune|read-tree|checkout-index|rm\b(?!.*--cached))/,
    'discards',
  ],
  [
    /^(?:add|commit|switch|checkout|branch|tag|stash|merge|cherry-pick|revert|reset|restore|mv|rm|init|apply|am|notes|bisect|update-index|rerere|sparse-checkout|maintenance|format-patch|bundle|worktree add|repack|pack-refs|write-tree|commit-tree|mktree|hash-object|symbolic-ref|merge-file|fast-export|subtree|remote|submodule|config)\b/,
    'records',
  ],
];

/** The effect of a verb of git that is not a reader. Undefined: the verb is not known. */
export function gitEffect(words: string): EffectKind | undefined {
  return gitWriters.find(([form]) => form.test(words))?.[1];
}

/** Programs that start the command after their options. The expression: options whose value is the next word. */
export const prefixes: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    time: /^-[fo]$/,
    nice: /^-n$/,
    nohup: /^$/,
    timeout: /^-[ks]$/,
    stdbuf: /^-[ioe]$/,
    command: /^$/,
    builtin: /^$/,
    env: /^-[uC]$/,
    setsid: /^$/,
    ionice: /^-[cn]$/,
    xargs: /^-[nPLIsdE]$/,
  }),
);

/** Variables that no program takes as code, as a program or as a place. */
export const harmlessVariables =
  /^(?:CI|LC_\w+|LANG|LANGUAGE|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|COLUMNS|LINES|TERM|NODE_ENV|DEBUG|VERBOSE|RUST_BACKTRACE|RUST_LOG|PYTHONDONTWRITEBYTECODE|PYTHONUNBUFFERED|[a-z]\w*|[A-Z]\w?|[A-Z]+_VERSION|VERSION)$/;
/** The same with these values. */
export const harmlessSettings = /^(?:GIT_PAGER|PAGER)=(?:cat)?$/;

/** Programs that run code of the workspace, or code given to them. */
const interpreters =
  /^(?:python[\d.]*|pypy3?|node|nodejs|deno|bun|tsx|ts-node|perl|ruby|php|lua|osascript|pwsh|tclsh|Rscript|julia|elixir|java|dotnet-script)$/;
export const shells = /^(?:sh|bash|dash|zsh|ksh|ash)$/;

export function isInterpreter(name: string): boolean {
  return interpreters.test(name);
}

export type Row = readonly [form: RegExp, kinds: readonly EffectKind[], target: string];

/** Lines that reach the network, or things outside the workspace. The first that fits counts. */
export const reachingRows: readonly Row[] = [
  [
    /^(?:npm|pnpm|yarn|bun|npx|bunx) (?:.* )?(?:publish|unpublish|deprecate|dist-tag|owner|access|token|login|adduser)(?: |$)|^(?:lerna|changeset) publish|^(?:cargo|uv|poetry|flit|hatch|pdm|rye|vsce|ovsx|jsr|deno) (?:publish|yank|owner|login)|^(?:python[\d.]* -m )?twine upload|^gem (?:push|yank)|^(?:docker|podman)(?: image)? push|^helm push|^(?:mvn|gradlew?) .*(?:deploy|publish)|^goreleaser release|^(?:semantic-release|release-it)\b|^(?:vercel|netlify|firebase|wrangler|fly|flyctl|gcloud app|eb|serverless|sls|cdk) deploy|^vercel --prod/,
    ['publishes'],
    'a release',
  ],
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
  [
    /^(?:curl|wget2?|http|https|xh|httpie|aria2c|lynx|links|w3m|nslookup|dig|host|whois|ping6?|traceroute|mtr|nmap|openssl s_client|websocat|grpcurl|yt-dlp|youtube-dl)(?: |$)/,
    ['fetches'],
    'an address',
  ],
  [
    /^(?:ssh|scp|sftp|ftp|tftp|lftp|nc|ncat|netcat|socat|telnet|mail|mailx|mutt|sendmail|msmtp|rclone|croc|wormhole|ngrok|cloudflared|bore|s3cmd|mosquitto_pub|rsync .*\S+:)(?: |$)/,
    ['sends'],
    'another computer',
  ],
  [
    /^(?:docker|podman|nerdctl|docker-compose|kubectl|oc|helm|terraform|tofu|terragrunt|pulumi|ansible\S*|vagrant|aws|gcloud|gsutil|az|doctl|heroku|vercel|netlify|firebase|wrangler|flyctl|fly|supabase|railway|minikube|kind|eksctl|systemctl|service|journalctl|launchctl|crontab|psql|mysql|mariadb|mongo|mongosh|redis-cli|createdb|dropdb|pg_dump|pg_restore|mysqldump|mysqladmin|pm2|supervisorctl|iptables|ufw|nft|ip|ifconfig|route|sysctl|dmesg|xdg-open|open|osascript|defaults|gsettings|code|cursor|tmux|screen|loginctl|nmcli|mount|umount|losetup|quorate)(?! (?:--version|-v|--help|version)$)(?: |$)/,
    ['alters'],
    'something outside the workspace',
  ],
  [
    /^(?:env|printenv|set|export|declare|typeset|(?:export|declare|typeset) -[px]+)$/,
    ['reveals'],
    'the environment',
  ],
];

/** Commands that check work. A package script counts by its name, and by the commands that it runs. */
export const checkTable: readonly (readonly [CheckKind, RegExp])[] = [
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
