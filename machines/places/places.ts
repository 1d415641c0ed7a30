/** Places that tools, policies and the sandbox guard: files that run or set rules later, and files with credentials. */

/** A kind of place that only a person may change: its files run later without a command, or set rules. */
export type ProtectedKind = Pick<ProtectedPlaces, 'id' | 'what'>;

/** All alternatives of a pattern of the table: `{a,b}` is either. */
function alternativesOf(pattern: string): readonly string[] {
  const [whole, ...parts] = /^(.*?)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  if (whole === undefined) return [pattern];
  const [before = '', names = '', after = ''] = parts;
  return names.split(',').flatMap((name) => alternativesOf(`${before}${name}${after}`));
}

// Places whose content runs without a further command, or instructs agents, by ecosystem: data only.
//
// A pattern is matched in lower case against whole components of a path: `a` at any depth, `a/b` in this order. `*` stands
// for anything in one component, `{a,b}` for either. A folder includes everything in it.

const protectedPlaces: readonly ProtectedPlaces[] = [
  {
    id: 'vcs',
    what: "git's own files",
    places: {
      '{.git,git~*}': 'git runs its hooks and what its configuration names',
      '{.gitmodules,.gitattributes}': 'name sources, filters and merge drivers',
      '{.gitconfig,.config/git}': 'names programs that git runs',
      '{.hg,.hgrc,.svn}': 'names hooks and extensions',
      '.jj/{config.toml,repo/config.toml}': 'names programs that jj runs',
    },
    held: ['.git', '.gitmodules', '.gitattributes', '.hg'],
  },
  {
    id: 'hooks',
    what: 'hooks that run on commits',
    places: {
      '{.husky,.githooks,.huskyrc,.huskyrc.*}': 'scripts that git runs',
      '{.,}lefthook{,-local}.{yml,yaml,toml,json}': 'commands that git runs',
      '.pre-commit-config.{yml,yaml}': 'programs that pre-commit fetches and runs',
      '{.overcommit.yml,captainhook.json}': 'commands that git runs',
      '.lintstagedrc*': 'commands that run on staged files',
    },
    held: ['.husky', '.githooks'],
  },
  {
    id: 'own',
    what: "Quorate's own configuration",
    places: {
      '{.quorate,quorate.toml}': 'sets who decides what',
      '.config/quorate': 'sets who decides what',
      '.local/{share,state}/quorate': 'holds runs and permissions',
    },
    held: ['.quorate'],
  },
  {
    id: 'start',
    what: 'a file that shells and tools run or obey at start',
    places: {
      '.{bash,zsh,sh,ksh,csh,tcsh,mksh,input,screen}rc': 'read by each shell or terminal',
      '.bash_{profile,login,logout,aliases}': 'run by bash',
      '{.profile,.zshenv,.zprofile,.zlogin,.zlogout,.login,.logout}': 'run at login',
      '{.xinitrc,.xprofile,.tmux.conf}': 'run at the start of a session',
      '{.envrc,.direnvrc,.autoenv*}': 'run when a shell enters the folder',
      '{mise,.mise}{,.local}.toml': 'sets tools, tasks and variables of shells in the folder',
      '{devbox.json,devenv.nix,flake.nix,shell.nix}': 'builds the environment that shells enter',
      '{.vimrc,.exrc,.nvimrc,.nvim.lua,.lvimrc}': 'run by vim where `exrc` is set',
      '.dir-locals{,-2}.el': 'evaluated by Emacs when a file is opened',
      '{.gdbinit,.lldbinit,.pdbrc,.pdbrc.py,.perldb}': 'run by debuggers',
      '{.irbrc,.pryrc,.byebugrc,.rspec}': 'run by Ruby consoles and rspec',
      '{.rprofile,.renviron,.ghci,.ocamlinit,.iex.exs,.sbclrc}': 'run by interactive interpreters',
      '{sitecustomize.py,usercustomize.py}': 'run by each start of Python',
      '{.pylintrc,pylintrc}': 'its `init-hook` is run by pylint and editors',
      '{.proverc,ansible.cfg}': 'names programs and plugins that are run',
      '{.psqlrc,.sqliterc,.my.cnf,.mylogin.cnf}': 'run or obeyed by database clients',
      '.{npm,yarn,net,curl,wget,gem,conda,terraform}rc': 'sets sources, proxies and credentials',
      '{.yarnrc.yml,.yarn,.pypirc,.netrc,nuget.config}': 'sets sources, plugins and credentials',
      '{pnpm-workspace.yaml,package.yaml,package.json5}': 'allows and names scripts of packages',
      '{.,}pnpmfile.{js,cjs,mjs}': 'run by pnpm at each installation',
      '{.pnp.js,.pnp.cjs,bunfig.toml}': 'loaded by each start of Node or Bun',
      'binding.gyp': 'built by npm at installation',
      '.bundle/config': 'sets sources of gems',
      '{.ssh,.gnupg,.aws,.kube,.docker}': 'sets hosts, programs and credentials',
      '.config/{systemd,autostart,environment.d,fish,nvim,direnv,mise,tmux,pip,containers}':
        'run or obeyed at login, or by shells and editors',
      '.local/{bin,share/applications,share/systemd}': 'programs in PATH, and those of the desktop',
      '.cargo/{config,config.toml,bin,env}': 'names programs that cargo runs in place of others',
      'rust-toolchain{,.toml}': 'names the compiler, which may be any folder',
    },
    held: ['.envrc'],
  },
  {
    id: 'build',
    what: 'what builds start from, before anything that they build',
    places: {
      '{.mvn,mvnw,mvnw.cmd}': 'loads extensions, sets the options of Java, fetches Maven',
      'gradle/{wrapper,init.d}': 'names the Gradle that is fetched and run',
      'gradle.properties': 'names the Java that runs each build, and its options',
      '{gradlew,gradlew.bat,init.gradle,init.gradle.kts}': 'run before each build',
      '{.sbtopts,.jvmopts,project/plugins.sbt}': 'sets options of Java, loads plugins',
      '{.bazelrc,.bazeliskrc,tools/bazel,.buckconfig}': 'names programs that the build runs',
      'directory.build.{props,targets,rsp}': 'loaded by each build of .NET',
      vagrantfile: 'Ruby that each call of vagrant runs',
      '{docker-compose,compose}.override.{yml,yaml}':
        'merged into the services without being named',
    },
  },
  {
    id: 'ci',
    what: 'what CI runs',
    places: {
      '.gitlab-ci.{yml,yaml}': 'run by GitLab',
      '{.gitlab,.circleci,.buildkite,.teamcity,.ci}': 'run by CI',
      '{.travis,azure-pipelines,.drone,bitbucket-pipelines,cloudbuild}.{yml,yaml}': 'run by CI',
      '{.,}appveyor.{yml,yaml}': 'run by CI',
      '.woodpecker{,.yml,.yaml}': 'run by CI',
      jenkinsfile: 'run by Jenkins',
      '.{github,forgejo,gitea}/{workflows,actions}': 'run by the forge',
      '.github/dependabot.{yml,yaml}': 'changes dependencies by itself',
    },
    held: ['.github/workflows'],
  },
  {
    id: 'editor',
    what: 'MCP or editor configuration',
    places: {
      '{mcp,.mcp}.json': 'names programs that agents start',
      '{.vscode,.idea,.zed,.fleet,.idx}': 'names tasks and programs of editors',
      '{*.code-workspace,*.sublime-project}': 'names tasks and programs of editors',
      '{.devcontainer,.devcontainer.json,.gitpod.yml,.replit,replit.nix}':
        'run when the folder is opened',
      '{.cursor,.windsurf,.claude,.gemini,.codex,.continue}': 'settings, hooks and rules of agents',
      '{.qwen,.opencode,.junie,.amazonq,.roo,.trae,.augment}': 'settings and rules of agents',
      '{opencode.json,opencode.jsonc,crush.json,.crush.json}': 'names programs that agents start',
      '.kiro/{hooks,steering,settings}': 'hooks and rules of agents',
      '.aider.conf.{yml,yaml}': 'names commands that the agent runs',
    },
    held: [
      '.vscode',
      '.idea',
      '.cursor',
      '.claude',
      '.gemini',
      '.codex',
      '.devcontainer',
      '.mcp.json',
    ],
  },
  {
    id: 'agents',
    what: 'what agents are instructed by',
    places: {
      '{agents,agents.override,agent}.md': 'read by most agents, this program included',
      '{claude,claude.local,gemini,qwen,crush,warp}.md': 'read by the agent of that name',
      '{.cursorrules,.windsurfrules,.clinerules,.roorules,.roomodes,.rules}': 'rules of agents',
      '{.goosehints,.augment-guidelines,.agents}': 'rules of agents',
      '.github/{copilot-instructions.md,instructions,prompts,agents,chatmodes,skills}':
        'instructions of Copilot',
    },
  },
  {
    id: 'review',
    what: 'who must review what',
    places: {codeowners: 'names whose approval a change needs'},
  },
];

