/** Paths that only a person may allow to change: what runs later without being asked, or sets the rules. */

interface ProtectedKind {
  readonly what: string;
  /** Tested on each component of the path, lower case. */
  readonly part?: RegExp;
  /** Tested on the whole path, lower case. */
  readonly path?: RegExp;
}

const kinds: readonly ProtectedKind[] = [
  {
    what: "git's own files",
    part: /^(\.git|git~\d+|\.gitmodules|\.gitattributes|\.gitconfig|\.hg|\.svn)$/,
  },
  {
    what: 'hooks that run on commits',
    part: /^(\.husky|\.githooks|\.?lefthook(-local)?\.(ya?ml|toml|json)|\.pre-commit-config\.ya?ml)$/,
  },
  {what: "Quorate's own configuration", part: /^(\.quorate|quorate\.toml)$/},
  {
    what: 'a file that shells and tools run or obey at start',
    part: /^\.(bash|zsh|k?sh|csh|tcsh|mksh|input|npm|yarn|net|curl|wget|gem|vim|ex|screen|direnv)rc$|^\.(bash_(profile|login|logout|aliases)|profile|zshenv|zprofile|zlogin|zlogout|login|logout|cshrc|envrc|gdbinit|lldbinit|tmux\.conf|xinitrc|xprofile|yarnrc\.yml|pnpmfile\.cjs|pypirc|pnp\.c?js|nvim\.lua|yarn|ssh|gnupg|aws|kube|docker)$|^binding\.gyp$/,
  },
  {
    what: 'what CI runs',
    part: /^(\.gitlab-ci\.ya?ml|\.gitlab|\.circleci|\.travis\.ya?ml|azure-pipelines\.ya?ml|jenkinsfile|\.drone\.ya?ml|bitbucket-pipelines\.ya?ml|\.buildkite|\.?appveyor\.ya?ml|\.woodpecker(\.ya?ml)?|\.teamcity|cloudbuild\.ya?ml|\.ci)$/,
    path: /(^|\/)\.(github|forgejo|gitea)\/(workflows|actions)(\/|$)|(^|\/)\.github\/dependabot\.ya?ml$/,
  },
  {
    what: 'MCP or editor configuration',
    part: /^(\.?mcp\.json|\.vscode|\.idea|\.zed|\.cursor|\.cursorrules|\.windsurf|\.fleet|\.claude|\.gemini|\.codex|\.continue|\.devcontainer|\.devcontainer\.json|.*\.code-workspace|.*\.sublime-project)$/,
  },
];

/** npm runs these by itself when a package is installed, packed or published. */
const lifecycle = [
  'preinstall',
  'install',
  'postinstall',
  'preprepare',
  'prepare',
  'postprepare',
  'prepublish',
  'prepublishOnly',
  'prepack',
  'postpack',
  'publish',
  'postpublish',
  'dependencies',
];

/** Why a person must allow this change of `path` (relative to the workspace); undefined when the panel may. */
export function protectedReason(
  path: string,
  before: string | undefined,
  after: string,
): string | undefined {
  // File systems that ignore case also fold look-alikes such as U+017F, the long s.
  const folded = path.normalize('NFKC').toLowerCase();
  const parts = folded.split('/');
  const kind = kinds.find(
    ({part, path: whole}) => parts.some((name) => part?.test(name)) || whole?.test(folded),
  );
  if (kind) return `${path} is protected (${kind.what}): only a person may allow a change`;
  if (parts.at(-1) !== 'package.json') return undefined;
  const changed = changedHooks(before, after);
  if (changed.length === 0) return undefined;
  return `${path} changes scripts that npm runs by itself (${changed.join(', ')}): only a person may allow that`;
}

function changedHooks(before: string | undefined, after: string): string[] {
  const old = scriptsOf(before);
  const next = scriptsOf(after);
  return lifecycle.filter(
    (name) => next.get(name) !== undefined && next.get(name) !== old.get(name),
  );
}

function scriptsOf(text: string | undefined): ReadonlyMap<string, string> {
  try {
    const parsed: unknown = JSON.parse((text ?? '{}').replace(/^\ufeff/, ''));
    const scripts = memberOf(parsed, 'scripts');
    if (typeof scripts !== 'object' || scripts === null) return new Map();
    return new Map(Object.entries(scripts).map(([name, value]) => [name, JSON.stringify(value)]));
  } catch {
    // Not JSON: npm refuses such a file whole, so none of its scripts can run.
    return new Map();
  }
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
