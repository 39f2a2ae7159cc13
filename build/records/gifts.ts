import { truncateText, type NoticeDetails } from '../ledger/ledger.ts';
import type { Sourced } from '../source/record.ts';
import type { DealGift, MatchedGift } from './catalogue.ts';
import { foldText } from './suppliers.ts';

/** The gift of a deal, with what there is to report: `quarantined` where the deal cannot be served with it. */
type GiftMatch =
  | { readonly kind: 'gift'; readonly gift: DealGift; readonly notice?: NoticeDetails }
  | { readonly kind: 'quarantined'; readonly finding: NoticeDetails };

/** Finds the gift that a feed's text means: an id, a slug, a name, or one of `matches.names`; any other text is served as it is. */
export type MatchGift = (text: string) => GiftMatch;

export function createGiftMatcher(gifts: readonly Sourced<MatchedGift>[]): MatchGift {
  const byId = new Map(gifts.map(({ record }, row) => [record.id, row]));
  const bySlug = groupRows(gifts, (record) => [record.slug]);
  const byName = groupRows(gifts, (record) => [record.name, ...(record.matches?.names ?? [])].map(foldText));

  return (text) => {
    const id = byId.get(text);
    if (id !== undefined) return { kind: 'gift', gift: { kind: 'record', giftRow: id } };
    // An id, or an amount from another column.
    if (/^\P{L}*$/u.test(text)) {
      return { kind: 'quarantined', finding: { code: 'unknown-gift', field: 'gift', found: truncateText(text) } };
    }
    const rows = bySlug.get(text) ?? byName.get(foldText(text)) ?? [];
    const [giftRow] = rows;
    if (giftRow !== undefined && rows.length === 1) return { kind: 'gift', gift: { kind: 'record', giftRow } };
    return { kind: 'gift', gift: { kind: 'text', name: text }, notice: textGiftDetails(text, rows.length) };
  };
}

function textGiftDetails(text: string, claimCount: number): NoticeDetails {
  const finding = { code: 'gift-without-record', field: 'gift', found: truncateText(text) } as const;
  if (claimCount > 1) {
    return { ...finding, expected: `one gift; ${claimCount} claim it`, remedy: 'leave the text to one gift' };
  }
  return {
    ...finding,
    remedy: `add "matches": {"names": [${JSON.stringify(text)}]} to the right gift, or add the gift`,
  };
}

function groupRows(
  gifts: readonly Sourced<MatchedGift>[],
  keysOf: (record: MatchedGift) => readonly string[],
): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  gifts.forEach(({ record }, row) => {
    for (const key of new Set(keysOf(record))) groups.set(key, [...(groups.get(key) ?? []), row]);
  });
  return groups;
}
