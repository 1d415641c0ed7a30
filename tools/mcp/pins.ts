/**
 * The pinned tools of servers, one file each: a server whose tools differ from its pin is not trusted with them.
 */

import {mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {z} from 'zod';

import {hashOf} from '../../machines/domain/digest.ts';
import {asJson, isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {errorCode} from '../containment/denial.ts';
import type {ReadListing} from './listing.ts';
import type {ToolSet} from './server.ts';

export interface Pin extends ReadListing {
  /** It speaks a protocol before 2026-07-28, so it need not be asked. */
  readonly isLegacy: boolean;
  /** Its tools as they were when it last ran, if they were others. */
  readonly changed?: {readonly list: readonly string[]; readonly set: ToolSet} | undefined;
}

export interface Pins {
  /** `damaged`: the file can't be read, or is not as it was written. */
  readonly read: (key: string) => Pin | 'damaged' | undefined;
  /** Throws errors of the operating system. */
  readonly write: (key: string, pin: Pin) => void;
  /** Undefined for pins in memory. */
  readonly fileOf: (key: string) => string | undefined;
}

/** Without a folder the pins are in memory. */
export function createPins(folder: string | undefined): Pins {
  if (folder === undefined) return createMemoryPins();
  const fileOf = (key: string): string => join(folder, `${key}.json`);
  return {
    read: (key) => readPin(fileOf(key)),
    write: (key, pin) => {
      const draft = `${fileOf(key)}.${process.pid}`;
      mkdirSync(folder, {recursive: true, mode: 0o700});
      writeFileSync(draft, `${JSON.stringify({pin, check: checkOf(pin)}, null, 1)}\n`, {
        mode: 0o600,
      });
      renameSync(draft, fileOf(key));
    },
    fileOf,
  };
}

function createMemoryPins(): Pins {
  const pins = new Map<string, Pin>();
  return {
    read: (key) => pins.get(key),
    write: (key, pin) => void pins.set(key, pin),
    fileOf: () => undefined,
  };
}

/** Every name of a server is kept: `z.record` drops `__proto__`. */
const json = z.custom<JsonObject>(isJsonObject);
const texts = z.custom<Readonly<Record<string, string>>>(
  (value) => isJsonObject(value) && Object.values(value).every((each) => typeof each === 'string'),
);
const toolSet = z.lazy(() =>
  z.strictObject({
    tools: z.array(
      z.strictObject({
        name: z.string(),
        description: z.string(),
        schema: json,
        readOnly: z.boolean().exactOptional(),
        idempotent: z.boolean().exactOptional(),
        openWorld: z.boolean().exactOptional(),
      }),
    ),
    hasResources: z.boolean(),
    hasPrompts: z.boolean(),
  }),
);
const file = z.lazy(() =>
  z.strictObject({
    pin: z.strictObject({
      set: toolSet,
      omitted: z.array(z.string()),
      fingerprints: texts,
      digest: z.string(),
      isLegacy: z.boolean(),
      changed: z.strictObject({list: z.array(z.string()), set: toolSet}).exactOptional(),
    }),
    check: z.string(),
  }),
);

function readPin(path: string): Pin | 'damaged' | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? undefined : 'damaged';
  }
  try {
    const {pin, check} = file.parse(JSON.parse(text));
    return checkOf(pin) === check ? pin : 'damaged';
  } catch {
    return 'damaged';
  }
}

function checkOf(pin: Pin): string {
  return hashOf({pin: asJson(pin)});
}
