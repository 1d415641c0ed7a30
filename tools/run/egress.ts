/** Addresses that a command would contact and that no manifest of the project names. */

import {
  type Address,
  addressesIn,
  isThisMachine,
  namesHost,
  parseAddress,
} from '../../machines/places/address.ts';
import type {Reading} from '../commands/reading.ts';
import type {Surroundings} from '../commands/surroundings.ts';
import type {Effect, SimpleCommand} from '../commands/understanding.ts';

/**
 * If the command contacts any address, all addresses in its words count: a proxy, a registry, a setting that leads elsewhere.
 * Manifests that the run has changed name none. Never rejects.
 */
export async function unnamedAddresses({
  understanding: {effects, commands},
  surroundings,
  written,
}: Reading): Promise<readonly string[]> {
  if (!effects.some((effect) => goesOut(effect) || effect.kind === 'installs')) return [];
  const known = await projectAddresses(surroundings, (path) => written.includes(path));
  const strange = reachingUnknown(effects, known);
  const texts = strange.map(({target}) => target);
  return [...new Set([...texts, ...addressesGiven(commands, known, texts)])];
}

function addressesGiven(
  commands: readonly SimpleCommand[],
  known: readonly Address[],
  listed: readonly string[],
): readonly string[] {
  const words = commands.flatMap(({args, assignments}) => [...args, ...Object.values(assignments)]);
  return words
    .flatMap(({text}) => addressesIn(text))
    .filter((address) => !isThisMachine(address) && !namesHost(known, address))
    .filter(({host}) => !listed.some((text) => text.toLowerCase().includes(host)))
    .map(({host, rest}) => host + rest);
}

/** It reaches a computer. Packages come from their managers' registries, unless an address names them. */
function goesOut({kind, target}: Effect): boolean {
  return kind === 'fetches' || kind === 'sends' || (kind === 'installs' && isSource(target));
}

/** An address, or a module named by its host. */
function isSource(target: string): boolean {
  return /:\/\/|@[\w.-]+:|^[\w-]+(?:\.[\w-]+)+\//.test(target);
}

/** Also for packages: `git+https://…`, `name@https://…`. */
function addressReached({target}: Effect): Address | undefined {
  return parseAddress(target.replace(/^(?:[\w.@/-]+@)?(?:git\+)?(?=[a-z]+:\/\/)/i, ''));
}

/** Effects that reach another computer whose host is not in `known`. */
function reachingUnknown(effects: readonly Effect[], known: readonly Address[]): readonly Effect[] {
  return effects.filter((effect) => {
    if (!goesOut(effect) || effect.isOwn) return false;
    const address = addressReached(effect);
    return !address || !(isThisMachine(address) || namesHost(known, address));
  });
}

const npm = ['registry.npmjs.org'];
const python = ['pypi.org', 'files.pythonhosted.org'];
const rust = ['crates.io', 'static.crates.io', 'index.crates.io'];

/** Manifests, with the registries that package managers use when a manifest names none. */
const manifests: Readonly<Record<string, readonly string[]>> = {
  'package.json': npm,
  'package-lock.json': npm,
  'npm-shrinkwrap.json': npm,
  'yarn.lock': npm,
  'pnpm-lock.yaml': npm,
  'pyproject.toml': python,
  'requirements.txt': python,
  'requirements-dev.txt': python,
  Pipfile: python,
  'Cargo.toml': rust,
  'Cargo.lock': rust,
  'go.mod': ['proxy.golang.org', 'sum.golang.org'],
  Gemfile: ['rubygems.org'],
  'Gemfile.lock': ['rubygems.org'],
  'composer.json': ['packagist.org', 'repo.packagist.org'],
  'pom.xml': ['repo.maven.apache.org'],
  'build.gradle': ['repo.maven.apache.org'],
  'build.gradle.kts': ['repo.maven.apache.org'],
  Dockerfile: [],
  Containerfile: [],
  'compose.yaml': [],
  'compose.yml': [],
  'docker-compose.yaml': [],
  'docker-compose.yml': [],
  '.gitmodules': [],
  '.git/config': [],
};

/** A registry before the name of an image, a host before the name of a module. */
const withoutScheme =
  /^\s*(?:from|image:|require|replace)?\s*"?([\w-]+(?:\.[\w-]+)+(?::\d+)?)\/\S/gim;

/** `isChanged`: this run changed the manifest, so it is not trusted. Never rejects. */
async function projectAddresses(
  {readFileText}: Surroundings,
  isChanged: (path: string) => boolean,
): Promise<readonly Address[]> {
  const paths = Object.keys(manifests).filter((path) => !isChanged(path));
  const texts = await Promise.all(paths.map(readFileText));
  return paths.flatMap((path, at) => {
    const text = texts[at];
    return text === undefined ? [] : namedIn(path, text);
  });
}

function namedIn(path: string, text: string): readonly Address[] {
  const isBare = /^(?:Docker|Container)file$|compose|^go\.mod$/.test(path);
  const bare = isBare ? [...text.matchAll(withoutScheme)] : [];
  const hosts = [...(manifests[path] ?? []), ...bare.map(([, host = '']) => host)];
  return [...addressesIn(text), ...hosts.flatMap(hostNamed)];
}

function hostNamed(host: string): readonly Address[] {
  const address = parseAddress(host);
  return address ? [address] : [];
}
