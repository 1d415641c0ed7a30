/** The tools of Go. */

import type {Program, Refinements} from '../program.ts';
import type {Word} from '../word.ts';
import {valuesOf} from './given.ts';
import {act, withActs, withUnknown} from './refine.ts';

/** The linker may be another program. */
const linked: NonNullable<Program['refine']> = (reading, _call, given) => {
  const odd = valuesOf(given, '-ldflags -gcflags -asmflags').find(
    ({text, known}) =>
      !known || /ext|plugin|-o\b|-I|-dumpdep|-cpuprofile|-memprofile|-trace/.test(text),
  );
  return odd
    ? withUnknown(reading, odd.text, 'may make the build run programs or write files')
    : reading;
};

/** `./...`, `../x`: these folders must lie inside the workspace. */
const ofFolders: NonNullable<Program['refine']> = (reading, call, given) =>
  withActs(
    linked(reading, call, given),
    ...given.operands.filter(isPath).map((word) => act('lists', rootOf(word))),
  );

function isPath({text}: Word): boolean {
  return /^\.{0,2}\/|^\.{1,2}$/.test(text);
}

/** `./...`: all packages below. */
function rootOf(word: Word): Word {
  return {...word, text: word.text.replace(/(?<=.)\/?\.\.\.$/, '')};
}

/** `go run pkg@version`, `go run https://…`: the package is fetched. */
const local: NonNullable<Program['refine']> = (reading, call, given) => {
  const [first] = given.operands;
  const isHere =
    first?.known === true && /^\.{0,2}\/|^\.$|\.go$/.test(first.text) && !first.text.includes('@');
  const result = linked(reading, call, given);
  return isHere
    ? withActs(result, act('code', first))
    : withUnknown(result, first?.text ?? 'go run', 'would be fetched and run');
};

export const golang: Refinements = {
  goFolders: ofFolders,
  goLocal: local,
  goFetches: (reading, _call, {operands}) =>
    withActs(
      reading,
      ...operands
        .filter(({text, known}) => !known || /^[\w-]+(?:\.[\w-]+)+\/|@/.test(text))
        .map((word) => act('fetches', word)),
    ),
  goTestOptions: (reading, call, given) => {
    const odd = given.operands.find(
      ({text, known}) =>
        !known ||
        /^--?(?:exec|toolexec|o|.*profile|trace|outputdir|overlay|modfile|ldflags|gcflags)\b/.test(
          text,
        ),
    );
    return odd ? withUnknown(reading, odd.text, `is not a known option of ${call.name}`) : reading;
  },
};
