import type { GoogleItem } from './google-item.ts';
import type { LeaveOutRule } from './leave-out-rule.ts';
import { findKindInName, findSoldKind, isPhoneCategory, type SoldKind } from './sold-kind.ts';

/** The rule that leaves an item out, and the attribute that says so. */
export interface GoogleScopeRule {
  readonly code: SoldKind;
  readonly field: string;
  readonly found: string;
}

/** Mobile phones, those on contract, and unlocked ones, by their number in Google's taxonomy. */
const PHONES = ['267', '543513', '543514'];
const PREPAID_PHONES = '543512';
const SIM_CARDS = '6030';

/** Electronics, communications, telephony: too wide to say what is sold. */
const WIDE = ['222', '262', '270'];

/** The rule that leaves an item out for what it sells: by its category, its type, then its title. */
export function findGoogleScopeRule(item: GoogleItem, leaveOut: LeaveOutRule): GoogleScopeRule | undefined {
  return (
    findIn(item, 'google_product_category', kindOfCategory) ??
    findIn(item, 'product_type', (text) => leaveOut(text) ?? kindOfPath(text)) ??
    findIn(item, 'title', (text) => leaveOut(text) ?? findKindInName(text))
  );
}

function findIn(
  item: GoogleItem,
  field: string,
  kindOf: (text: string) => SoldKind | undefined,
): GoogleScopeRule | undefined {
  const found = item.text(field);
  const code = found === undefined ? undefined : kindOf(found);
  return found === undefined || code === undefined ? undefined : { code, field, found };
}

/** A number says exactly what is sold. */
function kindOfCategory(text: string): SoldKind | undefined {
  const number = /^[0-9]+/.exec(text)?.[0];
  if (number === undefined) return kindOfPath(text);
  if (PHONES.includes(number) || WIDE.includes(number)) return undefined;
  if (number === PREPAID_PHONES) return 'no-contract';
  return number === SIM_CARDS ? 'sim-only' : 'not-a-phone';
}

/** Of `Electronics > Telephony > Mobile Phones` the last part that says anything. */
function kindOfPath(text: string): SoldKind | undefined {
  for (const part of text.split('>').toReversed()) {
    const kind = findSoldKind(part.trim());
    if (kind !== undefined || isPhoneCategory(part)) return kind;
  }
  return undefined;
}
