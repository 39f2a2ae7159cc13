/** The seeds of a simulation: one by default; `SIMULATION_SEEDS=10` tries that many, and prints its figures. */
export const SEEDS = Array.from({ length: Number(process.env['SIMULATION_SEEDS'] ?? 1) }, (_, i) => 2026 + i);

/** Prints figures for a person who asked for them. */
export function printFigures(title: string, figures: ReadonlyMap<string, number>): void {
  if (process.env['SIMULATION_SEEDS'] === undefined) return;
  const lines = [...figures].map(
    ([name, figure]) => `  ${name}: ${Number.isFinite(figure) ? figure.toFixed(2) : 'all or nothing'}`,
  );
  process.stdout.write(`${[title, ...lines].join('\n')}\n`);
}
