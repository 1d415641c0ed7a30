/** What is understood of the shell's own commands, and what must not be. */

import {expect, test} from 'vitest';

import {readingOf, told} from '../reading.ts';

test.each([
  'true # src/a.ts',
  'echo -n "$x" $y --z',
  'printf \'%s %d%%\\n\' "$x" -3',
  'cd src',
  'cd -',
  'exit 1',
  'export CI=1 NODE_ENV',
  'export "FOO=$x"',
  'local x y=2',
  'unset FOO',
  'read -r -p name line',
  'mapfile -t lines',
  'set -euo pipefail',
  'set +e',
  'set -- a "b c"',
  'shopt -s nullglob',
  'umask 022',
  'wait',
  'jobs -l',
  'command -v node',
  'type -t node',
  'which -a node',
  'trap - EXIT',
  "trap '' INT",
  'test -f package.json',
  '[ -n "$x" ]',
  '[ "$x" = a ]',
  '[ $? -eq 0 ]',
  '[ ! -d dist ]',
  '[[ "$x" == a* ]]',
  '[[ $# -gt 2 ]]',
  '[[ 3 -lt 4 ]]',
])('%s does nothing to the world', (command) => {
  expect(told(readingOf(command))).toBe('');
});

test.each([
  ['export', 'reveals all variables'],
  ['export -p', 'reveals all variables'],
  ['set', 'reveals all variables'],
  ['declare', 'reveals all variables'],
  ["eval 'rm -rf' src", 'shell rm -rf src'],
  ["trap 'rm -rf x' EXIT", 'shell rm -rf x'],
  ['. ./env.sh a', 'script ./env.sh'],
  ['source env.sh', 'script env.sh'],
  ['exec node -v', 'command node -v'],
  ['command rm -rf src', 'command rm -rf src'],
  ['command -p rm x', 'command rm x'],
  ['builtin cd x', 'command cd x'],
])('%s: %s', (command, shown) => {
  expect(told(readingOf(command))).toBe(shown);
});

test.each([
  'printf -v PATH x',
  'printf "$x" PATH',
  'printf %n PATH',
  "read 'a[$(id)]'",
  "read -a 'a[$(id)]'",
  "unset 'a[$(id)]'",
  'mapfile -C id -c 1 x',
  "export 'a[$(id)]=1'",
  "declare -a 'x=($(id))'",
  'declare -n x=PATH',
  "declare -i 'x=a[$(id)]'",
  'export $x',
  'export -f ls',
  'set -o posix',
  'set -k',
  'set "$x"',
  'shopt -s expand_aliases',
  'wait -p x',
  'hash -p ./evil ls',
  'jobs -x rm src',
  'source -',
  'command "$x"a',
  '[ $x ]',
  "[ -v 'a[$(id)]' ]",
  '[ -v "$x" ]',
  '[ "$x" "$y" ]',
  "[ 'a[$(id)]' -eq 0 ]",
  '[[ "$x" -eq 0 ]]',
  "[[ 'a[$(id)]' -eq 0 ]]",
  "[[ 0 -ne 'a[0]' ]]",
  '[[ -v "$x" ]]',
])('%s is not understood', (command) => {
  expect(told(readingOf(command))).toMatch(/^\? |\$/);
});
