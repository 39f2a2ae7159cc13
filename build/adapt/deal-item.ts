import { dealRecordSchema, type DealRecord } from '../../data/record/deal.ts';
import type { Notice } from '../../data/report/notice.ts';
import { describeSchemaIssue, type SchemaFault } from '../source/schema-fault.ts';
import type { FeedItem } from './adapter.ts';
import { hasHtmlTag, htmlToPlain } from './html-to-plain.ts';
import { faultNotice, leftOut, type RecordPlace } from './notice-place.ts';

/** A deal while it is read: what could not be read is absent, and among the faults. */
export type DealDraft = { readonly [Key in keyof DealRecord]?: unknown } & { readonly product: object };

/**
 * The item of a deal that has been read as far as it goes: the deal when it has no fault and follows the schema of
 * deals, else one notice. `inFeed` tells a fault of a field of the record (`product.id`) as one of what the feed has.
 */
export function dealItem(
  place: RecordPlace,
  draft: DealDraft,
  faults: readonly SchemaFault[],
  notices: readonly Notice[],
  inFeed: (fault: SchemaFault) => SchemaFault,
): FeedItem {
  const [firstFault, ...otherFaults] = faults;
  if (firstFault !== undefined) return leftOut(faultNotice(place, firstFault, otherFaults), draft.product);

  const plain = withoutTags(draft);
  const parsed = dealRecordSchema.safeParse(plain);
  if (parsed.success) {
    const { source, file, line } = place;
    return { kind: 'deal', deal: parsed.data, origin: { source, file, line }, notices };
  }
  // Asking for the input slows every parse down, and only a deal that is refused needs it.
  const issues = dealRecordSchema.safeParse(plain, { reportInput: true }).error?.issues ?? [];
  const [first, ...others] = issues.map(describeSchemaIssue).map(inFeed);
  if (first === undefined) throw parsed.error;
  return leftOut(faultNotice(place, first, others), draft.product);
}

/** What people read of a deal. */
const TEXTS = ['contractName', 'cashbackType', 'gift'] as const;

function withoutTags(draft: DealDraft): DealDraft {
  const tagged = TEXTS.filter((field) => {
    const text = draft[field];
    return typeof text === 'string' && text.includes('<') && hasHtmlTag(text);
  });
  if (tagged.length === 0) return draft;
  const plain = tagged.map((field) => [field, htmlToPlain(draft[field] as string).replaceAll(/\s+/g, ' ')]);
  return { ...draft, ...Object.fromEntries(plain) };
}
