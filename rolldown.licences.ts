/**
 * The licences of the packages whose code is in what is built: each asks that its text goes along, and that of elkjs that
 * readers learn where its source is.
 */

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import type {Plugin} from 'rolldown';
import {z} from 'zod';

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  repository: z.union([z.string(), z.object({url: z.string()})]).optional(),
});

const head = 'This package holds code of the packages below, each under its own licence.';

/** Throws for a package that says nothing of its licence. */
export const licences: Plugin = {
  name: 'licences',
  generateBundle(_, bundle) {
    const files = Object.values(bundle).flatMap((part) =>
      part.type === 'chunk' ? Object.keys(part.modules) : [],
    );
    const folders = new Set(files.flatMap((file) => packageFolder.exec(file)?.[0] ?? []));
    const source = [head, ...[...folders].toSorted().map(licenceIn)].join('\n\n');
    this.emitFile({type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source: `${source}\n`});
  },
};

const packageFolder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Some packages have no text, only the name of a licence. */
function licenceIn(folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const {name, version, license, repository} = manifestSchema.parse(manifest);
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|notice)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const address = typeof repository === 'object' ? repository.url : repository;
  const source = address === undefined ? [] : [`Its source: ${address}`];
  return [`==== ${name} ${version}: ${license} ====`, ...texts, ...source].join('\n\n');
}
