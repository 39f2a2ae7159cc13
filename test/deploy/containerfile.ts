/** An instruction of a Containerfile: `COPY` and its words as they stand. */
interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** A stage: what it begins from, what it is called, and its instructions. */
export interface Stage {
  readonly base: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

export function parseContainerfile(text: string): readonly Stage[] {
  const stages: { base: string; name: string | undefined; instructions: Instruction[] }[] = [];
  for (const line of text.replaceAll(/\\\n/g, ' ').split('\n')) {
    const [, name, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === undefined || rest === undefined) {
      if (!/^\s*(#|$)/.test(line)) throw new Error(`no instruction: ${line}`);
      continue;
    }
    if (name === 'FROM') {
      const [base = '', , stage] = rest.split(' ');
      stages.push({ base, name: stage, instructions: [] });
    } else {
      stages.at(-1)?.instructions.push({ name, text: rest });
    }
  }
  return stages;
}

/** The value of the one instruction of this name. */
export function textOf(stage: Stage, name: string): string {
  const [found, ...others] = stage.instructions.filter((instruction) => instruction.name === name);
  if (found === undefined || others.length > 0)
    throw new Error(`${name} stands ${others.length} times too often, or not`);
  return found.text;
}
