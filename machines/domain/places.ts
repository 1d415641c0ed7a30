/** Places that tools, policies and the sandbox guard alike: what runs or rules later, and what holds credentials. */

export interface ProtectedKind {
  readonly id: 'vcs' | 'hooks' | 'own' | 'start' | 'ci' | 'editor' | 'review';
  readonly what: string;
  /** Tested on each component of the path, folded. */
  readonly part?: RegExp;
  /** Tested on the whole path, folded. */
  readonly path?: RegExp;
  /**
   * Of these the ones that are obeyed without anybody looking at them first: where there is nothing, the sandbox holds the
   * place with an empty folder while a command runs. git does not see empty folders, and no tool takes them for a file.
   */
  readonly held?: readonly string[];
}

/** What only a person may change: it runs later without being asked, or sets the rules. */
const protectedKinds: readonly ProtectedKind[] = [
  {
    id: 'vcs',
    what: "git's own files",
    part: /^(\.git|git~\d+|\.gitmodules|\.gitattributes|\.gitconfig|\.hg|\.svn)$/,
    path: /(^|\/)\.config\/git(\/|$)/,
    held: ['.git', '.gitmodules', '.gitattributes', '.hg'],
  },
  {
    id: 'hooks',
    what: 'hooks that run on commits',
    part: /^(\.husky|\.githooks|\.?lefthook(-local)?\.(ya?ml|toml|json)|\.pre-commit-config\.ya?ml|\.lintstagedrc.*)$/,
    held: ['.husky', '.githooks'],
  },
  {
    id: 'own',
    what: "Quorate's own configuration",
    part: /^(\.quorate|quorate\.toml)$/,
    path: /(^|\/)\.(config|local\/(share|state))\/quorate(\/|$)/,
    held: ['.quorate'],
  },
  {
    id: 'start',
    what: 'a file that shells and tools run or obey at start',
    part: /^\.(bash|zsh|k?sh|csh|tcsh|mksh|input|npm|yarn|net|curl|wget|gem|vim|ex|screen|direnv)rc$|^\.(bash_(profile|login|logout|aliases)|profile|zshenv|zprofile|zlogin|zlogout|login|logout|cshrc|envrc|gdbinit|lldbinit|tmux\.conf|xinitrc|xprofile|yarnrc\.yml|pnpmfile\.cjs|pypirc|netrc|pnp\.c?js|nvim\.lua|yarn|ssh|gnupg|aws|kube|docker)$|^binding\.gyp$/,
    path: /(^|\/)\.config\/(systemd|autostart|environment\.d|fish|nvim|direnv|mise|tmux|pip|containers)(\/|$)|(^|\/)\.local\/(bin|share\/(applications|systemd))(\/|$)|(^|\/)\.cargo\/(config(\.toml)?|bin|env)(\/|$)|(^|\/)\.?mise(\.local)?\.toml$/,
    held: ['.envrc'],
  },
  {
    id: 'ci',
    what: 'what CI runs',
    part: /^(\.gitlab-ci\.ya?ml|\.gitlab|\.circleci|\.travis\.ya?ml|azure-pipelines\.ya?ml|jenkinsfile|\.drone\.ya?ml|bitbucket-pipelines\.ya?ml|\.buildkite|\.?appveyor\.ya?ml|\.woodpecker(\.ya?ml)?|\.teamcity|cloudbuild\.ya?ml|\.ci)$/,
    path: /(^|\/)\.(github|forgejo|gitea)\/(workflows|actions)(\/|$)|(^|\/)\.github\/dependabot\.ya?ml$/,
    held: ['.github/workflows'],
  },
  {
    id: 'editor',
    what: 'MCP or editor configuration',
    part: /^(\.?mcp\.json|\.vscode|\.idea|\.zed|\.cursor|\.cursorrules|\.windsurf|\.windsurfrules|\.clinerules|\.fleet|\.claude|\.gemini|\.codex|\.continue|\.devcontainer|\.devcontainer\.json|.*\.code-workspace|.*\.sublime-project)$/,
    path: /(^|\/)\.github\/copilot-instructions\.md$/,
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
  {id: 'review', what: 'who must review what', part: /^codeowners$/},
];

/** What kind of protected place a path (relative to the workspace) leads to, if it does. */
export function protectedKind(path: string): ProtectedKind | undefined {
  const folded = fold(path);
  const parts = folded.split('/');
  return protectedKinds.find(
    ({part, path: whole}) => parts.some((name) => part?.test(name)) || whole?.test(folded),
  );
}

/** Protected places that are held while a command runs, though there be nothing. */
export const heldPlaces: readonly string[] = protectedKinds.flatMap(({held = []}) => held);

export interface RepositoryPlace {
  /** Relative to the repository's own folder. */
  readonly path: string;
  /** What holds the place where there is nothing: an empty folder, or a file of this text, which changes nothing. */
  readonly held?: 'folder' | {readonly text: string};
  /** Held only where the repository's configuration speaks of it: nobody obeys it else. */
  readonly if?: RegExp;
}

/**
 * The folders in which version control keeps its own files, by name. Commands must be able to write there for what it is
 * there for, such as committing: of these only the named places are protected from them.
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

/** Folders of a workspace that are not protected themselves, but may hold what is. */
export const mayHoldProtected: readonly string[] = ['.github', '.forgejo', '.gitea'];

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
  '(?:^|/)(?:prod|production|staging|live|secrets?)\\.env$',
  '(?:^|/)(?:secrets?|credentials?)(?:\\.(?:json|ya?ml|toml|env|txt|enc|ini))?$',
  '\\.(?:pem|p12|pfx|key|jks|keystore|kdbx)$',
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

/** Whether a path leads to credentials, as far as its names tell. */
export function isCredentialPlace(path: string): boolean {
  return credentialPath.test(
    path
      .replaceAll('\\', '/')
      .replaceAll(/\/(?:\.?\/)+/g, '/')
      .replace(/\/+$/, ''),
  );
}

/** Whether what was reached holds credentials, as far as names tell, and what was named does not. */
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
