/** The settings that a person changed in a run, from its journal, without a replay. */

import {z} from 'zod';

import type {Entry} from '../../actors/journal/journal.ts';

const sectionSchema = z.record(z.string(), z.unknown()).default({});
const voiceSchema = z.object({model: z.string()});
const speakingSchema = z.looseObject({
  participants: z.array(voiceSchema).exactOptional(),
  moderator: voiceSchema.exactOptional(),
});
const debatingSchema = z.looseObject({
  proponent: voiceSchema.exactOptional(),
  opponent: voiceSchema.exactOptional(),
});
const seatSchema = z.object({id: z.string(), weight: z.number(), veto: z.boolean()});
const changeSchema = z.object({
  type: z.literal('settings.changed'),
  settings: z
    .object({
      agent: sectionSchema,
      quorum: sectionSchema,
      ask: sectionSchema,
      discuss: speakingSchema.default({}),
      debate: debatingSchema.default({}),
      interview: sectionSchema,
      panel: z.array(seatSchema).default([]),
    })
    .prefault({}),
  limits: sectionSchema,
  hilMode: z.string().exactOptional(),
});

/** The changes during the run, in order, in the spelling of a configuration: `agent.hil_mode = "auto_approve"`. */
export function settingsChangedIn(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) => {
    const change = entry.type === 'received' ? changeSchema.safeParse(entry.event) : undefined;
    if (!change?.success) return [];
    const {settings, limits, hilMode} = change.data;
    const {agent, quorum, ask, interview, panel} = settings;
    const mode = hilMode === undefined ? {} : {hilMode};
    const voices = voicesIn(settings);
    const sections = {agent: {...mode, ...agent}, quorum, ask, ...voices, interview, limits};
    return [
      ...Object.entries(sections).flatMap(pairsOf),
      ...(panel.length > 0 ? [`panel = ${panel.map(seatText).join(', ')}`] : []),
    ];
  });
}

/** The participants by the names of their models, as in a configuration. */
function voicesIn({discuss, debate}: z.infer<typeof changeSchema>['settings']) {
  const {participants, moderator, ...speaking} = discuss;
  const {proponent, opponent, ...debating} = debate;
  const sides = [proponent, opponent].flatMap((side) => side?.model ?? []);
  return {
    discuss: {
      ...(participants ? {participants: participants.map(({model}) => model)} : {}),
      ...(moderator ? {moderator: moderator.model} : {}),
      ...speaking,
    },
    debate: {...(sides.length > 0 ? {models: sides} : {}), ...debating},
  };
}

function pairsOf([section, values]: readonly [string, Readonly<Record<string, unknown>>]) {
  return Object.entries(values).map(
    ([key, value]) => `${section}.${snakeCase(key)} = ${JSON.stringify(value)}`,
  );
}

function seatText({id, weight, veto}: z.infer<typeof seatSchema>): string {
  const notes = [...(weight === 1 ? [] : [`weight ${weight}`]), ...(veto ? ['veto'] : [])];
  return notes.length === 0 ? id : `${id} (${notes.join(', ')})`;
}

function snakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
