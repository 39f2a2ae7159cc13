import { afterAll, describe, expect, it } from 'vitest';
import { SIZE_BOX } from '../../data/field/image.ts';
import { MAX_TARGET_BYTES } from '../../data/query/parameter.ts';
import { UNLIMITED_MARKER } from '../../data/record/amount.ts';
import { expectProblem } from './expect-problem.ts';
import { dealIds, serve } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

describe('limits (§8)', () => {
  it('999999 marks unlimited in every allowance', async () => {
    const { deals } = await server.read('/deals/v1/products/101/?expand=deals&filter[dataAllowance]=eq{unlimited}');
    expect(deals).toMatchObject([{ dataAllowance: '999999', callAllowance: '999999', textAllowance: '999999' }]);
    expect(UNLIMITED_MARKER).toBe(999_999);
  });

  it('pictures are 200 x 400, 100 x 200 and 60 x 120', () => {
    expect(SIZE_BOX).toEqual({
      large: { width: 200, height: 400 },
      medium: { width: 100, height: 200 },
      small: { width: 60, height: 120 },
    });
  });

  it('a request target may be 8 KiB long and no longer (D4)', async () => {
    const target = '/deals/v1/products/9/?expand=deals';
    const longest = target + '&'.repeat(MAX_TARGET_BYTES - target.length);
    expect((await server.ask(longest)).status).toBe(200);
    expectProblem(await server.ask(`${longest}&`), 'target-too-long');
  });

  it('a ceiling on the deals of one answer may be set, and limit=deals(n) keeps below it (D15)', async () => {
    const small = await serve({ start: { settings: { maxDealsPerAnswer: 4 } } });
    try {
      expect(dealIds((await small.read('/deals/v1/products/10/?expand=deals&limit=1')).deals)).toHaveLength(4);
      const problem = expectProblem(await small.ask('/deals/v1/products/10/?expand=deals'), 'too-many-deals');
      expect(JSON.stringify(problem)).toContain('limit=deals(');
      expect(dealIds((await small.read('/deals/v1/products/10/?expand=deals&limit=deals(2)')).deals)).toHaveLength(3);
      expect((await small.ask('/deals/v1/products/10/?expand=cheapestDeal')).status).toBe(200);
    } finally {
      await small.close();
    }
  });
});
