/** The colours and fonts of a drawing, for readers on light and on dark pages. */

import {fonts} from '../layout/text.ts';

/** Contrast with the background: text at least 4.5 : 1, lines at least 3 : 1. */
export interface Palette {
  readonly page: string;
  readonly rim: string;
  /** The colour of names; `text`: of other text; `faint`: of tags. */
  readonly strong: string;
  readonly text: string;
  readonly faint: string;
  readonly line: string;
  readonly failureLine: string;
  readonly tag: string;
  readonly frame: string;
  readonly frameRim: string;
  /** Fill and border of states and choices. The key is the kind of wait, or of end. */
  readonly states: Readonly<Record<StateColour, readonly [inside: string, border: string]>>;
}

export type StateColour = 'plain' | 'actor' | 'person' | 'choice' | 'failure';

export const light: Palette = {
  page: '#ffffff',
  rim: '#d9dfe7',
  strong: '#1b2430',
  text: '#3d4a5a',
  faint: '#556272',
  line: '#5f6d7e',
  failureLine: '#c25f57',
  tag: '#e6ebf1',
  frame: '#ffffff',
  frameRim: '#a9c5ee',
  states: {
    plain: ['#f5f7fa', '#8794a5'],
    actor: ['#eaf2fe', '#4f86d6'],
    person: ['#fdeef7', '#bd55a0'],
    choice: ['#fff3cf', '#a87c10'],
    failure: ['#fdf1f0', '#c8544b'],
  },
};

export const dark: Palette = {
  page: '#0f141b',
  rim: '#2a3340',
  strong: '#eef2f7',
  text: '#c5cfdb',
  faint: '#a9b5c3',
  line: '#8b99aa',
  failureLine: '#cf7f77',
  tag: '#2a3542',
  frame: '#0f1a29',
  frameRim: '#39649c',
  states: {
    plain: ['#1a222d', '#66758a'],
    actor: ['#14263f', '#4f86cf'],
    person: ['#331a2c', '#c069a8'],
    choice: ['#3a2f10', '#c79b2b'],
    failure: ['#2f1816', '#cf6a61'],
  },
};

/** All selectors begin with the drawing's own class, as it may be part of a page. */
export const styleSheet = [
  ...scoped([
    'text{font-family:Helvetica,Arial,sans-serif;white-space:pre}',
    ...Object.entries(fonts).map(([kind, {size}]) => `text.${kind}{font-size:${size}px}`),
    'text.title,text.name,text.mark{font-weight:600}',
    'text.event{font-weight:500}',
    'tspan.guard{font-weight:400}',
    '.is-active>[class^=is-]{stroke-width:4}',
    'text.event,text.guard,text.mark{text-anchor:middle}',
    'text.legend,text.mark{font-size:11px}',
    'path.edge,.icon{fill:none}',
    'path.edge{stroke-width:1.4}',
    'path.message{stroke-dasharray:5 4}',
    '.is-parallel{stroke-dasharray:6 4}',
  ]),
  ...scoped(colours(light)),
  '@media (prefers-color-scheme:dark){',
  ...scoped(colours(dark)),
  '}',
].join('\n');

function scoped(rules: readonly string[]): string[] {
  return rules.map((rule) => {
    const [selectors = '', body = ''] = rule.split('{');
    return `${selectors.replaceAll(/(^|,)/g, '$1.quorate-chart ')}{${body}`;
  });
}

function colours(palette: Palette): string[] {
  const {page, rim, strong, text, faint, line, failureLine, tag, frame, frameRim} = palette;
  return [
    `.page{fill:${page};stroke:${rim}}`,
    `text{fill:${text}}`,
    `text.title,text.name,text.mark{fill:${strong}}`,
    `text.tag,text.legend{fill:${faint}}`,
    `.behind{fill:${page}}`,
    `.edge,.icon{stroke:${line}}`,
    `.head,.joint,.initial{fill:${line}}`,
    `.edge.failure{stroke:${failureLine}}`,
    `.head.failure,.joint.failure{fill:${failureLine}}`,
    `rect.tag{fill:${tag}}`,
    `rect.actor{fill:${frame};stroke:${frameRim}}`,
    ...Object.entries(palette.states).map(
      ([colour, [inside, border]]) => `.is-${colour}{fill:${inside};stroke:${border}}`,
    ),
    '.is-open{fill:none}',
    `.is-active>[class^=is-]{stroke:${strong}}`,
  ];
}
