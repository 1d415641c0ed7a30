/** curl and wget: the addresses they fetch, the data they send, and the files they write. */

import type {Act, Arguments, Reading, Refinements} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {isSure, valueOf, valuesOf} from './given.ts';
import {act, has, sendOf, withUnknown} from './refine.ts';

/** Any of these options sends data to the address. */
const sending =
  '-d --data --data-ascii --data-raw --data-binary --data-urlencode --json -F --form --form-string -T --upload-file --post-data --post-file --body-data --body-file --url-query';

const data = '-d --data --data-ascii --data-binary --json';

const readMethods = /^(?:GET|HEAD|OPTIONS)$/;

/** A web address, or one without a scheme for which no other protocol is assumed. */
const address =
  /^(?:https?:\/\/|(?!(?:ftp|dict|ldap|imap|smtp|pop3)\.)[\w.-]+(?::\d+)?(?:[/?#]|$))[^{}[\]\s]*$/i;

const secret = /^\s*(?:proxy-)?(?:authorization|cookie|x-api-key|private-token|x-auth)/i;

function readDownload(reading: Reading, given: Arguments): Reading {
  if (reading.unknown.length > 0 || has(given, '--version --help -V -h')) return reading;
  const odd = oddOption(given);
  if (odd) return withUnknown(reading, odd[0].text, odd[1]);
  const addresses = [...given.operands, ...valuesOf(given, '--url')];
  const strange = addresses.find((word) => isSure(word) && !address.test(word.text));
  if (strange) return withUnknown(reading, strange.text, 'is not a plain web address');
  const method = valueOf(given, '-X --request --method')?.text ?? 'GET';
  const sends = has(given, sending) || !readMethods.test(method.toUpperCase());
  const kept = reading.acts.filter(({role}) => role !== 'fetches' && role !== 'text');
  const files = filesGiven(given);
  const [file] = files;
  const reached = (word: Word) =>
    file === undefined ? act(sends ? 'sends' : 'fetches', word) : sendOf(word, file);
  return {
    ...reading,
    acts: [
      ...kept,
      ...files.filter((text) => text !== '-').map((text) => act('reads', text)),
      ...addresses.map(reached),
    ],
  };
}

/** Values that may send more than they show: of a variable, a secret, or a file. */
const revealing: readonly (readonly [string, RegExp, string])[] = [
  ['-H --header', /^\s*@/, 'gives a file to another computer'],
  ['-H --header', secret, 'gives a secret to another computer'],
  ['-w --write-out', /^@|%output\{/, 'reads or writes a file'],
];

function oddOption(given: Arguments): readonly [Word, string] | undefined {
  const open = given.options.find(({name, value}) => value && !isSure(value) && name !== '--url');
  if (open?.value) return [open.value, 'may say anything to another computer'];
  for (const [names, form, why] of revealing) {
    const odd = valuesOf(given, names).find(({text}) => form.test(text));
    if (odd) return [odd, why];
  }
  return undefined;
}

/** `-d @FILE`, `-F name=@FILE`, `-T FILE`; `-` is the standard input. */
function filesGiven(given: Arguments): readonly string[] {
  const marked = [
    ...valuesOf(given, data).filter(({text}) => text.startsWith('@')),
    ...valuesOf(given, '--data-urlencode --url-query -F --form').filter(({text}) =>
      /[@<]/.test(text),
    ),
  ];
  const named = marked.map(({text}) => text.slice(text.search(/[@<]/) + 1).replace(/;.*$/s, ''));
  const plain = valuesOf(given, '-T --upload-file --post-file --body-file').map(({text}) => text);
  return [...named, ...plain];
}

/** The last part of an address, without its query. */
function nameOf({text}: Word): string {
  return (
    text
      .replace(/[?#].*$/s, '')
      .replace(/^[a-z]+:\/\/[^/]*/i, '')
      .split('/')
      .at(-1) || 'index.html'
  );
}

function readCurl(reading: Reading, given: Arguments): Reading {
  const read = readDownload(reading, given);
  if (!has(given, '-O --remote-name --remote-name-all')) return read;
  const addresses = [...given.operands, ...valuesOf(given, '--url')];
  const odd = addresses.find((word) => !isSure(word));
  if (odd) return withUnknown(read, odd.text, 'is the name of the output file');
  return {...read, acts: [...read.acts, ...addresses.map((word) => act('writes', nameOf(word)))]};
}

/** `-nv`, `-nc`: n and a letter. */
const quiet = /^[vcdHp]$/;

function readWget(reading: Reading, given: Arguments): Reading {
  const read = readDownload(reading, given);
  const odd = given.options.find(
    ({name, value}) => name === '-n' && !quiet.test(value?.text ?? ''),
  );
  if (odd) return withUnknown(read, `-n${odd.value?.text ?? ''}`, 'is not a known option');
  if (has(given, '-O --output-document --spider --version -V --help -h')) return read;
  const coded = given.operands.find(({text}) => text.includes('%'));
  if (coded) return withUnknown(read, coded.text, 'has a name that is decoded');
  const folder = valueOf(given, '-P --directory-prefix');
  const role = has(given, '-N --timestamping')
    ? 'writes'
    : has(given, '-c --continue')
      ? 'appends'
      : 'creates';
  const written = given.operands.map((word): Act => ({
    role,
    word: wordOf(nameOf(word)),
    ...(folder ? {from: folder} : {}),
  }));
  return {...read, acts: [...read.acts, ...written]};
}

export const downloads: Refinements = {
  readCurl: (reading, _, given) => readCurl(reading, given),
  readWget: (reading, _, given) => readWget(reading, given),
};