const patternsByKind = protectedPlaces.map((kind) => ({
  kind,
  patterns: Object.keys(kind.places).flatMap(alternativesOf),
}));

const matchers = patternsByKind.map(({kind, patterns}) => ({
  kind,
  test: new RegExp(
    `(?:^|/)(?:${patterns.map((one) => literal(one).replaceAll('*', '[^/]*')).join('|')})(?:/|$)`,
  ),
}));

/** The kind of protected place that a path (relative to the workspace) is in, if any. */
export function protectedKind(path: string): ProtectedKind | undefined {
  const folded = fold(path);
  return matchers.find(({test}) => test.test(folded))?.kind;
}

/** Protected places that are reserved while a command runs, even if they do not exist. */
export const reservedPaths: readonly string[] = protectedPlaces.flatMap(({held = []}) => held);

/** Folders of a workspace that are not protected, but may contain protected places: an outer folder before its inner ones. */
export const mayHoldProtected: readonly string[] = [
  ...new Set(
    patternsByKind.flatMap(({patterns}) =>
      patterns.flatMap((pattern) =>
        pattern
          .split('/')
          .flatMap((_, at, parts) => (at === 0 ? [] : [parts.slice(0, at).join('/')])),
      ),
    ),
  ),
];

export interface RepositoryPlace {
  /** Relative to the repository's own folder. */
  readonly path: string;
  /** Reserves the place if it does not exist: an empty folder, or a file with this text, which has no effect. */
  readonly held?: 'folder' | {readonly text: string};
  /** Reserved only if the repository's configuration matches: otherwise no program uses it. */
  readonly if?: RegExp;
}

