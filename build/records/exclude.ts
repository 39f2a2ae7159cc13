import { DAY_MS } from '../../data/record/time.ts';
import { recordKey, type Condition } from '../../data/record/product.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { ExcludeRule } from '../config/config.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';
import { truncateText } from '../source/quote.ts';

/** The source of notices about the `exclude` list. No source of a build can have this name. */
const CONFIG_SOURCE = 'catalogue.json';

interface Variant {
  readonly id: string;
  readonly condition: Condition;
}

/** The facts of a deal that a rule may name. A rule never matches a missing fact. */
interface ExcludableDeal {
  readonly key: string;
  readonly retailerRow: number | undefined;
  readonly product: Variant | undefined;
}

/**
 * The `exclude` list on the day of the build. Everything that a rule names must match: a rule with a retailer and a
 * deal excludes that deal of that retailer, a rule with a product alone excludes the product with all its deals.
 */
export class ExcludeRules {
  readonly #rules: readonly ExcludeRule[];
  readonly #used = new Set<ExcludeRule>();

  /** A rule holds to the end of the day, in UTC, of its `until`. */
  constructor(rules: readonly ExcludeRule[], now: Date) {
    this.#rules = rules.filter(({ until }) => until === undefined || now.getTime() < Date.parse(until) + DAY_MS);
  }

  /** Why a product is excluded with all its deals, if it is. */
  findForProduct(product: Variant): NoticeDetails | undefined {
    return this.#use((rule) => isAboutProduct(rule) && matchesProduct(rule, product));
  }

  /** Why a deal is excluded, if it is. `findRetailer` finds the row of the retailer that a rule names. */
  findForDeal(
    { key, retailerRow, product }: ExcludableDeal,
    findRetailer: (name: string) => number | undefined,
  ): NoticeDetails | undefined {
    return this.#use(
      (rule) =>
        !isAboutProduct(rule) &&
        (rule.deal ?? key) === key &&
        (rule.product === undefined || (product !== undefined && matchesProduct(rule, product))) &&
        (rule.retailer === undefined || (retailerRow !== undefined && findRetailer(rule.retailer) === retailerRow)),
    );
  }

  /** The rules that excluded nothing: perhaps they are no longer needed, perhaps a name is misspelt. */
  listUnused(): readonly Notice[] {
    const unused = this.#rules.filter((rule) => !this.#used.has(rule));
    return unused.map((rule) => ({
      code: 'unused-exclusion',
      source: CONFIG_SOURCE,
      field: 'exclude',
      found: describeRule(rule),
    }));
  }

  #use(isMatch: (rule: ExcludeRule) => boolean): NoticeDetails | undefined {
    const matching = this.#rules.filter(isMatch);
    for (const rule of matching) this.#used.add(rule);
    const [rule] = matching;
    return rule && { code: 'excluded', field: 'exclude', found: describeRule(rule), remedy: describeReason(rule) };
  }
}

function isAboutProduct(rule: ExcludeRule): boolean {
  return rule.product !== undefined && rule.retailer === undefined && rule.deal === undefined;
}

/** A rule names a product by its id, or one variant as `101/new`. */
function matchesProduct(rule: ExcludeRule, product: Variant): boolean {
  return rule.product === product.id || rule.product === recordKey(product);
}

function describeRule({ retailer, deal, product, reason }: ExcludeRule): string {
  return truncateText(JSON.stringify({ retailer, deal, product, reason }));
}

function describeReason({ reason, until }: ExcludeRule): string {
  const end = until === undefined ? 'without an end' : `up to and including ${until}`;
  return `the reason given is ${JSON.stringify(reason)}, ${end}; remove the line from \`exclude\` when it has done its work`;
}
