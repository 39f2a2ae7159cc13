import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ReadResult } from '../../../../build/source/record.ts';
import { NOTICES } from '../../../../data/report/notice.ts';
import { readText } from './reading.ts';
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
    const item = await readFirst(form, each);
    expect(item?.kind).toBe('deal');
    expectPart(item, { deal: each.deal });
    expectParts(item?.kind === 'deal' ? item.notices : [], each.notices ?? []);
  });

  it.each(cases.filter(([, { notice }]) => notice !== undefined))('is excluded: %s', async (_what, each) => {
    const item = await readFirst(form, each);
    const record = changeRow(form, each.change)[form.idColumn] || null;
    const notice = { source: 'feed', file: 'feed.csv', line: 2, record, ...each.notice };
    expectPart(item, { kind: 'excluded', notice });
    const outcome = item?.kind === 'excluded' ? NOTICES[item.notice.code].outcome : undefined;
    expect(['quarantined', 'out-of-scope']).toContain(outcome);
  });
});

/** What is read of the row of a case, which a sound row follows. */
async function readFirst(form: FeedForm, { settings, change }: RowCase): Promise<ReadResult | undefined> {
  const text = fileOf(form, changeRow(form, change), changeRow(form));
  const { items, notes } = await readText(mergeSettings(form.settings, settings), text);
  expect(notes).toEqual([]);
  expect(items).toHaveLength(2);
  // Other settings may fit the row of the case alone.
  expect(['deal', settings === undefined ? 'deal' : 'excluded']).toContain(items[1]?.kind);
  return items[0];
}

function mergeSettings(settings: FeedForm['settings'], changes: object = {}): FeedForm['settings'] {
  const merged = Object.entries(changes).map(([key, change]: [string, unknown]) => {
    if (typeof change !== 'object' || change === null) return [key, change];
    const values = { ...(settings[key] as object | undefined), ...change };
    return [key, Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))];
  });
  return { ...settings, ...(Object.fromEntries(merged) as object) };
}
