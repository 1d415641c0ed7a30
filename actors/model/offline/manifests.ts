/** Entry points and scripts, from the manifests at the root of a repository. */

import {isJsonObject} from '../../../machines/domain/json.ts';

export const manifestNames: ReadonlySet<string> = new Set([
  'package.json',
  'pyproject.toml',
  'Cargo.toml',
  'Makefile',
]);

type Manifests = ReadonlyMap<string, string>;

/** Lines such as `package.json main: dist/index.js`, and files that are entry points by their name. */
export function entryPoints(manifests: Manifests, paths: readonly string[]): string[] {
  const named = paths.filter(
    (path) =>
      path.split('/').length <= 3 &&
      /(?:^|\/)(?:main|index|__main__|app|cli|server)\.(?:[cm]?[jt]sx?|py|go|rs|c|cc|cpp|java|kt|rb|php|swift)$/.test(
        path,
      ),
  );
  return [
    ...packageEntries(packageOf(manifests)),
    ...tomlSection(manifests.get('pyproject.toml'), 'project.scripts').map(
      ([name, value]) => `pyproject.toml script ${name}: ${value}`,
    ),
    ...tomlSection(manifests.get('Cargo.toml'), 'bin').map(
      ([name, value]) => `Cargo.toml bin ${name}: ${value}`,
    ),
    ...named.slice(0, 20).map((path) => `\`${path}\``),
  ];
}

function packageEntries(manifest: Readonly<Record<string, unknown>>): string[] {
  const single = ['main', 'module', 'types', 'bin'].flatMap((name) => {
    const value = manifest[name];
    return typeof value === 'string' ? [`package.json ${name}: \`${value}\``] : [];
  });
  const {bin} = manifest;
  const bins = isJsonObject(bin)
    ? Object.entries(bin).map(([name, value]) => `package.json bin ${name}: \`${text(value)}\``)
    : [];
  return [...single, ...bins];
}

export function scriptsOf(manifests: Manifests): (readonly [string, string])[] {
  const {scripts} = packageOf(manifests);
  const own = isJsonObject(scripts)
    ? Object.entries(scripts).map(([name, value]) => [`npm run ${name}`, text(value)] as const)
    : [];
  const makefile = manifests.get('Makefile') ?? '';
  const targets = [...makefile.matchAll(/^([A-Za-z][\w-]*):(?!=)([^\n]*)$/gm)].map(
    ([, name, needs]) => [`make ${name ?? ''}`, (needs ?? '').trim() || 'no dependencies'] as const,
  );
  return [...own, ...targets];
}

function packageOf(manifests: Manifests): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(manifests.get('package.json') ?? '{}');
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

function text(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('`', "'");
}

/** The `name = "value"` lines of a TOML section. */
function tomlSection(toml: string | undefined, section: string): (readonly [string, string])[] {
  const lines = (toml ?? '').split('\n');
  const start = lines.findIndex(
    (line) => line.trim().replace(/^\[\[?|\]\]?$/g, '') === section && line.trim().startsWith('['),
  );
  if (start < 0) return [];
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.trim().startsWith('['));
  return rest.slice(0, end < 0 ? undefined : end).flatMap((line) => {
    const found = /^\s*"?([\w.-]+)"?\s*=\s*"([^"]*)"/.exec(line);
    return found ? [[found[1] ?? '', found[2] ?? ''] as const] : [];
  });
}
