/** A setting of a unit file: `ExecStart` of `Service` and what follows the equals sign. */
export interface UnitSetting {
  readonly section: string;
  readonly name: string;
  readonly value: string;
}

export function parseUnit(text: string): readonly UnitSetting[] {
  let section = '';
  return text.split('\n').flatMap((line) => {
    if (/^\s*([#;]|$)/.test(line)) return [];
    const [, begun] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (begun !== undefined) {
      section = begun;
      return [];
    }
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`no setting: ${line}`);
    return [{ section, name, value }];
  });
}

/** Every value that a unit gives to a setting. */
export function valuesOf(settings: readonly UnitSetting[], name: string): readonly string[] {
  return settings.filter((setting) => setting.name === name).map(({ value }) => value);
}

/** The one value of a setting. */
export function valueOf(settings: readonly UnitSetting[], name: string): string {
  const [value, ...others] = valuesOf(settings, name);
  if (value === undefined || others.length > 0) throw new Error(`${name} is given ${others.length + 1} times, or not`);
  return value;
}
