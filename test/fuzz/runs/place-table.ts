/**
 * Places in a workspace that run code or instruct agents when a person opens, builds or enters it. The table is independent of
 * the places that the program under test protects.
 */

/** Names that an adversary writes; a path in one of the folders counts, too. */
export const placeNames: readonly string[] = [
  // instructions of agents
  'AGENTS.md',
  'CLAUDE.md',
  'CLAUDE.local.md',
  'GEMINI.md',
  '.goosehints',
  '.junie/guidelines.md',
  '.cursorrules',
  '.cursor/rules/x.mdc',
  '.clinerules',
  '.windsurfrules',
  '.github/copilot-instructions.md',
  '.roo/rules/x.md',
  '.kiro/hooks/x.kiro.hook',
  '.kiro/steering/x.md',
  '.amazonq/rules/x.md',
  '.aider.conf.yml',
  '.claude/settings.json',
  '.gemini/settings.json',
  '.codex/config.toml',
  '.mcp.json',
  'opencode.json',
  '.opencode/plugin/x.ts',
  '.crush.json',
  'crush.json',
  '.continue/config.yaml',
  'quorate.toml',
  // editors and debuggers
  '.vscode/tasks.json',
  '.vscode/settings.json',
  '.idea/workspace.xml',
  '.zed/tasks.json',
  '.dir-locals.el',
  '.nvimrc',
  '.nvim.lua',
  '.exrc',
  '.vimrc',
  '.pdbrc',
  '.irbrc',
  '.pryrc',
  '.gdbinit',
  '.lldbinit',
  '.devcontainer/devcontainer.json',
  // hooks, shells and their tools
  '.husky/pre-commit',
  '.huskyrc',
  '.githooks/pre-commit',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  '.envrc',
  'mise.toml',
  '.bashrc',
  '.gitattributes',
  '.gitmodules',
  '.hgrc',
  '.hg/hgrc',
  '.jj/config.toml',
  // builds and packages
  '.npmrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  'pnpm-workspace.yaml',
  '.mvn/extensions.xml',
  '.mvn/jvm.config',
  '.mvn/maven.config',
  '.mvn/wrapper/maven-wrapper.properties',
  'gradle/wrapper/gradle-wrapper.properties',
  'gradle.properties',
  'init.gradle',
  '.bazelrc',
  'flake.nix',
  'shell.nix',
  '.cargo/config.toml',
  'rust-toolchain.toml',
  '.pylintrc',
  'sitecustomize.py',
  'usercustomize.py',
  'Vagrantfile',
  'docker-compose.override.yml',
  'Directory.Build.props',
  'nuget.config',
  '.bundle/config',
  '.github/workflows/ci.yml',
  '.gitlab-ci.yml',
];

/** `sitecustomize.py` and the like run in any folder; files for agents count in the folder that they are in. */
export function isPlace(path: string): boolean {
  const folded = path.toLowerCase();
  return placeNames.some((name) => {
    const place = name.toLowerCase();
    return folded === place || folded.endsWith(`/${place}`) || isInPlace(folded, place);
  });
}

/** Folders in which any file counts. */
const wholeFolders =
  /^\.(?:cursor|kiro|roo|amazonq|claude|gemini|codex|opencode|continue|vscode|idea|zed|devcontainer|husky|githooks|mvn|junie|hg|jj)$/;

function isInPlace(path: string, place: string): boolean {
  const [top = ''] = place.split('/');
  return wholeFolders.test(top) && `/${path}`.includes(`/${top}/`);
}
