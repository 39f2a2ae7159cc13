import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMissing, tool } from '../fault/needs.ts';
import { boot, type Machine } from './booted-machine.ts';
import { findUnknownWords } from './deals-words.ts';
import { readDeployed } from './deploy-folder.ts';
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

const README = readDeployed('README.md');
/** What a server at work answers after the switch, and after its restart. */
const SWITCH = [
  'mv -T /opt/deals.new /opt/deals',
  `page() { curl --silent --show-error --fail http://127.0.0.1:8080/ | grep --count 'of the second version' || true; }
mv -T /opt/deals.new /opt/deals
for name in index.html page.css; do echo '<!-- of the second version -->' >>/opt/deals-2/server/page/$name; done
{ set +x; } 2>/dev/null
heading switched
page
heading going on`,
] as const;

/** When all of it stands: what is promised of it. */
const THEN = `
heading restarted
page
journalctl --unit=deals-serve --output=cat --no-pager | grep -o '"event":"stopping","signal":"SIGTERM"'
heading other names
curl --silent --output /dev/null --write-out '%{http_code} %{redirect_url}\\n' --header 'Host: other.example' http://127.0.0.1/
heading listening
systemctl is-active deals-serve nginx deals-build.timer
heading metrics
curl --silent --fail http://127.0.0.1:9180/metrics | grep '^deals_last_build_outcome'
heading owners
stat -c '%U:%G %a %n' /etc/deals/keys/keys.json /etc/deals/fetch/sources.list /var/lib/deals /srv/deals/feeds/house/deals.csv
heading rights
pid=$(systemctl show --property=MainPID --value deals-serve)
try() { nsenter --target "$pid" --mount -- runuser -u deals-serve -- bash -c "$1" 2>/dev/null && echo "may: $1" || echo "may not: $1"; }
try 'test -r /var/lib/deals/current.json'
try 'touch /var/lib/deals/x'
try 'touch /etc/deals/keys/x'
try 'ls /srv/deals'
grep -E '^(NoNewPrivs|Seccomp|CapEff)' "/proc/$pid/status" | tr '\\t' ' '
heading refused
rm -f /etc/deals/fetch/sources.list
sed -i '300,$d' /srv/deals/feeds/house/deals.csv
systemctl start deals-build
echo "held: status $(systemctl show --property=ExecMainStatus --value deals-build)"
for _ in $(seq 50); do journalctl -t deals-alarm --output=cat --no-pager | grep -q 'exit status 4' && break; sleep 0.2; done
rm /srv/deals/cms/site/site.json
systemctl start deals-build && echo 'it was published' || echo "status $(systemctl show --property=ExecMainStatus --value deals-build)"
for _ in $(seq 50); do journalctl -t deals-alarm --output=cat --no-pager | grep -q 'exit status 3' && break; sleep 0.2; done
journalctl -t deals-alarm --output=cat --no-pager | grep -E 'exit status|gate refused|it published'
curl --silent --fail http://127.0.0.1:8080/health/ready; echo
heading held
perl -e 'open(F, "+>", "/var/lib/deals/build.lock"); my $l = pack("s s x4 l! l! l x4", 1, 0, 0, 0, 0); fcntl(F, 6, $l) or die $!; sleep 100' &
holder=$!
sleep 1
chown deals-build:deals /var/lib/deals/build.lock
systemctl start --no-block deals-build
for _ in $(seq 100); do [[ $(systemctl show --property=SubState --value deals-build) == auto-restart ]] && break; sleep 0.2; done
systemctl show --property=SubState,ExecMainStatus deals-build
systemctl stop deals-build 2>/dev/null
kill "$holder"
heading stopped
systemctl stop deals-serve
systemctl show --property=Result,ExecMainStatus deals-serve
`;

describe('the README of the deployment', () => {
  it('uses commands and flags that there are', () => {
    const lines = README.split('\n').flatMap((line) => [...line.matchAll(/(?:^|`|[;(] ?|-- )deals ([a-z][^`;)'|]*)/g)]);
    const words = lines.map(([, text = '']) => text.trim().split(/\s+/)).filter(([, second]) => second !== undefined);
    expect(words.length).toBeGreaterThan(4);
    expect(words.flatMap(findUnknownWords)).toEqual([]);
  });

  describe.skipIf(isMissing('the walk of the README', boot, tool('nginx'), tool('git'), tool('openssl')))(
    'walked on a machine of its own',
    () => {
      let machine: Machine;
      /** What the lines wrote. */
      let walked: string;

      beforeAll(async () => {
        machine = createWalkMachine();
        walked = await walk(
          machine,
          [BEFORE, writeWalk(findBlocks(README), [...OFFLINE, SWITCH], [LOCAL_SOURCES]), THEN].join('\n'),
        );
      }, 280_000);
      afterAll(() => machine.remove());

      it('goes from the first line to the last', () => {
        expect(sectionOf(walked, 'listening')).toEqual(['active', 'active', 'active']);
        expect(walked).toContain('"name":"Kestrel K9 128GB"');
        expect(sectionOf(walked, 'metrics')).toContain('deals_last_build_outcome{outcome="unchanged"} 1');
      });

      it('serves whole pages of the old version until the restart, and then of the new one', () => {
        expect(sectionOf(walked, 'switched')).toEqual(['0']);
        expect(sectionOf(walked, 'restarted')).toEqual(['1', '"event":"stopping","signal":"SIGTERM"']);
      });

      it('answers other names by its own site, and by no page of the distribution', () => {
        expect(sectionOf(walked, 'other names')).toEqual(['308 https://other.example/']);
      });

      it('leaves files with those whom they belong to', () => {
        expect(sectionOf(walked, 'owners')).toEqual([
          'deals-serve:deals-serve 600 /etc/deals/keys/keys.json',
          'deals-fetch:deals 600 /etc/deals/fetch/sources.list',
          'deals-build:deals 750 /var/lib/deals',
          'deals-fetch:deals 644 /srv/deals/feeds/house/deals.csv',
        ]);
      });

      it('lets the server read the store and nothing else, write nothing, and have no privilege', () => {
        expect(sectionOf(walked, 'rights')).toEqual([
          'may: test -r /var/lib/deals/current.json',
          'may not: touch /var/lib/deals/x',
          'may not: touch /etc/deals/keys/x',
          'may not: ls /srv/deals',
          'CapEff: 0000000000000000',
          'NoNewPrivs: 1',
          'Seccomp: 2',
          expect.stringMatching(/^Seccomp_filters: \d+$/),
        ]);
      });

      it('tells that a source is held, alarms when a gate refuses, and goes on serving', () => {
        const lines = sectionOf(walked, 'refused').filter((line) => !/^(?:Job for|See )/.test(line));
        expect(lines).toEqual([
          'held: status 4',
          'status 3',
          expect.stringMatching(/deals-build\.service needs someone to look \(exit status 4\)$/),
          expect.stringContaining('it published, but a source was held'),
          expect.stringMatching(/deals-build\.service failed \(exit status 3\)$/),
          expect.stringContaining('a gate refused what was built'),
          expect.stringMatching(/"status":"ready".*"stale":false/),
        ]);
      });

      it('tries again when the store is held', () => {
        expect(sectionOf(walked, 'held').toSorted()).toEqual(['ExecMainStatus=75', 'SubState=auto-restart']);
      });

      it('stops in time, and soundly', () => {
        expect(sectionOf(walked, 'stopped').toSorted()).toEqual(['ExecMainStatus=0', 'Result=success']);
      });
    },
  );
});
