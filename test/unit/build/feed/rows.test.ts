import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWith, type FeedReading } from './reading.ts';
import { expectPart, expectParts, readCases, type NamedCase } from '../cases.ts';
import { AWIN, AWIN_MERCHANTS, changeRow, DEALS, fileOf, GOOGLE, SHEET, type FeedForm, type RowCase } from './forms.ts';

const FORMS: readonly (readonly [string, FeedForm])[] = [
  ['deals', DEALS],
  ['csv', SHEET],
  ['google-merchant', GOOGLE],
  ['awin', AWIN],
  ['awin-merchants', AWIN_MERCHANTS],
];

/** The cases are in `cases/<form>.jsonl`, one on each line. */
describe.each(FORMS)('a row of %s', (name, form) => {
  const cases = readCases(join(import.meta.dirname, 'cases', `${name}.jsonl`)) as readonly NamedCase<RowCase>[];

  it.each(cases.filter(([, { deal }]) => deal !== undefined))('is a deal: %s', async (_what, each) => {
    const { items, account } = await readCase(form, each);
    expect(account.read).toBe(2);
    expect(items[0]?.origin.line).toBe(2);
    expectPart(items[0] ?? null, { deal: each.deal });
    expectParts(items[0]?.notices ?? [], each.notices ?? []);
  });

  it.each(cases.filter(([, { notice }]) => notice !== undefined))('is excluded: %s', async (_what, each) => {
    const { items, excluded } = await readCase(form, each);
    const record = changeRow(form, each.change)[form.idColumn] || null;
    expectPart(excluded[0] ?? null, { source: 'feed', file: 'feed.csv', line: 2, record, ...each.notice });
    // Other settings may fit the row of the case alone.
    expect(items.length + excluded.length).toBe(2);
    expect([1, each.settings === undefined ? 1 : 0]).toContain(items.length);
  });
});

/** What is read of the row of a case, which a sound row follows. */
function readCase(form: FeedForm, { settings, change }: RowCase): Promise<FeedReading> {
  return readWith(mergeSettings(form.settings, settings), fileOf(form, changeRow(form, change), changeRow(form)));
}

function mergeSettings(settings: FeedForm['settings'], changes: object = {}): FeedForm['settings'] {
  const merged = Object.entries(changes).map(([key, change]: [string, unknown]) => {
    if (typeof change !== 'object' || change === null) return [key, change];
    const values = { ...(settings[key] as object | undefined), ...change };
    return [key, Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))];
  });
  return { ...settings, ...(Object.fromEntries(merged) as object) };
}
