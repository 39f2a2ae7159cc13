import { GATES, type Gate } from './gate.ts';

/** What each setting of `gates` refuses, as the gates themselves say. */
export function describeGateSettings(): Readonly<Record<string, string>> {
  const meanings: Record<string, string> = {
    minRows: 'where there are fewer records than this, a share says nothing and its gate is silent',
  };
  for (const { setting, refuses } of Object.values<Gate>(GATES)) {
    if (setting === undefined) continue;
    const before = meanings[setting];
    meanings[setting] = before === undefined ? `refuses when ${refuses}` : `${before}; or ${refuses}`;
  }
  return meanings;
}
