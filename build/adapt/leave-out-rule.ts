import type { LeaveOutSettings } from './feed-settings.ts';
import { SOLD_KINDS, type SoldKind } from './sold-kind.ts';
import { compileTemplates } from './text-facts.ts';
import { matchTemplate, type TextTemplate } from './text-template.ts';

/** Finds the code under which the configuration leaves out what is called so, if it does. */
export type LeaveOutRule = (text: string) => SoldKind | undefined;

export function compileLeaveOut(settings: LeaveOutSettings): LeaveOutRule {
  const templates = SOLD_KINDS.map((kind): readonly [SoldKind, readonly TextTemplate[]] => [
    kind,
    compileTemplates(settings[kind] ?? []),
  ]);
  return (text) => {
    const fits = (template: TextTemplate): boolean => matchTemplate(template, text) !== undefined;
    return templates.find(([, each]) => each.some(fits))?.[0];
  };
}
