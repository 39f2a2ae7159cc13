import type { Bench } from '../bench.ts';
import { receive } from '../../support/receive.ts';
import { readCpuMicroseconds } from '../processes.ts';
import { median, type BenchLine } from '../table.ts';

const LIST = '/deals/v1/products/?expand=products(cheapestDeal)&';
const FACETS = 'facets=networks,retailers,manufacturers,condition,offers,contractLength';
/** Five filters that nearly all deals pass, so that every deal is tried for each of them. */
const PASSING =
  'filter[monthlyCost]=gte{1}&filter[totalCost]=gte{1}&filter[upfrontCost]=gte{0}&filter[dataAllowance]=gte{0}&filter[networks]=ne{moorland}';

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

/** Filtered lists, counts and deals over a million deals, in processor time of the server; no response is cached. */
export async function measureFilters(bench: Bench): Promise<readonly BenchLine[]> {
  const { headers, isFull } = bench;
  const server = await bench.serve('--access-log', 'off');
  let spelling = 0;
  /** Milliseconds of one request; the kernel counts in ticks of 10 ms, so it is asked many times. */
  const measure = async (target: string, count: number): Promise<number> => {
    const before = readCpuMicroseconds(server.pid);
    for (let i = 0; i < count; i++) {
      // An empty pair is nothing (D4), and makes another target for the cache.
      const { status } = await receive(server.url, `${target}${'&'.repeat(++spelling % 500)}`, headers);
      if (status !== 200) throw new Error(`${target}: expected 200, got ${status}`);
    }
    return (readCpuMicroseconds(server.pid) - before) / 1_000 / count;
  };
  const count = isFull ? 40 : 2;
  const typical = `${LIST}filter[networks]=eq{northway}&filter[upfrontCost]=eq{0}&sort=products(total-cost-asc)`;
  await measure(typical, count);
  const rounds = async (target: string): Promise<readonly number[]> => [
    await measure(target, count),
    await measure(target, count),
    await measure(target, count),
  ];
  const worst = { query: '', times: [0] as readonly number[] };
  for (const query of HARD) {
    const times = await rounds(`${LIST}${query}`);
    if (median(times) > median(worst.times)) Object.assign(worst, { query, times });
  }
  return [
    { what: 'list over 1M deals by network and upfront cost', atMost: 4, unit: 'ms', reached: await rounds(typical) },
    { what: 'the same, the worst of some filters', atMost: 40, unit: 'ms', reached: worst.times, note: worst.query },
    { what: 'search by name', atMost: 4, unit: 'ms', reached: await rounds(`${LIST}filter[name]=has{galaxy+s}`) },
    { what: 'all six facets', atMost: 60, unit: 'ms', reached: await rounds(`${LIST}${FACETS}`) },
    {
      what: 'the same with filters that pass',
      atMost: 150,
      unit: 'ms',
      reached: await rounds(`${LIST}${FACETS}&${PASSING}`),
    },
    { what: 'the first page of all deals', atMost: 15, unit: 'ms', reached: await rounds('/deals/v1/deals/?') },
  ];
}
