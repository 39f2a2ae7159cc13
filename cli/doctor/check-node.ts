import { fault, ok, warning, type Finding } from './finding.ts';

/** The last day with security releases, by the major version of Node that has them for years. */
const LAST_RELEASES: Readonly<Record<number, string>> = { 20: '2026-04-30', 22: '2027-04-30', 24: '2028-04-30' };

/** `needed` is `engines.node` of the package: `>=20.19`. */
export function checkNode(version: string, needed: string, now: Date): Finding {
  const [major = 0, minor = 0] = numbersOf(version);
  const [neededMajor = 0, neededMinor = 0] = numbersOf(needed);
  const remedy = 'install Node 24 or newer';
  if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
    return fault('node', `expected Node ${needed}, got ${version}`, remedy);
  }
  const lastDay = LAST_RELEASES[major];
  if (lastDay !== undefined && now.toISOString().slice(0, 10) > lastDay) {
    return warning('node', `Node ${version} gets no security releases since ${lastDay}`, remedy);
  }
  // Versions with odd numbers are replaced after half a year.
  if (major % 2 === 1) return warning('node', `Node ${version} is no version with long support`, remedy);
  return ok('node', `Node ${version}`);
}

function numbersOf(version: string): readonly number[] {
  return (version.match(/[0-9]+/g) ?? []).map(Number);
}
