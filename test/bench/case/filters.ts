import type { Bench } from '../bench.ts';
import { receive } from '../../support/receive.ts';
import { readCpuMicroseconds } from '../processes.ts';
import { median, type BenchLine } from '../table.ts';

const LIST = '/deals/v1/products/?expand=products(cheapestDeal)';

/** Combinations made to be slow: what only dear deals have, what hardly any deal has, what none has. */
const HARD = [
  'filter[totalCost]=gt{1600}',
  'filter[totalCost]=gte{1400}&filter[networks]=eq{moorland}',
  'filter[monthlyCost]=eq{123.45}',
  'filter[upfrontCost]=eq{199}&filter[networks]=eq{moorland,larkcall}&sort=products(contract-price-desc)',
  'filter[upfrontCost]=gt{0}&filter[upfrontCost]=lt{9.99}',
  'filter[upfrontCost]=ne{0}&filter[dataAllowance]=eq{1}&filter[contractLength]=eq{30}',
  'filter[dataAllowance]=eq{1}&filter[offers]=eq{gift}&filter[contractLength]=eq{36}&sort=products(total-cost-desc)',
  'filter[dataAllowance]=lte{2}&filter[offers]=eq{cashback}&filter[networks]=eq{emberly}',
  'filter[retailers]=eq{corvane-store}&filter[networks]=eq{tideline}&sort=products(upfront-cost-desc)',
  'filter[retailers]=eq{secondring}&filter[contractLength]=eq{18}&filter[upfrontCost]=eq{79}',
  'filter[retailers]=ne{handset-harbour,phonewright,dialstone}&filter[contractLength]=eq{12}',
  'filter[networks]=ne{corvane,tideline,northway,quartet}&filter[dataAllowance]=gte{500}',
  'filter[contractLength]=eq{18}&filter[dataAllowance]=eq{250}&filter[offers]=eq{cashback}',
  'filter[monthlyCost]=lt{12}&filter[upfrontCost]=gt{100}&sort=products(contract-price-asc)',
  'filter[totalCost]=gt{1000}&filter[totalCost]=lt{1000.50}',
  'filter[contractLength]=gt{24}&filter[upfrontCost]=eq{129.99}&filter[offers]=eq{gift}&filter[networks]=eq{fernlink}',
];

/** Filtered lists over a million deals, in processor time of the server; no response is cached. */
export async function measureFilters(bench: Bench): Promise<readonly BenchLine[]> {
  const { headers, isFull } = bench;
  const server = await bench.serve('--access-log', 'off');
  let spelling = 0;
  /** Milliseconds of one request; the kernel counts in ticks of 10 ms, so it is asked many times. */
  const measure = async (query: string, count: number): Promise<number> => {
    const before = readCpuMicroseconds(server.pid);
    for (let i = 0; i < count; i++) {
      // An empty pair is nothing (D4), and makes another target for the cache.
      const { status } = await receive(server.url, `${LIST}&${query}${'&'.repeat(++spelling % 500)}`, headers);
      if (status !== 200) throw new Error(`${query}: expected 200, got ${status}`);
    }
    return (readCpuMicroseconds(server.pid) - before) / 1_000 / count;
  };
  const count = isFull ? 40 : 2;
  const typical = 'filter[networks]=eq{northway}&filter[upfrontCost]=eq{0}&sort=products(total-cost-asc)';
  await measure(typical, count);
  const rounds = async (query: string): Promise<readonly number[]> => [
    await measure(query, count),
    await measure(query, count),
    await measure(query, count),
  ];
  const worst = { query: '', times: [0] as readonly number[] };
  for (const query of HARD) {
    const times = await rounds(query);
    if (median(times) > median(worst.times)) Object.assign(worst, { query, times });
  }
  return [
    { what: 'list over 1M deals by network and upfront cost', atMost: 4, unit: 'ms', reached: await rounds(typical) },
    { what: 'the same, the worst of some filters', atMost: 40, unit: 'ms', reached: worst.times, note: worst.query },
    { what: 'search by name', atMost: 4, unit: 'ms', reached: await rounds('filter[name]=has{galaxy+s}') },
  ];
}
