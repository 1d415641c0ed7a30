/** The key of an installation. */

import {spawn} from 'node:child_process';
import {createPrivateKey, createPublicKey, generateKeyPairSync} from 'node:crypto';
import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {pathToFileURL} from 'node:url';

import {beforeEach, describe, expect, test} from 'vitest';

import {
  createSigner,
  makePublicKey,
  parsePublicKey,
  readOwnKey,
} from '../../../actors/journal/signing-key.ts';
import {folderWith} from '../../support/stage.ts';

let home: string;
let folder: string;

beforeEach(() => {
  home = folderWith();
  folder = join(home, 'keys');
});
const payload = '{"interaction":"a"}';

describe('the first signature', () => {
  test('makes a key that only its owner can read, and its public part', () => {
    expect(readOwnKey(folder)).toBeUndefined();
    const envelope = createSigner(folder)(payload);

    const path = join(folder, 'signing.key');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(createPrivateKey(readFileSync(path)).asymmetricKeyType).toBe('ed25519');
    const own = readOwnKey(folder);
    expect(envelope?.signatures[0].keyid).toBe(own?.id);
    expect(readFileSync(join(folder, 'signing.pub'), 'utf8')).toBe(own?.pem);
    expect(readdirSync(folder).toSorted()).toEqual(['signing.key', 'signing.pub']);
  });

  test('uses the key that is there', () => {
    const {id} = makePublicKey(folder);
    expect(createSigner(folder)(payload)?.signatures[0].keyid).toBe(id);
    expect(makePublicKey(folder).id).toBe(id);
  });

  test('by several processes at once results in one key', {timeout: 60_000}, async () => {
    const module = pathToFileURL(
      join(import.meta.dirname, '../../../actors/journal/signing-key.ts'),
    );
    const program = `import {createSigner} from '${module.href}';
      process.stdin.once('data', () => {
        process.stdout.write(createSigner(process.argv[1])('{}').signatures[0].keyid);
        process.exit();
      });
      process.stdout.write('.');`;
    const children = Array.from({length: 8}, () =>
      spawn(process.execPath, ['--input-type=module', '-e', program, folder], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    );
    await Promise.all(
      children.map(
        async ({stdout}) =>
          await new Promise((resolve) => {
            stdout.once('readable', () => resolve(undefined));
          }),
      ),
    );
    for (const {stdin} of children) stdin.end('go');
    const ids = await Promise.all(children.map(async ({stdout}) => await text(stdout)));
    expect(new Set(ids)).toEqual(new Set([`.${readOwnKey(folder)?.id}`]));
    expect(readdirSync(folder).toSorted()).toEqual(['signing.key', 'signing.pub']);
  });

  test('is left out where no key can be made', () => {
    writeFileSync(join(home, 'file'), '');
    const sign = createSigner(join(home, 'file', 'keys'));
    expect([sign(payload), sign(payload)]).toEqual([undefined, undefined]);
  });

  test.each([
    ['a text', 'none'],
    ['another kind of key', generateKeyPairSync('rsa', {modulusLength: 2048}).privateKey],
  ])('is left out, and the key stays, where %s is in its place', (_, key) => {
    makePublicKey(folder);
    const path = join(folder, 'signing.key');
    const content =
      typeof key === 'string' ? key : key.export({type: 'pkcs8', format: 'pem'}).toString();
    writeFileSync(path, content);
    expect(createSigner(folder)(payload)).toBeUndefined();
    expect(readFileSync(path, 'utf8')).toBe(content);
    expect(() => readOwnKey(folder)).toThrow(
      expect.objectContaining({
        code: 'io',
        message: expect.stringMatching(/signing\.key: not a private Ed25519 key.*move it away/),
      }),
    );
  });
});

describe('a public key', () => {
  test('is read as PEM and as the base64 of its SPKI', () => {
    const {id, pem} = makePublicKey(folder);
    const der = createPublicKey(pem).export({type: 'spki', format: 'der'});
    for (const given of [pem, `\n${pem}\n`, der.toString('base64'), `${der.toString('base64')}\n`])
      expect(parsePublicKey(given)).toMatchObject({id, pem});
  });

  test.each([
    ['nothing', ''],
    ['a word', 'key'],
    ['another kind of key', () => generateKeyPairSync('ec', {namedCurve: 'P-256'}).publicKey],
    ['a private key', () => generateKeyPairSync('ed25519').privateKey],
  ])('is not %s', (_, given) => {
    const pem = (): string => {
      if (typeof given === 'string') return given;
      const key = given();
      return key.type === 'public'
        ? key.export({type: 'spki', format: 'pem'}).toString()
        : key.export({type: 'pkcs8', format: 'pem'}).toString();
    };
    expect(() => parsePublicKey(pem())).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: expect.stringContaining('not a public Ed25519 key'),
      }),
    );
  });
});
