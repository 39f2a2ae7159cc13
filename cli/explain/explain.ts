import { Command, Option } from 'commander';
import type { ProductWithoutDeals, SnapshotReport } from '../../data/report/report.ts';
import { createLocationFormatter } from '../../data/report/source-location.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { quoteForShell } from '../../data/snapshot/snapshot-error.ts';
import { parseRecordQuery } from '../../data/store/record-query.ts';
import { readBody } from '../../server/http/response.ts';
import { resolveTarget } from '../../server/offline.ts';
import type { ProductsQuery } from '../../server/query/query.ts';
import { loadSnapshot, type LoadedSnapshot } from '../../server/snapshot/load-snapshot.ts';
import { readCurrentId } from '../../data/store/read-store.ts';
import { readValue } from '../../server/status/snapshot-files.ts';
import { CommandError, EXIT, type Context, type ExitCode } from '../console/command.ts';
import {
  configOption,
  describeExamples,
  jsonOption,
  parseText,
  requireStore,
  storeOption,
  type StoreOptions,
} from '../console/options.ts';
import { explainAbsence, openRecords } from './absence.ts';
import { explainAnswer } from './answer.ts';
import { describeExplanation, type Explanation } from './describe.ts';
import { findRecords, type FoundRecord, type SnapshotRecords } from './find-records.ts';
import { describeRecord, type ExplainedRecord } from './record.ts';
import { formatJson, formatLines } from '../console/output.ts';

interface ExplainOptions extends StoreOptions {
  readonly snapshot?: string;
  readonly json?: true;
}

/** `deals explain`: why a record is, or is not, in the catalogue and in a response. */
export function createExplainCommand(context: Context): Command {
  return new Command('explain')
    .description(
      'tell what became of a product, a deal or the name of a phone, and why it is, or is not, in an answer; one that was never seen ends with exit code 2',
    )
    .argument(
      '<record>',
      'a product by id, id/condition, slug, name or a part of it; what a feed calls a phone, or a part of that; a deal by key or retailer:key; either by file:line of its source, or by "file (item n)" of a JSON export',
    )
    .argument('[target]', 'path and query of a request for products; put it in quotes')
    .addOption(
      new Option('--snapshot <id>', 'explain in this snapshot (default: the current one)').argParser(parseText),
    )
    .addOption(storeOption())
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      describeExamples(
        'deals explain 101 --store dist/catalogue',
        "deals explain 101/new '/deals/v1/products/?filter[totalCost]=lte{500}' --store dist/catalogue",
      ),
    )
    .action(async (record: string, target: string | undefined, options: ExplainOptions) =>
      context.end(await explain(context, record, target, options)),
    );
}

async function explain(
  { output }: Context,
  text: string,
  target: string | undefined,
  options: ExplainOptions,
): Promise<ExitCode> {
  const store = await requireStore(options, options.snapshot === undefined ? 'current' : 'store');
  const snapshot = await loadSnapshot(store, options.snapshot ?? (await readCurrentId(store)), { publicUrl: '' });
  const query = target === undefined ? undefined : requireProductsQuery(target, snapshot);
  const records = openRecords(store, snapshot);
  const recordQuery = parseRecordQuery(text, snapshot.index);
  const found = findRecords(records, recordQuery);
  const isFound = found.records.length + found.names.count > 0;
  const { pastSources, again, ...absence } = await explainAbsence(
    store,
    snapshot.manifest,
    recordQuery,
    records,
    found,
  );
  const lastDeals = await readLastDeals(store, snapshot.manifest);
  const explanation: Explanation = {
    snapshot: snapshot.manifest.id,
    ...(target === undefined ? {} : { target }),
    asked: text,
    records: (again === undefined ? found.records : [again.record]).map((record) => ({
      ...withLastDeal(describeRecord(record, records), lastDeals),
      ...(query === undefined ? {} : answerOf(record, query, records)),
    })),
    more: found.more,
    names: found.names,
    ...absence,
  };
  const explanationContext = {
    formatLocation: createLocationFormatter([...snapshot.manifest.sources, ...pastSources]),
    checkCommand: writeCheckCommand(options),
  };
  output.result(
    options.json === true ? formatJson(explanation) : formatLines(describeExplanation(explanation, explanationContext)),
  );
  return isFound || explanation.lastSeen !== undefined ? EXIT.ok : EXIT.usage;
}

type LastDeals = ReadonlyMap<string, ProductWithoutDeals['lastDeal']>;

async function readLastDeals(store: string, manifest: Manifest): Promise<LastDeals> {
  const { withoutDeals = [] } = (await readValue(store, manifest, 'report.json')) as SnapshotReport;
  return new Map(withoutDeals.map(({ product, lastDeal }) => [product, lastDeal]));
}

function withLastDeal(record: ExplainedRecord, lastDeals: LastDeals): ExplainedRecord {
  const lastDeal = record.kind === 'product' ? lastDeals.get(record.record ?? '') : undefined;
  return lastDeal === undefined ? record : { ...record, lastDeal };
}

interface AskedQuery {
  readonly query: ProductsQuery;
  readonly offset: number;
}

function requireProductsQuery(target: string, snapshot: LoadedSnapshot): AskedQuery {
  const read = resolveTarget(target, snapshot);
  switch (read.kind) {
    case 'products':
      return read;
    case 'other':
      throw new CommandError(
        EXIT.usage,
        `${JSON.stringify(target)}: expected a target that answers with products, got one that answers with ${read.resource}`,
      );
    case 'refused': {
      const { detail } = JSON.parse(readBody(read.answer)) as { readonly detail: string };
      throw new CommandError(EXIT.usage, `the target is refused: ${detail}`);
    }
  }
}

function answerOf(record: FoundRecord, { query, offset }: AskedQuery, records: SnapshotRecords): object {
  const answer = explainAnswer(record, query, offset, records);
  return answer === undefined ? {} : { answer };
}

function writeCheckCommand({ config }: ExplainOptions): string {
  return `deals check <source>${config === undefined ? '' : ` --config ${quoteForShell(config)}`}`;
}
