import { spawnSync } from 'node:child_process';
import { PROGRAM_ROOT } from '../program.ts';

/** What the registry knows against the packages of the lock file. */
export type Audit =
  | { readonly kind: 'answered'; readonly grave: readonly string[] }
  /** Offline, or a registry that answers no audits. */
  | { readonly kind: 'unanswered'; readonly reason: string };

interface AuditReport {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range?: string }>>;
  readonly message?: string;
  readonly error?: { readonly summary?: string };
}

/** Asks the registry: `npm audit`. */
export function audit(...args: readonly string[]): Audit {
  const { stdout } = spawnSync('npm', ['audit', '--json', ...args], { cwd: PROGRAM_ROOT, encoding: 'utf8' });
  return judgeAudit(stdout);
}

export function judgeAudit(json: string): Audit {
  let report: AuditReport;
  try {
    report = JSON.parse(json) as AuditReport;
  } catch {
    return { kind: 'unanswered', reason: `npm audit wrote ${JSON.stringify(json.slice(0, 80))}` };
  }
  if (report.vulnerabilities === undefined) {
    return { kind: 'unanswered', reason: report.message ?? report.error?.summary ?? 'npm audit reported nothing' };
  }
  const grave = Object.entries(report.vulnerabilities).filter(
    ([, { severity }]) => severity === 'high' || severity === 'critical',
  );
  return { kind: 'answered', grave: grave.map(([name, { severity, range }]) => `${name} ${range ?? ''}: ${severity}`) };
}
