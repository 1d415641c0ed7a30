/** `[tools.NAME]`: programs that models can call as tools. */

import {z} from 'zod';

import {customToolName, customToolSchema} from '../../../tools/custom/definition.ts';
import {whole} from './row.ts';

export const toolSections = {
  tools: z
    .record(
      customToolName,
      whole('a program that models can call as a tool: its argv, parameters and facts')(
        customToolSchema,
      ),
    )
    .default({}),
};
