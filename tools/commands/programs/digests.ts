/** Programs that calculate sums and encode. */

import type {Program} from '../program.ts';

const about = '--help --version';

export const digests: readonly Program[] = [
  {
    name: [
      'md5sum',
      'sha1sum',
      'sha224sum',
      'sha256sum',
      'sha384sum',
      'sha512sum',
      'b2sum',
      'cksum',
      'sum',
    ],
    options: `-a|--algorithm=text -b|--binary -c|--check -l|--length=text --tag -t|--text -z|--zero --ignore-missing --quiet --status --strict -w|--warn -r -s|--sysv --base64 --raw --untagged ${about}`,
    operands: 'reads*',
  },
  {
    name: 'shasum',
    options:
      '-NUM -a|--algorithm=text -b|--binary -c|--check -t|--text -q -s|--status -h|--help -v|--version',
    operands: 'reads*',
  },
  {name: 'md5', options: '-q -r -s=text', operands: 'reads*'},
  {
    name: ['base64', 'base32'],
    options: `-d|-D|--decode -i|--ignore-garbage -w|--wrap=text ${about}`,
    operands: 'reads?',
  },
  {
    name: 'basenc',
    options: `-d|--decode -i|--ignore-garbage -w|--wrap=text --base64 --base64url --base32 --base32hex --base16 --base2msbf --base2lsbf --z85 ${about}`,
    operands: 'reads?',
  },
  {
    name: ['uuencode', 'uudecode'],
    operands: 'unjudged*',
    does: 'unjudged=names_its_file_in_its_text',
  },
  {
    name: 'openssl',
    style: 'single',
    subcommands: {
      'version ciphers': {options: '-a -v -V -s', style: 'single', operands: 'text*'},
      rand: {options: '-hex -base64 -out=writes', style: 'single', operands: 'text'},
      'dgst md5 sha1 sha256 sha384 sha512': {
        options: '-sha1 -sha256 -sha384 -sha512 -md5 -hex -binary -r -c -out=writes',
        style: 'single',
        operands: 'reads*',
      },
      x509: {
        options:
          '-in=reads -noout -text -dates -enddate -startdate -subject -issuer -fingerprint -serial -sha256 -inform=text -pubkey -email -purpose -hash -checkend=text',
        style: 'single',
      },
      base64: {options: '-d -e -A -in=reads -out=writes', style: 'single'},
    },
  },
  {name: 'uuidgen', options: '-r|--random -t|--time -h|--help -V|--version'},
];
