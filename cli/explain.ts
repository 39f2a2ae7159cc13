import type { Manifest } from '../data/snapshot/format.ts';
import { explain, type Explanation } from '../server/explain/explain.ts';
import { TriedTarget } from '../server/explain/tried-target.ts';
import { loadSnapshot } from '../server/snapshot/load-snapshot.ts';
import { defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { READ, type ReadOptions, requireSnapshot } from './console/options.ts';

/** How many records of a kind are written out; `--json` has more. */
const SHOWN = 20;

/** `deals explain`: why a record is, or is not, in the catalogue and in a response. */
export const createExplainCommand = defineCommand<ReadOptions, [asked: string, target: string | undefined]>({
  name: 'explain',
  description: 'tell what became of a product, a deal or the name of a phone, and why it is, or is not, in an answer',
  arguments: [
    [
      '<record>',
      'a product by id, id/condition, slug, name or words of it; what a feed calls a phone, or words of that; a deal by key or retailer:key; the code of a notice; any of them by file:line of its source, or by "file (item n)" of a JSON export',
    ],
    ['[target]', 'path and query of a request for products; put it in quotes'],
  ],
  options: READ,
  examples: [
    'deals explain 101 --store dist/catalogue',
    "deals explain 101/new '/deals/v1/products/?filter[totalCost]=lte{500}' --store dist/catalogue",
  ],
  run: runExplain,
});

async function runExplain(
  { output }: Context,
  options: ReadOptions,
  asked: string,
  targetText: string | undefined,
): Promise<ExitCode> {
  const { store, id } = await requireSnapshot(options);
  const snapshot = await loadSnapshot(store, id, { publicUrl: '' });
  const target = targetText === undefined ? undefined : new TriedTarget(targetText, snapshot);
  const maxListed = options.json === true ? undefined : SHOWN;
  const explanation = await explain(store, snapshot, asked, { target, maxListed });
  output.report(options, explanation, writeExplanation(explanation, snapshot.manifest));
  return explanation.count > 0 ? EXIT.ok : EXIT.usage;
}

/** A block of lines for each record. */
function writeExplanation(explanation: Explanation, { sources }: Manifest): readonly string[] {
  const { count, records } = explanation;
  if (count === 0) return writeUnknown(explanation, sources);
  const blocks = records.map(({ title, lines }) => [title, ...lines.map((line) => `  ${line}`)]);
  const more = count - records.length;
  if (more > 0) blocks.push([`and ${more} more record${more === 1 ? '' : 's'}; more words find fewer`]);
  return blocks.flatMap((lines, position) => (position === 0 ? lines : ['', ...lines]));
}

function writeUnknown({ snapshot, asked }: Explanation, sources: Manifest['sources']): readonly string[] {
  return [
    `unknown: ${snapshot} has no product, deal, name of a phone in a feed, code, file and line called ${JSON.stringify(asked)}`,
    '  what to try: a part of the name, such as its model without storage and colour; the key of the deal; the file and line; a network, retailer or GTIN as the feed has it',
    `  what to do: look for it in the files of ${sources.map(({ name }) => name).join(', ')}, which deals check <source> reads as they are now; if it is missing there, ask the supplier of the file`,
  ];
}
