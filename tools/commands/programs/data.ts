/** Programs that ask something of structured text. */

import type {Arguments, Program, Reading} from '../program.ts';
import {isSure} from './given.ts';
import {eachAct, has, withUnknown} from './refine.ts';

/** What a filter sees beside its input: the environment, other files, other programs. */
export const reaching =
  /\$ENV\b|\$__prog|(?<![.\w$"])(?:env|eval|import|include|input_filename|get_search_list|load\w*|strenv|envsubst|system|exec)\b/;

function readFilter(reading: Reading, given: Arguments): Reading {
  if (reading.unknown.length > 0 || has(given, '-V --version -h --help -f --from-file'))
    return reading;
  const [filter] = given.operands;
  if (!filter) return reading;
  if (!isSure(filter))
    return withUnknown(reading, filter.text, 'is a filter that may see the environment');
  const reach = reaching.exec(filter.text)?.[0];
  return reach === undefined ? reading : withUnknown(reading, reach, 'sees more than its input');
}

const inPlace = eachAct((act) => [act.role === 'reads' ? {...act, role: 'edits'} : act]);

export const data: readonly Program[] = [
  {
    name: 'xmllint',
    options:
      '--noout --format --pretty=text --xpath=text --nonet --recover --html --huge --noblanks --compress --output=writes -o=writes --version',
    operands: 'reads*',
  },
  {
    name: ['tokei', 'scc', 'cloc'],
    options:
      '-t|--type=text -e|--exclude=text -s|--sort=text -f|--files -C|--compact -q|--quiet --json --yaml --csv --by-file --vcs=text --exclude-dir=text --include-lang=text --version',
    operands: 'reads-tree*',
    when: {'': {does: 'reads-tree=.'}},
  },
  {
    name: ['jq', 'gojq', 'jaq'],
    options:
      '-n|--null-input -r|--raw-output --raw-output0 -j|--join-output -a|--ascii-output -c|--compact-output -C|--color-output -M|--monochrome-output -S|--sort-keys -s|--slurp -R|--raw-input -e|--exit-status --tab --indent=text --stream --seq --unbuffered --arg=text,text --argjson=text,text --slurpfile=text,reads --rawfile=text,reads --args --jsonargs -V|--version -h|--help',
    operands: 'text reads*',
    when: {'-V --version -h --help': {operands: 'text*'}},
    refine: (reading, _, given) => readFilter(reading, given),
  },
  {
    name: 'yq',
    options:
      '-i|--inplace -r|--raw-output|--unwrapScalar -P|--prettyPrint -o|--output-format=text -p|--input-format=text -n|--null-input -c|--compact-output -C|--colors -M|--no-colors -e|--exit-status -I|--indent=text -N|--no-doc -y|--yaml-output -V|--version -h|--help',
    operands: 'text reads*',
    when: {'-V --version -h --help': {operands: 'text*'}},
    refine: (reading, call, given) => {
      const [verb, filter] = given.operands;
      const isNamed = verb !== undefined && ['e', 'eval', 'ea', 'eval-all'].includes(verb.text);
      const words = isNamed ? {...given, operands: given.operands.slice(1)} : given;
      const acts = reading.acts.filter(({word}) => !isNamed || word !== filter);
      const read = readFilter({...reading, acts}, words);
      return has(given, '-i --inplace') ? inPlace(read, call, given) : read;
    },
  },
];
