/**
 * Settings of package files by which package managers and builds run code by themselves, or fetch it from elsewhere:
 * data only. Dependencies and versions are not included.
 */

export interface HookSetting {
  /** Keys from the outermost; each may be a pattern. */
  readonly at: readonly (string | RegExp)[];
  readonly why: string;
  /** The dangerous part of the value; undefined for a harmless one. Absent: the whole value. */
  readonly read?: (value: unknown) => unknown;
}

const lifecycle =
  /^(?:(?:pre|post)?(?:install|prepare|publish)|prepublishOnly|(?:pre|post)pack|dependencies)$/;

/** Packages of build systems that do only what their names say. */
const knownBuild =
  /^(?:setuptools|setuptools[-_]scm|wheel|hatchling|hatch-vcs|poetry[-_]core|poetry-dynamic-versioning|flit[-_]core|pdm-backend|maturin|uv[-_]build|scikit-build-core|meson-python|cython|numpy|pybind11)\s*(?:\[[\w,-]+\])?\s*(?:[<>=!~,.*\s\dabrcposdev]*)$/i;
const knownBackend =
  /^(?:setuptools\.build_meta|hatchling\.build|poetry\.core\.masonry\.api|poetry_dynamic_versioning\.backend|flit_core\.buildapi|pdm\.backend|maturin|uv_build|scikit_build_core\.build|mesonpy)$/;

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Undefined if no text of the value matches. */
function where(pattern: RegExp) {
  return (value: unknown): unknown =>
    textsIn(value).some((text) => pattern.test(text)) ? value : undefined;
}

/** Undefined if every text of the value matches. */
function unless(pattern: RegExp) {
  return (value: unknown): unknown =>
    textsIn(value).every((text) => pattern.test(text)) ? undefined : value;
}

