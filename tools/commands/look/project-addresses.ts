/** Addresses that the manifests of a project name: its registries, repositories and the sources of its packages. */

import {type Address, addressesIn, parseAddress} from '../../../machines/places/address.ts';
import type {Surroundings} from '../surroundings.ts';

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
export async function projectAddresses(
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
