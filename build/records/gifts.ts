import type { GiftRecord } from '../../data/record/product.ts';
import type { Found, NoticeDetails } from '../ledger/ledger.ts';
import { truncateText } from '../source/quote.ts';
import { groupBy, type Sourced } from '../source/record.ts';
import type { DealGift } from './catalogue.ts';
import { foldText } from './suppliers.ts';

/**
 * Finds the gift of a text, and a notice about it: by id, slug, name, or one of `matches.names`. Any other text is served
 * unchanged.
 */
export type MatchGift = (text: string | undefined) => Found<GiftMatch>;

interface GiftMatch {
  readonly gift?: DealGift;
  readonly notice?: NoticeDetails;
}

export function createGiftMatcher(gifts: readonly Sourced<GiftRecord>[]): MatchGift {
  const rows = gifts.map(({ record }, row) => ({ record, row }));
  const byId = new Map(rows.map(({ record, row }) => [record.id, row]));
  const bySlug = groupBy(rows, ({ record }) => [record.slug]);
  const byName = groupBy(rows, ({ record }) => [record.name, ...(record.matches?.names ?? [])].map(foldText));

  return (text) => {
    if (text === undefined) return {};
    const id = byId.get(text);
    if (id !== undefined) return { gift: { kind: 'record', giftRow: id } };
    // An id, or an amount from another column.
    if (/^\P{L}*$/u.test(text)) {
      return { excluded: { code: 'unknown-gift', field: 'gift', found: truncateText(text) } };
    }
    const found = bySlug.get(text) ?? byName.get(foldText(text)) ?? [];
    const [gift] = found;
    if (gift !== undefined && found.length === 1) {
      return { gift: { kind: 'record', giftRow: gift.row } };
    }
    return { gift: { kind: 'text', name: text }, notice: textGiftDetails(text, found.length) };
  };
}

function textGiftDetails(text: string, claimCount: number): NoticeDetails {
  const details = { code: 'gift-without-record', field: 'gift', found: truncateText(text) } as const;
  if (claimCount > 1) {
    return { ...details, expected: `one gift; ${claimCount} claim it`, remedy: 'leave the text to one gift' };
  }
  return {
    ...details,
    remedy: `add "matches": {"names": [${JSON.stringify(text)}]} to the right gift, or add the gift`,
  };
}