const elsewhere =
  /^(?:https?:|git[+:@]|ssh:|github:|gitlab:|bitbucket:|file:|link:|portal:|[\w.-]+\/[\w.-]+(?:#|$))/;
const outside = /^(?:file:|link:)?(?:\.\.(?:\/|$)|\/)/;

/** Undefined for a dependency that only states a version. */
function sourceOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return 'by version';
  const counted = Object.entries(value).filter(
    ([key]) => !/^(?:version|features|default-features|optional|workspace)$/.test(key),
  );
  return counted.length === 0 ? 'by version' : Object.fromEntries(counted);
}

const npm: readonly HookSetting[] = [
  {at: ['scripts', lifecycle], why: 'npm runs it when a package is installed, packed or published'},
  {at: ['publishConfig', /registry$/], why: 'where the package is sent'},
  {at: ['overrides'], why: 'code from elsewhere in place of packages', read: where(elsewhere)},
  {at: ['resolutions'], why: 'code from elsewhere in place of packages', read: where(elsewhere)},
  {at: ['pnpm', 'overrides'], why: 'code from elsewhere', read: where(elsewhere)},
  {
    at: [
      'pnpm',
      /^(?:onlyBuilt|patched|config)Dependencies|^dangerouslyAllowAllBuilds$|^allowBuilds$/,
    ],
    why: 'whose scripts are run',
  },
  {at: [/^(?:trustedDependencies|lavamoat)$/], why: 'whose scripts are run'},
  {at: ['dependenciesMeta', /./, 'built'], why: 'whose scripts are run'},
  {
    at: ['packageManager'],
    why: 'the program that is fetched and run',
    read: unless(/^(?:npm|pnpm|yarn|bun)@\d[\w.-]*(?:\+sha\d+\.[\da-z]+)?$/),
  },
  {
    at: [/^(?:husky|simple-git-hooks|gitHooks|lint-staged|pre-commit|pre-push)$/],
    why: 'run on commits',
  },
  {at: ['gypfile'], why: 'built when the package is installed'},
  {at: ['workspaces'], why: 'packages outside', read: where(outside)},
];

const composer: readonly HookSetting[] = [
  {at: ['scripts', /^(?:pre|post)-/], why: 'composer runs it by itself'},
  {at: ['repositories'], why: 'where packages come from'},
  {at: ['config', /^(?:allow-plugins|secure-http|disable-tls)$/], why: 'whose code composer runs'},
];

const python: readonly HookSetting[] = [
  {
    at: ['build-system', 'requires'],
    why: 'fetched and run by each build',
    read: unless(knownBuild),
  },
  {at: ['build-system', 'build-backend'], why: 'run by each build', read: unless(knownBackend)},
  {at: ['build-system', 'backend-path'], why: 'run by each build'},
  {
    at: [
      'tool',
      'uv',
      /^(?:index|index-url|extra-index-url|find-links|build-constraint-dependencies)$/,
    ],
    why: 'where packages come from',
  },
  {at: ['tool', /^(?:poetry|pdm)$/, 'source'], why: 'where packages come from'},
  {at: ['tool', 'poetry', 'build'], why: 'run by each build'},
  {at: ['tool', 'pdm', 'scripts', /^(?:pre|post)_/], why: 'pdm runs it by itself'},
  {
    at: ['tool', 'pdm', 'build', /^(?:run-setuptools|custom-hook|setup-script)$/],
    why: 'run by each build',
  },
  {at: ['tool', 'hatch', 'build', 'hooks', /./], why: 'run by each build'},
  {at: ['tool', 'hatch', 'build', 'targets', /./, 'hooks', /./], why: 'run by each build'},
  {at: ['tool', 'hatch', 'metadata', 'hooks', /./], why: 'run by each build'},
  {at: ['tool', 'setuptools', /^(?:cmdclass|ext-modules)$/], why: 'run by each build'},
  {at: ['tool', 'pixi', 'activation'], why: 'run by each shell'},
  {at: ['tool', 'pylint', /./, 'init-hook'], why: 'run by pylint'},
];

const cargo: readonly HookSetting[] = [
  {
    at: ['package', 'build'],
    why: 'run by each build',
    read: (value) => (value === false ? undefined : value),
  },
  {at: ['package', 'links'], why: 'decides which native library is linked'},
  {at: ['build-dependencies', /./], why: 'run by each build', read: sourceOf},
  {at: ['target', /./, 'build-dependencies', /./], why: 'run by each build', read: sourceOf},
  {at: ['workspace', 'members'], why: 'packages outside', read: where(outside)},
  {at: ['patch', /./, /./], why: 'code in place of packages'},
  {at: ['replace', /./], why: 'code in place of packages'},
  {at: ['registries', /./], why: 'where packages come from'},
];

export type PackageFormat = 'json' | 'toml' | 'gradle';

/** By file name, in lower case. */
export const packageFormats: Readonly<
  Record<string, {readonly format: PackageFormat; readonly settings: readonly HookSetting[]}>
> = {
  'package.json': {format: 'json', settings: npm},
  'composer.json': {format: 'json', settings: composer},
  'pyproject.toml': {format: 'toml', settings: python},
  'cargo.toml': {format: 'toml', settings: cargo},
  'build.gradle': {format: 'gradle', settings: []},
  'build.gradle.kts': {format: 'gradle', settings: []},
  'settings.gradle': {format: 'gradle', settings: []},
  'settings.gradle.kts': {format: 'gradle', settings: []},
};

/** Lines of a build script that run programs, or load code or packages from elsewhere. */
export const gradleHooks: readonly RegExp[] = [
  /\b(?:exec|javaexec|commandLine|ProcessBuilder|getRuntime|GroovyShell|evaluate|includeBuild)\b/,
  /\.execute\s*\(|\bURL\s*\(|\b(?:https?|ftp|file):\/\//,
  /\bapply\s*(?:\(\s*)?from\b|\bclasspath\b|\b(?:do|eval)(?:First|Last)\b/,
  /\b(?:maven|ivy)\s*(?:\(|\{)|\bflatDir\b|\bsetUrl\b/,
];

/** A line that applies a plugin, except for plugins that come with Gradle and the usual ones of languages. */
export const gradlePlugin =
  /\bid\s*\(?\s*["'](?<name>[^"']+)["']|\bapply\s*\(?\s*plugin\s*[:=]\s*["'](?<applied>[^"']+)["']/;

export const knownPlugin =
  /^(?:java(?:-[a-z]+)*|application|base|groovy|scala|war|ear|jacoco|checkstyle|pmd|idea|eclipse|maven-publish|signing|distribution|(?:org\.)?kotlin.*|org\.jetbrains\.kotlin\..+|com\.android\..+|org\.springframework\.boot|io\.spring\.dependency-management)$/;
