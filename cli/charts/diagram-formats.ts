/** The formats of `quorate diagram`. */

export const diagramFormats = ['mermaid', 'svg', 'json', 'xstate'] as const;

export type DiagramFormat = (typeof diagramFormats)[number];

/** The name of the picture of all machines; no machine has this name. */
export const mapName = 'map';
