import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NOTICES, type Notice } from '../../../../../data/report/notice.ts';
import { readText } from '../feed-reading.ts';
import { expectPart, expectParts, readCases } from '../cases.ts';
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
  const cases = readCases<RowCase>(join(import.meta.dirname, 'cases', `${name}.jsonl`));

  it.each(cases)('with %s is read, and the next row too', async (_what, { settings, change, ...expected }) => {
    const text = fileOf(form, changeRow(form, change), changeRow(form));
    const { items, notes } = await readText(mergeSettings(form.settings, settings), text);
    const [item, next] = items;
    expect(notes).toEqual([]);
    expect(items).toHaveLength(2);
    expect(next).toMatchObject({ kind: settings === undefined ? 'deal' : expect.any(String) });
    if (item?.kind !== 'deal') {
      expectPart(item?.notice, expected.notice ?? { code: 'none' });
      const record = changeRow(form, change)[form.idColumn] || undefined;
      expectPart(item?.notice, { source: 'feed', file: 'feed.csv', line: 2, record: record ?? null });
      expect(isExcluding(item?.notice)).toBe(true);
      return;
    }
    expectPart(item.deal, expected.deal ?? { key: 'none' });
    expectParts(item.notices, expected.notices ?? []);
  });
});

function isExcluding(notice: Notice | undefined): boolean {
  return notice !== undefined && ['quarantined', 'out-of-scope'].includes(NOTICES[notice.code].outcome);
}

function mergeSettings(settings: FeedForm['settings'], changes: object = {}): FeedForm['settings'] {
  const merged = Object.entries(changes).map(([key, change]: [string, unknown]) => {
    if (typeof change !== 'object' || change === null) return [key, change];
    const values = { ...(settings[key] as object | undefined), ...change };
    return [key, Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))];
  });
  return { ...settings, ...(Object.fromEntries(merged) as object) };
}
