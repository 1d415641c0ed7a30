/** No request reaches an address outside the public internet: rows R06 of the corpus of hostile inputs. */

import type {LookupAddress} from 'node:dns';

import {describe, expect, test} from 'vitest';

import {createToolbox} from '../../../tools/index.ts';
import {isPublic} from '../../../tools/web/address.ts';
import {fetchPage} from '../../../tools/web/fetch-page.ts';
import {createWebFetch, type WebFetchOptions} from '../../../tools/web/web-fetch.ts';
import {pairs} from '../../support/rows.ts';
import {createPlace, verdictOf} from '../place.ts';
import {createPage, createSite} from './site.ts';

async function verdict(url: string, options: WebFetchOptions = {}): Promise<string> {
  const place = createPlace(createToolbox([createWebFetch(options)]));
  return verdictOf(await place.run('web_fetch', {url}));
}

/** One case per word. */
function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

function resolveTo(...addresses: readonly string[]): () => Promise<LookupAddress[]> {
  return async () => addresses.map((address) => ({address, family: address.includes(':') ? 6 : 4}));
}

describe('addresses', () => {
  test.each(
    words(`
      0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.255.255 168.63.129.16 169.254.169.254
      172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 192.168.1.1 198.18.0.1 198.51.100.1
      203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1
      ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1
      64:ff9b::a9fe:a9fe 64:ff9b:1::1 2002:7f00:1:: 2002:a01:203::1 2002:c0a8:101:: 2001::1
      2001:db8::1 3fff::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 100::1
      5f00::1 localhost 127.1 0x7f000001
    `),
  )('%s is not public', (address) => {
    expect(isPublic(address)).toBe(false);
  });

  test.each(
    words(`
      1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255
      128.0.0.0 168.63.129.15 169.253.255.255 172.15.255.255 172.32.0.0 192.0.1.0
      192.167.255.255 198.17.255.255 198.20.0.0 223.255.255.255 2606:4700:4700::1111
      2a00:1450::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1 2001:4860:4860::8888
    `),
  )('%s is public', (address) => {
    expect(isPublic(address)).toBe(true);
  });
});

describe('URLs', () => {
  test.each(
    words(`
      127.0.0.1:9070 127.1 0x7f000001 0x7f.1 2130706433 0177.0.0.1 017700000001 0 0.0.0.0
      [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0::1]:80 127。0。0。1 １２７.0.0.1
      %31%32%37.0.0.1 169.254.169.254/latest/meta-data 10.0.0.1 192.168.0.1 [fd00::1]
      [fe80::1] [64:ff9b::7f00:1] [2002:7f00:1::]
    `),
  )('http://%s is denied', async (rest) => {
    expect(await verdict(`http://${rest}`)).toBe('refused/ssrf');
  });

  test.each(['http://localhost/', 'https://localhost/', 'http://LOCALHOST/', 'http:localhost'])(
    '%s is denied by what its name stands for',
    async (url) => {
      expect(await verdict(url)).toBe('refused/ssrf');
    },
  );

  test.each([
    ...pairs(`
    file:///etc/passwd ⇒ refused/ssrf ¦ FILE:///etc/passwd ⇒ refused/ssrf
    ftp://example.com/ ⇒ refused/ssrf ¦ gopher://127.0.0.1:70/_x ⇒ refused/ssrf
    data:text/html,x ⇒ refused/ssrf ¦ javascript:alert(1) ⇒ refused/ssrf
    unix:/run/docker.sock ⇒ refused/ssrf ¦ http://name@example.com/ ⇒ refused/url_credentials
    http://name:word@example.com/ ⇒ refused/url_credentials
    http://example.com@127.0.0.1/ ⇒ refused/url_credentials ¦ example.com ⇒ refused/url_invalid
    //example.com ⇒ refused/url_invalid ¦ /etc/passwd ⇒ refused/url_invalid
    http:// ⇒ refused/url_invalid ¦ http://[fe80::1%25eth0]/ ⇒ refused/url_invalid
    http://256.256.256.256/ ⇒ refused/url_invalid
    http://example.com:99999/ ⇒ refused/url_invalid
  `),
    [`http://example.com/${'x'.repeat(2_000)}`, 'refused/schema'],
  ])('%s: %s, even when private addresses are allowed', async (url, expected) => {
    expect(await verdict(url)).toBe(expected);
    expect(await verdict(url, {allowPrivate: true})).toBe(expected);
  });

  test.each([
    [['127.0.0.1']],
    [['::1']],
    [['93.184.216.34', '10.0.0.1']],
    [['::ffff:169.254.169.254']],
    [[]],
  ])('a name that resolves to %j is denied', async (addresses) => {
    expect(await verdict('http://page.test/', {resolveHost: resolveTo(...addresses)})).toBe(
      'refused/ssrf',
    );
  });
});

describe('connections', () => {
  test('go to the checked address: a name is looked up once per hop', async () => {
    const {port, requests} = await createSite(({url}, response) => {
      if (url === '/end') response.writeHead(200, {'content-type': 'text/plain'}).end('ok');
      else response.writeHead(302, {location: '/end'}).end();
    });
    const asked: string[] = [];
    const resolveHost = async (host: string) => {
      asked.push(host);
      return resolveTo('127.0.0.1')();
    };
    const url = `http://page.test:${port}/`;
    expect(await verdict(url, {allowPrivate: true, resolveHost})).toBe('succeeded');
    expect(asked).toEqual(['page.test', 'page.test']);
    expect(requests).toEqual(['GET /', 'GET /end']);
  });

  test('a name that resolves to another address at the next hop is denied', async () => {
    const {port, requests} = await createSite((_request, response) => {
      response.writeHead(302, {location: '/again'}).end();
    });
    const answers = ['127.0.0.1', '127.0.0.2'];
    const access = {
      resolveHost: () => resolveTo(answers.shift() ?? '127.0.0.3')(),
      isAllowed: (address: string) => address === '127.0.0.1',
    };
    const {signal} = new AbortController();
    const page = await fetchPage(`http://page.test:${port}/`, {access, maxBytes: 1_000, signal});
    expect(page).toMatchObject({ok: false, denial: {kind: 'refused', code: 'ssrf'}});
    expect(requests).toEqual(['GET /']);
  });

  test.each(
    words(`
      http://localhost:PORT/ http://[::1]:PORT/ http://[::ffff:127.0.0.1]:PORT/
      //2130706434:PORT/ http://0x7f000002:PORT http://169.254.169.254/ file:///x
    `),
  )('a redirect to %s is denied, and nothing is sent there', async (location) => {
    const target = await createPage('secret', 'text/plain');
    const start = await createSite((_request, response) => {
      response.writeHead(302, {location: location.replace('PORT', `${target.port}`)}).end();
    });
    const access = {
      resolveHost: resolveTo('127.0.0.2'),
      isAllowed: (address: string) => address === '127.0.0.1' || isPublic(address),
    };
    const {signal} = new AbortController();
    const page = await fetchPage(start.origin, {access, maxBytes: 1_000, signal});
    expect(page).toMatchObject({ok: false, denial: {kind: 'refused', code: 'ssrf'}});
    expect(target.requests).toEqual([]);
  });
});
