/** The seeds of a simulation: one by default; `SIMULATION_SEEDS=5` tries that many. */
export const SEEDS = Array.from({ length: Number(process.env['SIMULATION_SEEDS'] ?? 1) }, (_, i) => 2026 + i);
