import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMissing, tool } from '../fault/needs.ts';
import { PROGRAM_ROOT } from '../fault/program.ts';
import { findUnknownWords, readDeployed } from './deployed.ts';
import { boot, createMachine, type Machine } from './machine.ts';

const GUIDE = readDeployed('README.md');
const MANY = readFileSync(join(PROGRAM_ROOT, 'data/spec/many-machines.md'), 'utf8');

const ALARMS = 'journalctl --identifier=deals-alarm --output=cat --no-pager';

/** Before the first block: the hosts of the sources are there. */
const BEFORE = `
set -euo pipefail
# systemd-nspawn lays another id of the start over that of the kernel, and the mounts of a unit uncover it; a machine has one.
umount /proc/sys/kernel/random/boot_id
cd /root
node /walk/sources.mjs &
heading() { echo; echo "== $*"; }
`;

/** What the guide says for a machine with a network, and what stands for it here. */
const ONLINE = 'apt-get install --yes --no-install-recommends curl openssl unzip nginx-light';
const OFFLINE = 'type curl openssl unzip nginx';

/** What befalls the machine between the blocks of the guide: a script, after the first block with these words. */
const EVENTS: Readonly<Record<string, string>> = {
  'install.sh --dry-run': `
heading second run
package/server/deploy/install.sh
heading refused
package/server/deploy/install.sh DEALS_ROLE=other || echo "status $?"
package/server/deploy/install.sh DEALS_CERTIFICATE=/none || echo "status $?"
package/server/deploy/install.sh DEALS_CERTIFICATE=/etc/ssl/deals/fullchain.pem
nginx -t -q && echo 'a sound site'
rm -r package`,
  'install -o deals -m 600 /dev/null': `
sed -i -E 's|https://[a-z]+\\.example\\.com|http://127.0.0.1:9999|' /etc/deals/fetch/sources.list
echo DEALS_FETCH_PROTO==http >/etc/deals/fetch/fetch.env`,
  'deals-alert@trial': `
systemctl start deals-build`,
  'list-timers': `
heading a bad night
sed -i '1000,$d' /walk/sources/feeds/deals.csv
systemctl start deals-build
for _ in $(seq 50); do ${ALARMS} | grep -q 'exit status 4' && break; sleep 0.2; done
${ALARMS}
deals status || echo "status $?"
heading a refused night
rm /srv/deals/cms/site/site.json /walk/sources/export/deals.json
systemctl start deals-build 2>/dev/null || echo "status $(systemctl show --property=ExecMainStatus --value deals-build)"
for _ in $(seq 50); do ${ALARMS} | grep -q 'exit status 3' && break; sleep 0.2; done
${ALARMS} | grep -E 'exit status [13]|gate refused|could not be fetched'
curl --silent --fail http://127.0.0.1:8080/health/ready; echo`,
  'deals rollback': `
heading after the rollback
sleep 2
curl --silent --fail http://127.0.0.1:8080/health/ready; echo
heading other names
curl --silent --output /dev/null --write-out '%{http_code} %{redirect_url}\\n' --header 'Host: other.example' http://127.0.0.1/
heading owners
stat -c '%U %a %n' /etc/deals/deals.env /etc/deals/keys/keys.json /etc/deals/fetch/sources.list /var/lib/deals/current.json
heading rights
pid=$(systemctl show --property=MainPID --value deals-serve)
try() { nsenter --target "$pid" --mount -- runuser -u deals -- bash -c "$1" >/dev/null 2>&1 && echo "may: $1" || echo "may not: $1"; }
try 'test -r /var/lib/deals/current.json'
try 'touch /var/lib/deals/x'
try 'touch /etc/deals/keys/x'
try 'ls /srv/deals'
try 'ls /etc/deals/fetch'
grep -E '^(NoNewPrivs|Seccomp|CapEff)' "/proc/$pid/status" | tr '\\t' ' '
spy() { systemd-run --quiet --unit=deals-spy --wait --pipe bash -c "$1" >/dev/null 2>&1 && echo "a service may: $1" || echo "a service may not: $1"; }
spy 'ls /srv/deals'
spy "cat /proc/$pid/environ"
spy "ls /proc/$pid/root/etc/deals/keys"
heading many
printf 'DEALS_REMOTE=file:///walk/bucket\\n' >/etc/deals/remote.env
install -d -o deals /walk/bucket
install -d /etc/systemd/system/deals-push.service.d
printf '[Service]\\nReadWritePaths=/walk/bucket\\n' >/etc/systemd/system/deals-push.service.d/bucket.conf
/opt/deals/server/deploy/install.sh DEALS_ROLE=builder
systemctl is-active deals-serve deals-build.timer || true
systemctl start deals-push
/opt/deals/server/deploy/install.sh DEALS_ROLE=server DEALS_SERVERS='127.0.0.1:8080 10.0.0.12:8080'
for _ in $(seq 50); do grep -q revision /var/lib/deals/pull.json 2>/dev/null && break; sleep 0.2; done
curl --silent --fail --retry 10 --retry-connrefused http://127.0.0.1:8080/health/ready; echo
grep 'max_conns' /etc/nginx/conf.d/deals.conf
/opt/deals/server/deploy/install.sh DEALS_ROLE=one DEALS_SERVERS=127.0.0.1:8080
systemctl is-active deals-serve deals-build.timer deals-pull || true`,
  'mobile-deals-catalogue-1.0.1': `
heading upgraded
deals --version`,
  '/opt/deals-1.0.0-': `
heading back
deals --version
curl --silent --fail --retry 10 --retry-connrefused http://127.0.0.1:8080/health/ready; echo`,
  '--uninstall': `
heading left
tar -xzf mobile-deals-catalogue-1.0.0.tgz
package/server/deploy/install.sh --uninstall
package/server/deploy/install.sh
package/server/deploy/install.sh --uninstall --purge | tail -n 4`,
};

