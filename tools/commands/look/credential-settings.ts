/** Files whose names suggest credentials but that contain none: settings such as `.npmrc`, certificates in PEM. */

import type {Stats} from 'node:fs';
import {posix} from 'node:path';

import {secretIn} from '../../../machines/places/secrets.ts';
import type {Look} from './look.ts';

const names: ReadonlySet<string> = new Set(['.npmrc', '.pypirc', '.my.cnf', '.dockercfg']);
const maxBytes = {settings: 64 * 1024, certificates: 512 * 1024};

/** `//registry.example/:_authToken=…`; a value from the environment does not count: `${NPM_TOKEN}`. */
const setting =
  /^[ \t]*[^#;\s][^\n=]*?(?:auth|pass|token|secret|key|cert|user)[\w"'-]*[ \t]*[=:][ \t]*(?!["']?\$\{\w+\}["']?[ \t]*$)\S/im;
/** A section, a comment, or a name with a value. */
const form = /^[ \t]*(?:$|[#;]|\[[^\]]*\][ \t]*$|[\w.@/:-]+(?:\[\])?[ \t]*=)/;

/** The file is of such a kind and contains no credentials. `path` is absolute and not a link. */
export function holdsNoSecret(look: Pick<Look, 'bytesOf'>, path: string, stat: Stats): boolean {
  const name = posix.basename(path);
  const isCertificate = name.endsWith('.pem');
  if ((!isCertificate && !names.has(name)) || !stat.isFile()) return false;
  if (stat.size > (isCertificate ? maxBytes.certificates : maxBytes.settings)) return false;
  try {
    const text = look.bytesOf(path).toString().replaceAll(/\r\n?/g, '\n');
    return secretIn(text) === undefined && (isCertificate ? isPublic(text) : isBare(text));
  } catch {
    return false;
  }
}

function isBare(text: string): boolean {
  return (
    !/:\/\/[^\s/@]*@/.test(text) &&
    !setting.test(text) &&
    linesOf(text).every((line) => form.test(line))
  );
}

const publicBlock =
  /-----BEGIN ((?:TRUSTED )?CERTIFICATE|CERTIFICATE REQUEST|(?:RSA )?PUBLIC KEY|X509 CRL|DH PARAMETERS)-----[\w+/=\s]*-----END \1-----/g;

/** Only certificates, public keys and comments. */
function isPublic(text: string): boolean {
  const rest = text.replaceAll(publicBlock, '');
  return rest !== text && linesOf(rest).every((line) => /^\s*(?:#|$)/.test(line));
}

function linesOf(text: string): string[] {
  return text.split('\n');
}
