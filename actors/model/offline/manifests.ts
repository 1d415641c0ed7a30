/** What the manifests at the root of a repository say of it. */

import {parse} from 'smol-toml';

import {isJsonObject} from '../../../machines/domain/json.ts';

export const manifestNames: ReadonlySet<string> = new Set([
  'package.json',
  'pyproject.toml',
  'Cargo.toml',
  'go.mod',
  'Makefile',
]);

/** By name. */
export type Manifests = ReadonlyMap<string, string>;
type Table = Readonly<Record<string, unknown>>;

export interface Project {
  readonly name?: string;
  readonly version?: string;
  /** The manifest that the version stands in. */
  readonly versionFrom?: string;
  readonly description?: string;
  /** Such as `node >=24`, `Python >=3.10`. */
  readonly needs: readonly string[];
  /** Lines such as `package.json main: dist/index.js`. */
  readonly entries: readonly string[];
  /** What is typed, and what it runs. */
  readonly scripts: readonly (readonly [string, string])[];
  readonly dependencies: readonly string[];
}

const nothing: Project = {needs: [], entries: [], scripts: [], dependencies: []};

/** What the manifests say together; where two name the project, the first of them counts. */
export function projectOf(manifests: Manifests): Project {
  const parts = readers.flatMap(([file, read]) => {
    const text = manifests.get(file);
    return text === undefined ? [] : [read(text)];
  });
  return parts.reduce(merged, nothing);
}

function merged(first: Project, second: Project): Project {
  return {
    ...second,
    ...first,
    needs: [...first.needs, ...second.needs],
    entries: [...first.entries, ...second.entries],
    scripts: [...first.scripts, ...second.scripts],
    dependencies: [...first.dependencies, ...second.dependencies],
  };
}

const readers: readonly (readonly [string, (text: string) => Project])[] = [
  ['package.json', readPackage],
  ['pyproject.toml', readPyproject],
  ['Cargo.toml', readCargo],
  ['go.mod', readGoModule],
  ['Makefile', readMakefile],
];

/** Empty when it can't be parsed. */
export function packageOf(text: string): Table {
  try {
    return tableOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function readPackage(text: string): Project {
  const manifest = packageOf(text);
  const {bin, engines, scripts, dependencies} = manifest;
  const single = ['main', 'module', 'types', 'bin'].flatMap((name) => {
    const value = manifest[name];
    return typeof value === 'string' ? [`package.json ${name}: \`${value}\``] : [];
  });
  const bins = pairs(bin).map(([name, value]) => `package.json bin ${name}: \`${value}\``);
  return {
    ...titleOf(manifest, 'package.json'),
    needs: pairs(engines).map(([name, value]) => `${name} ${value}`),
    entries: [...single, ...bins],
    scripts: pairs(scripts).map(([name, value]) => [`npm run ${name}`, value] as const),
    dependencies: pairs(dependencies).map(([name]) => name),
  };
}

function readPyproject(text: string): Project {
  const file = parsed(text);
  const project = tableOf(file['project']);
  const poetry = tableOf(tableOf(file['tool'])['poetry']);
  const python = stringOf(project['requires-python']);
  const entries = [
    ...pairs(project['scripts']),
    ...pairs(project['gui-scripts']),
    ...pairs(poetry['scripts']),
  ];
  return {
    ...titleOf(poetry, 'pyproject.toml'),
    ...titleOf(project, 'pyproject.toml'),
    needs: python === undefined ? [] : [`Python ${python}`],
    entries: entries.map(([name, value]) => `pyproject.toml script ${name}: \`${value}\``),
    scripts: [],
    dependencies: [
      ...stringsOf(project['dependencies']).map((line) => /^[\w.-]+/.exec(line)?.[0] ?? line),
      ...pairs(poetry['dependencies'])
        .map(([name]) => name)
        .filter((name) => name !== 'python'),
    ],
  };
}

function readCargo(text: string): Project {
  const file = parsed(text);
  const own = tableOf(file['package']);
  const bins = Array.isArray(file['bin']) ? file['bin'].map(tableOf) : [];
  const rust = stringOf(own['rust-version']);
  return {
    ...titleOf(own, 'Cargo.toml'),
    needs: rust === undefined ? [] : [`Rust ${rust}`],
    entries: bins.map(
      (bin) =>
        `Cargo.toml bin ${stringOf(bin['name']) ?? ''}: \`${stringOf(bin['path']) ?? 'src/main.rs'}\``,
    ),
    scripts: [],
    dependencies: Object.keys(tableOf(file['dependencies'])),
  };
}

function readGoModule(text: string): Project {
  const name = /^module\s+(\S+)/m.exec(text)?.[1];
  const version = /^go\s+(\S+)/m.exec(text)?.[1];
  const required = [
    ...text.matchAll(/^(?:require\s+|\s+)(\S+\.\S+\/\S+)\s+v\S+(?!.*\/\/ indirect)/gm),
  ];
  return {
    ...nothing,
    ...(name === undefined ? {} : {name}),
    needs: version === undefined ? [] : [`Go ${version}`],
    dependencies: required.map(([, path = '']) => path),
  };
}

function readMakefile(text: string): Project {
  const targets = [...text.matchAll(/^([A-Za-z][\w-]*):(?!=)([^\n]*)$/gm)];
  return {
    ...nothing,
    scripts: targets.map(
      ([, name = '', needs = '']) => [`make ${name}`, needs.trim() || 'no dependencies'] as const,
    ),
  };
}

function titleOf(table: Table, file: string): Partial<Project> {
  const name = stringOf(table['name']);
  const version = stringOf(table['version']);
  const description = stringOf(table['description']);
  return {
    ...(name === undefined ? {} : {name}),
    ...(version === undefined ? {} : {version, versionFrom: file}),
    ...(description === undefined ? {} : {description}),
  };
}

/** Empty when it can't be parsed: a manifest at fault says nothing. */
function parsed(text: string): Table {
  try {
    return parse(text);
  } catch {
    return {};
  }
}

function tableOf(value: unknown): Table {
  return isJsonObject(value) ? value : {};
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Names with what they stand for, as one line of text without backticks. */
function pairs(value: unknown): (readonly [string, string])[] {
  return Object.entries(tableOf(value)).map(([name, entry]) => {
    const text = typeof entry === 'string' ? entry : JSON.stringify(entry);
    return [name, text.replaceAll('`', "'").replaceAll(/\s+/g, ' ')] as const;
  });
}
