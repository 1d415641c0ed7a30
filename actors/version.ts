/** The version of the charts: a digest of every machine's definition. */

import {quickDigest} from '../machines/domain/digest.ts';
import {machines} from '../machines/index.ts';

let version: string | undefined;

export function chartsVersion(): string {
  version ??= quickDigest(JSON.stringify(machines.map(({config}) => config)));
  return version;
}
