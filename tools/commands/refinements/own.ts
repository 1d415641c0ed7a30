/** Quorate itself: its commands may only look. Decisions belong to a person. */

import type {Refinements} from '../program.ts';
import {has, withActs, act} from './refine.ts';

const looks = /^(?:show|runs|sessions|doctor|version|help|policy|models|config)$/;

export const own: Refinements = {
  looksAtOwnRuns: (_reading, {args}, given) => {
    const result = {acts: [], unknown: []};
    const [verb] = given.operands;
    const isAsked =
      args.length > 0 && args.every(({text}) => /^(?:--?version|--?help|-[vVh])$/.test(text));
    const isPlain = args.every(
      ({text, known}) =>
        known &&
        (!text.startsWith('-') ||
          /^--?(?:json|output(?:=\w+)?|limit(?:=\d+)?|all|last|request|help|verbose|no-color)$/.test(
            text,
          )),
    );
    const isLook = looks.test(verb?.text ?? '') && isPlain && !has(given, '--trust');
    return isAsked || isLook
      ? result
      : withActs(result, act('alters', 'what a person decides in quorate'));
  },
};