/** The script of the blocks of the guide that a reader pastes, each under its first line as a heading. */
function writeWalk(): string {
  const left = new Set(Object.keys(EVENTS));
  const blocks = Array.from(GUIDE.matchAll(/```sh\n([^]*?)```/g), ([, text = '']) => text.replace(ONLINE, OFFLINE));
  const walked = blocks.map((block) => {
    const then = Object.entries(EVENTS).filter(([words]) => block.includes(words) && left.delete(words));
    return [`heading '${block.split('\n')[0]}'`, block, ...then.map(([, script]) => script)].join('\n');
  });
  if (left.size > 0) throw new Error(`no block with ${[...left].join(', ')}`);
  return [BEFORE, ...walked].join('\n');
}

/** A line without what differs from run to run. */
const common = (line: string): string =>
  line.replaceAll(/\d{8}T\d{4}Z-[0-9a-f]{8}/g, '<id>').replaceAll(/\d+(?:\.\d+)? ?(?:s\b|bytes|files)/g, '<n>');

describe('the pages of operators', () => {
  it('use commands and flags that there are', () => {
    const lines = `${GUIDE}\n${MANY}`.split('\n');
    const texts = lines.flatMap((line) => [...line.matchAll(/(?:^|`|[;(] ?|-- )deals ([a-z][^`;)'|]*)/g)]);
    const words = texts.map(([, text = '']) => text.trim().split(/\s+/));
    expect(words.length).toBeGreaterThan(10);
    expect(words.flatMap(findUnknownWords)).toEqual([]);
  });
});

const needs = [boot, tool('nginx'), tool('openssl'), tool('npm')];
describe.skipIf(isMissing('the walk of the guide', ...needs))(
  'the guide, walked from the first line to the last',
  () => {
    let machine: Machine;
    let walked: string;
    /** What was written after a heading. */
    const section = (heading: string): readonly string[] => {
      const [, text = ''] = walked.split(`== ${heading}\n`);
      return (text.split('\n== ')[0] ?? '').trim().split('\n');
    };

    beforeAll(async () => {
      machine = createMachine();
      walked = await machine.walk(writeWalk());
    }, 580_000);
    afterAll(() => machine?.remove());

    it('says first what it would do, does it, and has nothing to do the second time', () => {
      const lines = section('type curl openssl unzip nginx').filter(
        (line) => !/^(?:\w+ is |deals_|\/etc.* added)/.test(line),
      );
      const would = lines.filter((line) => line.startsWith('would ')).map((line) => line.slice('would '.length));
      expect(would.length).toBeGreaterThan(20);
      expect(lines.slice(would.length)).toEqual(would);
      expect(section('second run')).toEqual([
        expect.stringMatching(/^nothing to change: \/opt\/deals-1\.0\.0-\w{8} is installed$/),
      ]);
    });

    it('refuses a setting that is wrong, and keeps the site when nginx does not take a new one', () => {
      const lines = section('refused').filter((line) => !line.startsWith('nginx: '));
      expect(lines[0]).toBe('DEALS_ROLE: expected one, builder, server or edge, got other');
      expect(lines.filter((line) => line.startsWith('status'))).toEqual(['status 2', 'status 1']);
      expect(lines.at(-1)).toBe('a sound site');
    });

    it('serves through nginx what it built, with a key', () => {
      expect(walked).toContain('"name":"Kestrel K9 128GB"');
      expect(section('other names')).toEqual(['308 https://other.example/']);
      expect(walked).toContain('a trial of the alarm');
    });

    it('shows nights as they are', () => {
      const shown = [...GUIDE.matchAll(/```text\n([^]*?)```/g)].flatMap(([, text = '']) => text.trim().split('\n'));
      expect(shown.length).toBeGreaterThan(4);
      const said = walked.split('\n').map(common);
      expect(shown.map(common).filter((line) => !said.some((each) => each.endsWith(line)))).toEqual([]);
    });

    it('alarms when a source is held and when a build is refused, and goes on serving', () => {
      expect(section('a bad night').filter((line) => line.includes('exit status'))).toHaveLength(1);
      expect(section('a bad night').join('\n')).toMatch(
        /to take house as it is now: deals build .*--accept lost:house\nstatus 4$/,
      );
      expect(section('a refused night')).toEqual([
        'status 3',
        expect.stringMatching(/deals-fetch\.service failed \(exit status 1\)$/),
        expect.stringContaining('a source could not be fetched'),
        expect.stringMatching(/deals-build\.service failed \(exit status 3\)$/),
        expect.stringContaining('a gate refused what was built'),
        expect.stringMatching(/"status":"ready".*"stale":false/),
      ]);
    });

    it('goes back to the snapshot before', () => {
      const [, before] = /Published (\S+):/.exec(walked) ?? [];
      expect(section('after the rollback')).toEqual([expect.stringContaining(`"snapshot":"${before}"`)]);
    });

    it('lets the server read the store and its keys, write nothing, and have no privilege', () => {
      expect(section('owners')).toEqual([
        'root 600 /etc/deals/deals.env',
        'deals 600 /etc/deals/keys/keys.json',
        'deals 600 /etc/deals/fetch/sources.list',
        'deals 600 /var/lib/deals/current.json',
      ]);
      expect(section('rights')).toEqual([
        'may: test -r /var/lib/deals/current.json',
        'may not: touch /var/lib/deals/x',
        'may not: touch /etc/deals/keys/x',
        'may not: ls /srv/deals',
        'may not: ls /etc/deals/fetch',
        'CapEff: 0000000000000000',
        'NoNewPrivs: 1',
        'Seccomp: 2',
        expect.stringMatching(/^Seccomp_filters: \d+$/),
        // All run as one user, and none may look into another.
        'a service may: ls /srv/deals',
        expect.stringMatching(/^a service may not: cat \/proc\/\d+\/environ$/),
        expect.stringMatching(/^a service may not: ls \/proc\/\d+\/root\/etc\/deals\/keys$/),
      ]);
    });

    it('becomes a builder, a server that pulls, and one machine again', () => {
      const states = section('many').filter((line) => !/^(?:write|remove|let|start|restart|stop|wait) /.test(line));
      const server = 'max_conns=256 max_fails=1 fail_timeout=2s;';
      expect(states).toEqual([
        'inactive',
        'active',
        expect.stringMatching(/"status":"ready"/),
        `  server 127.0.0.1:8080 ${server}`,
        `  server 10.0.0.12:8080 ${server}`,
        'active',
        'active',
        'inactive',
      ]);
    });

    it('is upgraded by a newer package, and goes back by the older one', () => {
      expect(section('upgraded')).toEqual(['1.0.1']);
      expect(section('back')).toEqual(['1.0.0', expect.stringMatching(/"status":"ready"/)]);
    });

    it('is uninstalled with its data kept, or with nothing left', () => {
      const [nothing, ...lines] = section('left');
      expect(nothing).toBe('nothing to remove');
      expect(lines.filter((line) => /^(?:add the user|make the folder|make a key)/.test(line))).toEqual([]);
      expect(lines.slice(-4)).toEqual([
        'delete /etc/deals',
        'delete /srv/deals',
        'delete /var/lib/deals',
        'remove the user deals',
      ]);
    });
  },
);
