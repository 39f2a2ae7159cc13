import { execFileSync } from 'node:child_process';

/** A private network of machines, with one address of this machine in it. */
export interface MachineNetwork {
  /** The network namespace with the bridge `bridge`, for `createMachine`. */
  readonly path: string;
  /** Where a program of this machine listens for the others. */
  readonly hostAddress: string;
  /** The commands by which a machine takes its address, of 10.0.0.0/24. */
  join(address: string): string;
  remove(): void;
}

/** Makes a bridge for machines. Needs root and `ip`. */
export function createMachineNetwork(): MachineNetwork {
  const ip = (...args: readonly string[]): void => void execFileSync('ip', args, { stdio: 'pipe' });
  // Of the range for tests of networks (RFC 2544), so that several runs may go on at once.
  const subnet = `198.18.${process.pid % 256}`;
  const name = `deals${process.pid}`;
  ip('netns', 'add', name);
  const remove = (): void => ip('netns', 'delete', name);
  try {
    ip('-n', name, 'link', 'add', 'bridge', 'type', 'bridge');
    ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'host', 'netns', name);
    ip('-n', name, 'link', 'set', 'dev', 'host', 'master', 'bridge');
    for (const device of ['host', 'bridge']) ip('-n', name, 'link', 'set', 'dev', device, 'up');
    ip('address', 'add', `${subnet}.1/24`, 'dev', name);
    ip('link', 'set', 'dev', name, 'up');
  } catch (error) {
    remove();
    throw error;
  }
  return {
    path: `/run/netns/${name}`,
    hostAddress: `${subnet}.1`,
    join: (address) =>
      [address, `${subnet}.${address.split('.').at(-1)}`]
        .map((each) => `ip address add ${each}/24 dev host0`)
        .concat('ip link set dev host0 up')
        .join('\n'),
    remove,
  };
}
