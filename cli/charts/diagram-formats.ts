/** The formats of `quorate diagram`. */

export const diagramFormats = ['mermaid', 'svg', 'json', 'xstate'] as const;

export type DiagramFormat = (typeof diagramFormats)[number];

/** The name of the picture of all machines. No machine has it. */
export const mapName = 'map';
