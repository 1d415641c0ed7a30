/** An overview graph of a chart: without notes and failures, and with only the first final state. */

import {stacked} from './blocks.ts';
import {type Arrow, type Box, boxesIn, boxSize, emptyBlock, type Graph, isBeside} from './graph.ts';

/** Leaves out inner states: their arrows lead to the outer state. */
export function sketchOf({machine, boxes, arrows}: Graph): Graph {
  const goal = boxes.find(({shape}) => shape === 'final');
  const kept = boxes.filter(
    (box) => box.shape !== 'any' && (box.shape !== 'final' || box === goal),
  );
  const outer = new Map(kept.flatMap((box) => boxesIn([box]).map(({id}) => [id, box.id])));
  const known = new Set(kept.map(({id}) => id));
  const main = arrows
    .map((arrow) => ({...arrow, target: outer.get(arrow.target) ?? arrow.target}))
    .filter(
      ({edge, source, target}) => edge.tone !== 'failure' && known.has(source) && known.has(target),
    )
    .filter(({source, target}) => source !== target);
  const ways = main.filter(
    ({target}) => target === goal?.id || main.some(({source}) => source === target),
  );
  const used = new Set(ways.flatMap(({source, target}) => [source, target]));
  return {
    machine,
    title: emptyBlock,
    boxes: kept.filter(({id}) => used.has(id)).map(nameOnly),
    arrows: ways.map((arrow) => withoutReason(arrow, ways)),
  };
}

/** Leaves out the label of an arrow that is the only one from its state. */
function withoutReason(arrow: Arrow, arrows: readonly Arrow[]): Arrow {
  const ways = arrows.filter(({source}) => source === arrow.source);
  return ways.length > 1 ? arrow : {...arrow, block: emptyBlock};
}

function nameOnly(box: Box): Box {
  const names = box.block.texts.filter(({kind}) => kind === 'name');
  const block = stacked(names.length > 0 ? [names] : []);
  const isSmall = isBeside(box.shape) || box.shape === 'initial';
  const shape = box.children.length > 0 ? 'state' : box.shape;
  return {...box, shape, block, children: [], ...(isSmall ? {} : boxSize(block, box.tone))};
}
