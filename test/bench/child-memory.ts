import { readFileSync } from 'node:fs';

/** Bytes of a process: `VmRSS` is what is resident now, `VmHWM` the most there ever was. */
export function readMemory(pid: number, field: 'VmRSS' | 'VmHWM'): number | undefined {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return undefined;
  }
  const match = new RegExp(`^${field}:\\s+([0-9]+) kB`, 'm').exec(status);
  return match === null ? undefined : Number(match[1]) * 1024;
}

/** Asks every few milliseconds until it is stopped; the highest resident size in between. */
export function watchMemory(pid: number, everyMs = 20): { stop(): number } {
  let highest = readMemory(pid, 'VmRSS') ?? 0;
  const timer = setInterval(() => (highest = Math.max(highest, readMemory(pid, 'VmRSS') ?? 0)), everyMs);
  return {
    stop: () => {
      clearInterval(timer);
      return highest;
    },
  };
}

export const MEGABYTE = 1_000_000;
