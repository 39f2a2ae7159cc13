import { gateSettingsSchema } from './gate-setting.ts';
import { GATES, type Gate } from './gate.ts';

/** What each setting of `gates` means: what it says of itself, else what its gates refuse. */
export function describeGateSettings(): Readonly<Record<string, string>> {
  const own = Object.entries(gateSettingsSchema.shape).flatMap(([name, { description }]) =>
    description === undefined ? [] : [[name, description] as const],
  );
  const meanings: Record<string, string> = Object.fromEntries(own);
  for (const { setting, refuses } of Object.values<Gate>(GATES)) {
    if (setting === undefined || own.some(([name]) => name === setting)) continue;
    const before = meanings[setting];
    meanings[setting] = before === undefined ? `refuses when ${refuses}` : `${before}; or ${refuses}`;
  }
  return meanings;
}