/**
 * The folders of version control, by name. Commands must be able to write there, for instance to commit: only the named
 * places are protected from them.
 */
export const repositories: Readonly<Record<string, readonly RepositoryPlace[]>> = {
  '.git': [
    {path: 'hooks', held: 'folder'},
    {path: 'info', held: 'folder'},
    {path: 'modules', held: 'folder'},
    {path: 'worktrees', held: 'folder'},
    {path: 'config', held: {text: ''}},
    {path: 'config.worktree', held: {text: ''}, if: /worktreeconfig/i},
    {path: 'gitdir'},
    {path: 'commondir', held: {text: '.\n'}},
    {path: 'objects/info/alternates', held: {text: ''}},
  ],
  '.hg': [{path: 'hgrc', held: {text: ''}}, {path: 'sharedpath'}],
  '.svn': [],
};

/** Folders that hold credentials, mostly in a home folder. */
export const credentialFolders: readonly string[] = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.gcloud',
  '.mozilla',
  '.password-store',
  '.config/gcloud',
  '.config/gh',
  '.config/op',
  '.config/rclone',
  '.config/quorate',
  '.local/share/quorate',
  '.local/share/keyrings',
];

/** Files that hold credentials, mostly in a home folder. */
export const credentialFiles: readonly string[] = [
  '.netrc',
  '.pgpass',
  '.my.cnf',
  '.git-credentials',
  '.pypirc',
  '.npmrc',
  '.dockercfg',
  '.htpasswd',
  '.vault-token',
];

/** Files that hold credentials wherever they are, by their names. */
const credentialPatterns = [
  '(?:^|/)id_(?:rsa|dsa|ecdsa|ed25519)(?:_\\w+)?$',
  '(?:^|/)\\.env(?:rc)?(?:\\.(?!(?:[\\w.-]+\\.)?(?:example|sample|template|dist|defaults?)$)[\\w.-]+)?$',
  '(?:^|/)\\.env(?:[~_-]|s/)[\\w.-]*$',
  '(?:^|/)(?:prod|production|staging|live|secrets?)\\.env$',
  '(?:^|/)env\\.(?:prod|production|staging|live|local)$',
  '(?:^|/)(?:secrets?|credentials?)(?:\\.(?:json|ya?ml|toml|env|txt|enc|ini))?$',
  '\\.(?:pem|p12|pfx|key|jks|keystore|kdbx)(?:~|\\.(?:bak|old|orig))?$',
  '\\.tfstate(?:\\.backup)?$',
  '(?:^|/)(?:kubeconfig|\\.s3cfg|\\.boto|\\.mylogin\\.cnf|\\.dev\\.vars|\\.vault_pass\\w*|client_secret[\\w.-]*\\.json)$',
  '(?:^|/)(?:shadow|gshadow|sudoers|master\\.passwd)$',
  '^/proc/(?:self|\\d+|\\*|[^/]*)/(?:environ|mem|cmdline|fd)\\b',
  '(?:^|/)(?:login\\.keychain(?:-db)?|service[-_]account[\\w-]*\\.json)$',
];

const credentialPath = new RegExp(
  [
    `(?:^|/)(?:${credentialFolders.map(literal).join('|')})(?:/|$)`,
    `(?:^|/)(?:${credentialFiles.map(literal).join('|')})$`,
    ...credentialPatterns,
  ].join('|'),
  'i',
);

/** True if a path leads to credentials, judged by its names. */
export function isCredentialPlace(path: string): boolean {
  return credentialPath.test(
    path
      .replaceAll('\\', '/')
      .replaceAll(/\/(?:\.?\/)+/g, '/')
      .replace(/\/+$/, ''),
  );
}

/** True if the resolved path leads to credentials, judged by its names, and the given path does not. */
export function leadsToCredentials(named: string, reached: string): boolean {
  return isCredentialPlace(reached) && !isCredentialPlace(named);
}

function literal(text: string): string {
  return text.replaceAll('.', String.raw`\.`);
}

/** File systems that ignore case also fold look-alikes such as U+017F, the long s. */
function fold(path: string): string {
  return path.normalize('NFKC').toLowerCase();
}

interface ProtectedPlaces {
  readonly id: 'vcs' | 'hooks' | 'own' | 'start' | 'build' | 'ci' | 'editor' | 'agents' | 'review';
  readonly what: string;
  /** Why, by pattern. */
  readonly places: Readonly<Record<string, string>>;
  /**
   * Places that programs use without a review by a person: if such a place does not exist, the sandbox reserves it with an
   * empty folder while a command runs. git ignores empty folders, and no tool confuses them with a file.
   */
  readonly held?: readonly string[];
}
