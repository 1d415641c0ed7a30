/** The files on disk of one workspace's view: the pack of contents, and the manifest of its last marker. */

import {mkdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';

import {temporaryName} from '../../write/leftovers.ts';
import type {Manifest} from './entry.ts';
import {type Marker, sweep, writeManifest} from './marker.ts';
import {createPack, type Pack} from './pack.ts';

/** A larger pack is replaced by a new one. */
const maxPackBytes = 1024 * 1024 * 1024;

export interface ViewFiles {
  /** Creates the pack when there is none. Throws the operating system's error. */
  readonly pack: () => Pack;
  readonly isFull: () => boolean;
  /** Names the files after the manifest is on disk. Throws the operating system's error. */
  readonly mark: (folder: string, before: Manifest) => Pick<Marker, 'pack' | 'manifest'>;
  /** Removes them. */
  readonly remove: () => void;
}

/** Without a folder the pack is an unnamed file. */
export function createViewFiles(folder: string | undefined): ViewFiles {
  let pack: Pack | undefined;
  let packName = '';
  let written: {readonly manifest: Manifest; readonly name: string} | undefined;
  return {
    pack: () => {
      if (pack) return pack;
      if (folder !== undefined) prepare(folder);
      packName = temporaryName();
      pack = createPack(folder === undefined ? undefined : join(folder, packName));
      return pack;
    },
    isFull: () => pack !== undefined && pack.size() > maxPackBytes,
    mark: (place, before) => {
      if (written?.manifest !== before) {
        if (written) rmSync(join(place, written.name), {force: true});
        written = {manifest: before, name: writeManifest(place, before)};
      }
      return {pack: packName, manifest: written.name};
    },
    remove: () => {
      pack?.close();
      for (const name of [packName, written?.name ?? '']) {
        if (folder !== undefined && name !== '') rmSync(join(folder, name), {force: true});
      }
      pack = undefined;
      written = undefined;
    },
  };
}

/** Throws the operating system's error. */
function prepare(folder: string): void {
  mkdirSync(folder, {recursive: true, mode: 0o700});
  sweep(folder);
}
