/** A deal that is served, as `deals export --format ndjson` writes it (data/spec/export.md). */
export interface ServedDeal {
  readonly feed: string;
  readonly deal_key: string;
  readonly link: string;
  readonly product_id: string;
  readonly condition: string;
  readonly product_name: string;
  readonly network_slug: string;
  readonly retailer_slug: string;
  readonly deal_type: string;
  readonly contract_name: string;
  readonly contract_months: number;
  readonly data_megabytes: number;
  readonly call_minutes: number;
  readonly text_messages: number;
  readonly upfront_pence: number;
  readonly monthly_pence: number;
  readonly total_pence: number;
  readonly cashback_type: string | null;
  readonly cashback_pence: number | null;
  readonly gift_name: string | null;
}

/** The records of NDJSON. */
export function parseLines<Line>(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
