/** Reads facts about a project from the manifests at the root of its repository. */

import {parse} from 'smol-toml';

import {isJsonObject} from '../../../machines/domain/json.ts';

export type Manifests = ReadonlyMap<string, string>;
type Table = Readonly<Record<string, unknown>>;

export interface Project {
  readonly name?: string;
  readonly version?: string;
  readonly versionFrom?: string;
  readonly description?: string;
  /** Such as `node >=24`, `Python >=3.10`. */
  readonly needs: readonly string[];
  /** Lines such as `package.json main: dist/index.js`. */
  readonly entries: readonly string[];
  readonly scripts: readonly (readonly [string, string])[];
  readonly dependencies: readonly string[];
}

const readers: Readonly<Record<string, (text: string) => Partial<Project>>> = {
  'package.json': readPackage,
  'pyproject.toml': readPyproject,
  'Cargo.toml': readCargo,
  'go.mod': readGoModule,
  Makefile: readMakefile,
};

export const manifestNames: ReadonlySet<string> = new Set(Object.keys(readers));

/** The facts of all manifests. If several name the project, the first one takes precedence. */
export function projectOf(manifests: Manifests): Project {
  const parts = Object.entries(readers).flatMap(([file, read]) => {
    const text = manifests.get(file);
    return text === undefined ? [] : [read(text)];
  });
  return {
    ...Object.fromEntries(parts.toReversed().flatMap((part) => Object.entries(part))),
    needs: parts.flatMap(({needs = []}) => needs),
    entries: parts.flatMap(({entries = []}) => entries),
    scripts: parts.flatMap(({scripts = []}) => scripts),
    dependencies: parts.flatMap(({dependencies = []}) => dependencies),
  };
}

/** Returns an empty table for a manifest that cannot be parsed. */
export function packageOf(text: string, read: (text: string) => unknown = JSON.parse): Table {
  try {
    return tableOf(read(text));
  } catch {
    return {};
  }
}

function readPackage(text: string): Partial<Project> {
  const manifest = packageOf(text);
  const {bin, engines, scripts, dependencies} = manifest;
  const single = ['main', 'module', 'types', 'bin'].flatMap((name) =>
    stringsOf([manifest[name]]).map((value) => `package.json ${name}: \`${value}\``),
  );
  const bins = pairs(bin).map(([name, value]) => `package.json bin ${name}: \`${value}\``);
  return {
    ...titleOf(manifest, 'package.json'),
    needs: pairs(engines).map(([name, value]) => `${name} ${value}`),
    entries: [...single, ...bins],
    scripts: pairs(scripts).map(([name, value]) => [`npm run ${name}`, value] as const),
    dependencies: pairs(dependencies).map(([name]) => name),
  };
}

function readPyproject(text: string): Partial<Project> {
  const file = packageOf(text, parse);
  const project = tableOf(file['project']);
  const poetry = tableOf(tableOf(file['tool'])['poetry']);
  const entries = [project['scripts'], poetry['scripts']].flatMap(pairs);
  const own = stringsOf(project['dependencies']).map((line) => line.replace(/[^\w.-].*/, ''));
  const others = pairs(poetry['dependencies']).map(([name]) => name);
  return {
    ...titleOf({...poetry, ...project}, 'pyproject.toml'),
    needs: stringsOf([project['requires-python']]).map((version) => `Python ${version}`),
    entries: entries.map(([name, value]) => `pyproject.toml script ${name}: \`${value}\``),
    dependencies: [...own, ...others.filter((name) => name !== 'python')],
  };
}

function readCargo(text: string): Partial<Project> {
  const file = packageOf(text, parse);
  const own = tableOf(file['package']);
  const bins = Array.isArray(file['bin']) ? file['bin'].map(tableOf) : [];
  return {
    ...titleOf(own, 'Cargo.toml'),
    needs: stringsOf([own['rust-version']]).map((version) => `Rust ${version}`),
    entries: bins.map(
      ({name, path = 'src/main.rs'}) => `Cargo.toml bin ${String(name)}: \`${String(path)}\``,
    ),
    dependencies: Object.keys(tableOf(file['dependencies'])),
  };
}

function readGoModule(text: string): Partial<Project> {
  const required = text.matchAll(/^(?:require\s+|\s+)(\S+\.\S+\/\S+)\s+v\S+(?!.*\/\/ indirect)/gm);
  return {
    ...titleOf({name: /^module\s+(\S+)/m.exec(text)?.[1]}, 'go.mod'),
    needs: stringsOf([/^go\s+(\S+)/m.exec(text)?.[1]]).map((version) => `Go ${version}`),
    dependencies: [...required].map(([, path = '']) => path),
  };
}

function readMakefile(text: string): Partial<Project> {
  const targets = [...text.matchAll(/^([A-Za-z][\w-]*):(?!=)([^\n]*)$/gm)];
  return {
    scripts: targets.map(([, name, needs = '']) => [
      `make ${name}`,
      needs.trim() || 'no dependencies',
    ]),
  };
}

function titleOf(table: Table, file: string): Partial<Project> {
  const known = ['name', 'version', 'description'].flatMap((key) =>
    stringsOf([table[key]]).map((value) => [key, value]),
  );
  const title: Partial<Project> = Object.fromEntries(known);
  return title.version === undefined ? title : {...title, versionFrom: file};
}

function tableOf(value: unknown): Table {
  return isJsonObject(value) ? value : {};
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((item) => typeof item === 'string' && item !== '')
    : [];
}

/** Names and values of a table, each value as one line of text without backticks. */
function pairs(value: unknown): (readonly [string, string])[] {
  return Object.entries(tableOf(value)).map(([name, entry]) => {
    const text = typeof entry === 'string' ? entry : JSON.stringify(entry);
    return [name, text.replaceAll('`', "'").replaceAll(/\s+/g, ' ')] as const;
  });
}
