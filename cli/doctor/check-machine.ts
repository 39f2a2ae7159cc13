import { readFile } from 'node:fs/promises';
import { DEFAULT_SETTINGS } from '../../server/settings.ts';
import { ok, skipped, warning, type Finding } from './finding.ts';

/** What the system may hold for one reader who does not read (server/README, "Slow clients"). */
const MAX_SEND_BYTES = 131_072;

/** Descriptors beside those of connections: snapshots, logs, pictures. */
const OTHER_DESCRIPTORS = 100;

/** What the system says of itself, as text; undefined where it does not. */
export interface MachineFacts {
  /** `/proc/sys/net/ipv4/tcp_wmem`: three numbers. */
  readonly tcpSendBytes: string | undefined;
  /** `/proc/self/limits`. */
  readonly limits: string | undefined;
}

export async function readMachineFacts(): Promise<MachineFacts> {
  const [tcpSendBytes, limits] = await Promise.all([
    readIfThere('/proc/sys/net/ipv4/tcp_wmem'),
    readIfThere('/proc/self/limits'),
  ]);
  return { tcpSendBytes, limits };
}

export function checkMachine({ tcpSendBytes, limits }: MachineFacts): readonly Finding[] {
  const mostBytes = Number(tcpSendBytes?.trim().split(/\s+/).at(2));
  const descriptors = /^Max open files +(?:[0-9]+|unlimited) +([0-9]+|unlimited)/m.exec(limits ?? '')?.[1];
  const findings: Finding[] = [];
  if (mostBytes > MAX_SEND_BYTES) {
    findings.push(
      warning(
        'machine',
        `the system holds up to ${mostBytes} bytes for a reader who stalls; a few hundred of them slow down every connection`,
        `sysctl net.ipv4.tcp_wmem="4096 16384 ${MAX_SEND_BYTES}"`,
      ),
    );
  }
  const wanted = DEFAULT_SETTINGS.maxConnections + OTHER_DESCRIPTORS;
  if (descriptors !== undefined && descriptors !== 'unlimited' && Number(descriptors) < wanted) {
    findings.push(
      warning(
        'machine',
        `a process may open ${descriptors} files, and a server ${DEFAULT_SETTINGS.maxConnections} connections`,
        `let it have ${wanted} (LimitNOFILE of systemd, ulimit -n), or give serve a lower --max-connections`,
      ),
    );
  }
  if (findings.length > 0) return findings;
  if (Number.isNaN(mostBytes) && descriptors === undefined) {
    return [skipped('machine', 'this system does not say what it gives a server', 'see server/README.md, Operations')];
  }
  return [ok('machine', `${describeDescriptors(descriptors)}, ${mostBytes} bytes for a reader who stalls`)];
}

function describeDescriptors(count: string | undefined): string {
  return count === undefined ? 'descriptors unknown' : `${count} descriptors`;
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}
