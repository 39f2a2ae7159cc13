import { explain } from '../server/explain/explain.ts';
import { TriedTarget } from '../server/explain/tried-target.ts';
import { resolveTarget } from '../server/routes/resolve-target.ts';
import { loadSnapshot } from '../server/snapshot/load-snapshot.ts';
import { defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { READ } from './console/options.ts';
import { requireSnapshot, type ReadOptions } from './console/store.ts';
import { describeExplanation, isFound } from './explain/describe-explanation.ts';

/** `deals explain`: why a record is, or is not, in the catalogue and in a response. */
export const createExplainCommand = defineCommand<ReadOptions, [asked: string, target: string | undefined]>({
  name: 'explain',
  description:
    'tell what became of a product, a deal or the name of a phone, and why it is, or is not, in an answer; one that the snapshot does not know ends with exit code 2',
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
  target: string | undefined,
): Promise<ExitCode> {
  const { store, id } = await requireSnapshot(options);
  const snapshot = await loadSnapshot(store, id, { publicUrl: '' });
  const tried = target === undefined ? undefined : new TriedTarget(resolveTarget(target, snapshot), snapshot.index);
  const explanation = await explain(store, snapshot, asked, tried === undefined ? {} : { target: tried });
  output.report(options, explanation, describeExplanation(explanation, snapshot.manifest.sources));
  return isFound(explanation) ? EXIT.ok : EXIT.usage;
}
