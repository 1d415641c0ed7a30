/** Many tools of one MCP server, as it lists them: verbs by nouns, each with a schema of its own. */

import type {JsonObject} from '../../machines/domain/json.ts';

const verbs =
  'add archive assign cancel close copy create delete export find get import list merge move open rename reopen split update'.split(
    ' ',
  );
const nouns =
  'account branch budget calendar case channel contact contract customer deal document folder invoice label meeting message order payment product project quote report shipment task ticket'.split(
    ' ',
  );

/** 500 of them, from `account_add` to `ticket_update`. */
export const manyTools: readonly JsonObject[] = nouns.flatMap((noun) =>
  verbs.map((verb) => ({
    name: `${noun}_${verb}`,
    description: `Performs ${verb} on one ${noun} of the office. The ${noun} must exist; see the manual.`,
    inputSchema: {
      type: 'object',
      properties: {
        [`${noun}_id`]: {type: 'string', description: `The key of the ${noun}, such as A-17.`},
        reason: {type: 'string', description: `Why to ${verb} it, for the log.`},
      },
      required: [`${noun}_id`],
    },
  })),
);
