import {defineConfig} from 'rolldown';

import {chartsVersion} from './actors/version.ts';
import manifest from './package.json' with {type: 'json'};

/** Part of what is built: of hundreds of small modules Node would spend more time loading than running. */
const bundled = new Set(['zod', '@noble/hashes', 'nanoid']);

const loaded = Object.keys(manifest.dependencies).filter((name) => !bundled.has(name));

export const output = {dir: 'dist', cleanDir: true, chunkFileNames: 'chunks/[name]-[hash].js'};

/** A build has no sources to hash, and need not: what they come to is known when it is made. */
const knownVersion = {
  name: 'known-version',
  load: {
    filter: {id: /\/actors\/version\.ts$/},
    handler: () => `export const chartsVersion = () => '${chartsVersion()}';`,
  },
};

/** Every entry lies two folders deep but the one that is started by its path, and what they share in one folder. */
export default defineConfig({
  input: Object.fromEntries(
    [
      'actors/index',
      'machines/index',
      'tools/index',
      'cli/bin',
      'tools/database/query-process',
    ].map((entry) => [entry, `${entry}.ts`]),
  ),
  platform: 'node',
  plugins: [knownVersion],
  external: (id) => loaded.some((name) => id === name || id.startsWith(`${name}/`)),
  output,
});
