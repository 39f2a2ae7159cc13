import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMissing, tool } from '../fault/needs.ts';
import { startMemoryS3, type MemoryS3 } from '../support/memory-s3.ts';
import { boot, type Machine } from './booted-machine.ts';
import { findUnknownWords } from './deals-words.ts';
import { readDeployed } from './deploy-folder.ts';
import { createMachineNetwork, type MachineNetwork } from './machine-network.ts';
import {
  BEFORE,
  createWalkMachine,
  findBlocks,
  LOCAL_SOURCES,
  OFFLINE,
  sectionOf,
  walk,
  writeWalk,
} from './walk-machine.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../data/spec/many-machines.md'), 'utf8');
const README = readDeployed('README.md');

/** The blocks below `**2. Builder.**` or a heading, up to the next of its kind. */
function stepOf(page: string, start: string): readonly string[] {
  const text = page.split(start)[1]?.split(/\n\*\*\d+\. |\n## /)[0];
  if (text === undefined) throw new Error(`no step ${start}`);
  return findBlocks(text);
}

const ADDRESSES = { builder: '10.0.0.10', a: '10.0.0.11', b: '10.0.0.12' };

/** The site of nginx that shows the metrics. */
const [, METRICS = ''] = /```\n(server \{\n {2}listen 9181;[^]*?)```/.exec(PAGE) ?? [];

/** Waits for a file that another machine writes, for five minutes. */
const WAIT = `
await() { for _ in $(seq 1500); do test -e "/shared/$1" && return; sleep 0.2; done; echo "no /shared/$1" >&2; exit 1; }
tell() { date +%s.%N >"/shared/$1.new" && mv "/shared/$1.new" "/shared/$1"; }
`;

const ALL = ['**1. Packages.**', '**2. The program**', '**3. Users, folders and units.**'].flatMap((step) =>
  stepOf(README, step),
);

function setRemote(s3: MemoryS3, bucket: string): string {
  return `sed -i -E \\
  -e 's|^DEALS_REMOTE=.*|DEALS_REMOTE=s3://${bucket}/uk|' -e "s|^DEALS_TRUST=.*|DEALS_TRUST=$(cat /shared/signing.pub)|" \\
  -e 's|^#AWS_ENDPOINT_URL_S3=.*|AWS_ENDPOINT_URL_S3=${s3.endpoint}|' -e 's|^AWS_ACCESS_KEY_ID=.*|AWS_ACCESS_KEY_ID=${s3.accessKeyId}|' \\
  -e 's|^AWS_SECRET_ACCESS_KEY=.*|AWS_SECRET_ACCESS_KEY=${s3.secretAccessKey}|' /etc/deals/remote.env`;
}

/** Servers wait for five seconds before they switch, and not for sixty. */
const SHORT_LEAD = `sed -i '/^ExecStart=/s|$| --lead 5|' /etc/systemd/system/deals-push.service && systemctl daemon-reload`;

function writeBuilder(s3: MemoryS3, bucket: string): string {
  const [signing = '', firstPush = ''] = stepOf(PAGE, '**2. Builder.**');
  const [newBuilder = ''] = stepOf(PAGE, '\n## When something is lost');
  const sources = ['**4. Sources.**', '**5. Build.**'].flatMap((step) => stepOf(README, step));
  const blocks = [...ALL, ...sources, signing];
  return [
    BEFORE,
    WAIT,
    // The command of ssh as the other machine runs it, and its stdin.
    `ssh() { local to="/shared/\${1#root@}"; cat >"$to.keys"; printf '%s' "$2" >"$to.new"; mv "$to.new" "$to.command"; }`,
    `finished() { for _ in $(seq 300); do [[ $(systemctl show --property=InvocationID --value deals-push) != "$1" && $(systemctl is-active deals-push) == inactive ]] && return; sleep 0.2; done; systemctl status deals-push; exit 1; }`,
    `push_of() { local before; before=$(systemctl show --property=InvocationID --value deals-push); "$@"; finished "$before"; }`,
    writeWalk(blocks, OFFLINE, [LOCAL_SOURCES]),
    `cp /etc/deals/push/signing.pem.pub /shared/signing.pub`,
    setRemote(s3, bucket),
    SHORT_LEAD,
    `heading without a key
     systemctl show --property=ConditionResult deals-push`,
    writeWalk([firstPush, ...stepOf(PAGE, '**4. Keys of clients.**')], [], []),
    `printf '%s\\n' "KEY=$KEY" "OPERATOR_KEY=$OPERATOR_KEY" >/shared/keys; tell published
     heading confirmed
     push_of systemctl start deals-build
     systemctl show --property=ExecMainStatus,Result deals-push
     await ready-a; await ready-b
     tell restart-a; await restarted-a; tell restart-b; await restarted-b
     heading changed
     sed -i '/^H-00042,/d' /walk/sources/feeds/deals.csv
     push_of systemctl start deals-build
     systemctl show --property=ExecMainStatus,Result deals-push
     await switched-a; await switched-b
     heading unreachable
     sed -i 's|^AWS_ENDPOINT_URL_S3=http://|&127.0.0.1:9/|; s|/[0-9.]*:[0-9]*$||' /etc/deals/remote.env
     systemctl start deals-push || true
     systemctl show --property=ExecMainStatus,SubState deals-push
     systemctl stop deals-push
     heading wrong
     sed -i 's|^DEALS_REMOTE=s3|DEALS_REMOTE=s4|' /etc/deals/remote.env
     systemctl start deals-push || true
     for _ in $(seq 50); do journalctl -t deals-alarm --output=cat --no-pager | grep -q 'deals-push' && break; sleep 0.2; done
     journalctl -t deals-alarm --output=cat --no-pager | grep 'exit status'
     sed -i 's|^#*AWS_ENDPOINT_URL_S3=.*|#AWS_ENDPOINT_URL_S3=|' /etc/deals/remote.env`,
    setRemote(s3, bucket),
    `heading lost
     rm -rf /var/lib/deals
     systemctl disable --now deals-build.timer`,
    writeWalk([newBuilder], [], []),
    `heading found
     for _ in $(seq 100); do [[ $(systemctl is-active deals-push) == inactive ]] && break; sleep 0.2; done
     systemctl show --property=ExecMainStatus,Result deals-push
     journalctl --sync
     journalctl --unit=deals-push --output=cat --no-pager | grep -o 'as revision [0-9]*' | tail -n 1
     tell done`,
  ].join('\n');
}

function writeServer(s3: MemoryS3, bucket: string, name: 'a' | 'b'): string {
  const [remote = '', pull = '', address = ''] = stepOf(PAGE, '**3. Each server.**');
  return [
    BEFORE,
    WAIT,
    writeWalk([...ALL, remote], OFFLINE, []),
    'await published',
    setRemote(s3, bucket),
    writeWalk([pull, address], [], []),
    `await "$ADDRESS.command"
     bash -c "$(cat "/shared/$ADDRESS.command")" <"/shared/$ADDRESS.keys"
     . /shared/keys`,
    writeWalk(
      [...stepOf(PAGE, '**5. Serve.**'), ...stepOf(README, '**7. nginx.**')],
      [
        [
          'install -m 644 /opt/deals/server/deploy/nginx-one.conf /etc/nginx/conf.d/deals-upstream.conf',
          'install -m 644 /opt/deals/server/deploy/nginx-many.conf /etc/nginx/conf.d/deals-upstream.conf',
        ],
      ],
      [],
    ),
    `site() { curl --silent --insecure --resolve deals.example.com:443:127.0.0.1 --header "x-api-key: $KEY" "$@"; }
     heading listening
     systemctl is-active deals-serve deals-pull nginx
     heading owners
     stat -c '%U:%G %a %n' /etc/deals/keys/keys.json /etc/deals/remote.env /var/lib/deals /var/lib/deals/current.json /var/lib/deals/pull.json
     heading rights
     for unit in deals-pull deals-serve; do
       pid=$(systemctl show --property=MainPID --value "$unit")
       user=$(systemctl show --property=User --value "$unit")
       try() { nsenter --target "$pid" --mount -- runuser -u "$user" -- bash -c "$1" 2>/dev/null && echo "$unit may: $1" || echo "$unit may not: $1"; }
       try 'touch /var/lib/deals/x && rm /var/lib/deals/x'
       try 'touch /opt/deals/x'
       try 'test -r /etc/deals/keys/keys.json'
       try 'ls /srv/deals'
       try 'test -r /etc/deals/remote.env'
       tr '\\0' '\\n' <"/proc/$pid/environ" | grep -q SECRET && echo "$unit has the secret" || echo "$unit has no secret"
     done
     cat >/etc/nginx/conf.d/deals-metrics.conf <<'END'
${METRICS}END
     systemctl reload nginx
     tell ready-${name}
     (while ! test -e /shared/restarted-b; do site --output /dev/null --write-out '%{http_code}\\n' https://deals.example.com/deals/v1/networks/; done >/walk/statuses) &
     loop=$!
     await restart-${name}
     systemctl restart deals-serve
     curl --silent --fail --retry 10 --retry-connrefused --output /dev/null "http://$ADDRESS:8080/health/ready"
     sleep 5
     tell restarted-${name}
     wait "$loop"
     heading statuses
     wc -l </walk/statuses
     sort -u /walk/statuses
     heading metrics
     curl --silent http://10.0.0.${name === 'a' ? '12' : '11'}:9181/metrics | grep '^deals_pull_current_revision'
     curl --silent --output /dev/null --write-out '%{http_code}\\n' http://127.0.0.1:9181/metrics
     heading switched
     for _ in $(seq 300); do journalctl --unit=deals-pull --output=cat --no-pager | grep -q '"event":"pull-switched","revision":3' && break; sleep 0.2; done
     journalctl --unit=deals-pull --output=cat --no-pager | grep '"revision":3'
     sleep 3
     curl --silent "http://$ADDRESS:8080/health/ready"; echo
     tell switched-${name}
     await done`,
  ].join('\n');
}

describe('many-machines.md', () => {
  it('uses commands and flags that there are', () => {
    const lines = PAGE.split('\n').flatMap((line) => [...line.matchAll(/(?:^|`|[;(] ?|-- )deals ([a-z][^`;)'|>]*)/g)]);
    const words = lines.map(([, text = '']) => text.trim().split(/\s+/)).filter(([, second]) => second !== undefined);
    expect(words.length).toBeGreaterThan(10);
    expect(words.flatMap(findUnknownWords)).toEqual([]);
  });

  const needs = [boot, ...['nginx', 'git', 'openssl', 'ip'].map(tool)];
  describe.skipIf(isMissing('the walk of many machines', ...needs))('walked on three machines', () => {
    let folder: string;
    let s3: MemoryS3;
    let network: MachineNetwork;
    const machines: Machine[] = [];
    /** What the lines of each machine wrote. */
    let walked: Readonly<Record<'builder' | 'a' | 'b', string>>;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'deals-shared-'));
      network = createMachineNetwork();
      s3 = await startMemoryS3({ host: network.hostAddress });
      const bucket = await s3.createBucket();
      const run = (name: keyof typeof ADDRESSES, script: string): Promise<string> => {
        const machine = createWalkMachine({
          name: `deals-${name}`,
          network: network.path,
          shared: { '/shared': folder },
        });
        machines.push(machine);
        return walk(machine, [network.join(ADDRESSES[name]), script].join('\n'));
      };
      const runs = await Promise.allSettled([
        run('builder', writeBuilder(s3, bucket)),
        run('a', writeServer(s3, bucket, 'a')),
        run('b', writeServer(s3, bucket, 'b')),
      ]);
      const failed = runs.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
      if (failed.length > 0) throw new Error(failed.join('\n\n'));
      const [builder = '', a = '', b = ''] = runs.map((each) => (each.status === 'fulfilled' ? each.value : ''));
      walked = { builder, a, b };
    }, 600_000);
    afterAll(async () => {
      for (const machine of machines) machine.remove();
      await s3.stop();
      network.remove();
      rmSync(folder, { recursive: true });
    });

    const servers = ['a', 'b'] as const;

    it('goes from the first line to the last', () => {
      for (const name of servers) {
        expect(sectionOf(walked[name], 'listening')).toEqual(['active', 'active', 'active']);
        expect(walked[name]).toContain('"name":"Kestrel K9 128GB"');
      }
    });

    it('leaves files with those whom they belong to', () => {
      expect(sectionOf(walked.a, 'owners')).toEqual([
        'deals-serve:deals-serve 600 /etc/deals/keys/keys.json',
        'root:root 600 /etc/deals/remote.env',
        'deals-build:deals 750 /var/lib/deals',
        'deals-build:deals 640 /var/lib/deals/current.json',
        'deals-build:deals 640 /var/lib/deals/pull.json',
      ]);
    });

    it('lets the pull write the store and nothing else, and the server write nothing and know no secret', () => {
      expect(sectionOf(walked.a, 'rights')).toEqual([
        'deals-pull may: touch /var/lib/deals/x && rm /var/lib/deals/x',
        'deals-pull may not: touch /opt/deals/x',
        'deals-pull may not: test -r /etc/deals/keys/keys.json',
        'deals-pull may not: ls /srv/deals',
        'deals-pull may not: test -r /etc/deals/remote.env',
        'deals-pull has the secret',
        'deals-serve may not: touch /var/lib/deals/x && rm /var/lib/deals/x',
        'deals-serve may not: touch /opt/deals/x',
        'deals-serve may: test -r /etc/deals/keys/keys.json',
        'deals-serve may not: ls /srv/deals',
        'deals-serve may not: test -r /etc/deals/remote.env',
        'deals-serve has no secret',
      ]);
    });

    it('lets no request fail while one server after the other is started again', () => {
      for (const name of servers) {
        const [count, ...statuses] = sectionOf(walked[name], 'statuses');
        expect(Number(count)).toBeGreaterThan(20);
        expect(statuses).toEqual(['200']);
      }
    });

    it('shows metrics in the private network, and nowhere else', () => {
      for (const name of servers)
        expect(sectionOf(walked[name], 'metrics')).toEqual([
          expect.stringMatching(/^deals_pull_current_revision 2$/),
          '403',
        ]);
    });

    it('pushes by itself after each build, and the servers follow', () => {
      expect(sectionOf(walked.builder, 'without a key')).toEqual(['ConditionResult=no']);
      for (const heading of ['confirmed', 'changed']) {
        expect(sectionOf(walked.builder, heading).toSorted()).toEqual(['ExecMainStatus=0', 'Result=success']);
      }
      const shown = servers.map((name) => {
        const [line = '', ready = ''] = sectionOf(walked[name], 'switched');
        const { snapshot } = JSON.parse(line) as { readonly snapshot: string };
        expect(JSON.parse(ready)).toMatchObject({ status: 'ready', snapshot, stale: false });
        return snapshot;
      });
      expect(shown[1]).toBe(shown[0]);
    });

    it('tries a push again when the object store is away, and alarms at once when a setting is wrong', () => {
      const lines = (heading: string) =>
        sectionOf(walked.builder, heading).filter((line) => !/^(?:Job for|See )/.test(line));
      expect(lines('unreachable').toSorted()).toEqual(['ExecMainStatus=1', 'SubState=auto-restart']);
      expect(lines('wrong')).toEqual([expect.stringMatching(/deals-push\.service failed \(exit status 2\)$/)]);
    });

    it('makes a builder of an empty machine, whose push follows what was published', () => {
      const [revision, ...result] = sectionOf(walked.builder, 'found').toReversed();
      expect(revision).toBe('as revision 4');
      expect(result.toSorted()).toEqual(['ExecMainStatus=0', 'Result=success']);
    });
  });
});
