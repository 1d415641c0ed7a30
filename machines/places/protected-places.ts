/**
 * Places whose content runs without a further command, or instructs agents, by ecosystem: data only.
 *
 * A pattern is matched in lower case against whole components of a path: `a` at any depth, `a/b` in this order. `*` stands
 * for anything in one component, `{a,b}` for either. A folder includes everything in it.
 */

export interface ProtectedPlaces {
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

export const protectedPlaces: readonly ProtectedPlaces[] = [
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
