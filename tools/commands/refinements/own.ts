/** This program itself: what a command of it may only look at. Decisions are a person's. */

import type {Refinements} from '../program.ts';
import {has, withActs, act} from './refine.ts';

const looks = /^(?:show|sessions|doctor|version|help|policy|models|config)$/;

export const own: Refinements = {
  looksAtOwnRuns: (_reading, {args}, given) => {
    const told = {acts: [], unknown: []};
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
      ? told
      : withActs(told, act('alters', 'what a person decides in quorate'));
  },
};
