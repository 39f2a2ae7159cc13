import { afterAll, describe, expect, it } from 'vitest';
import { CHEAPEST_DEAL_FIELDS } from '../../data/field/deal.ts';
import { serve } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

const cheapestOf = async (id: string, query = 'filter[condition]=eq{new}'): Promise<Record<string, unknown>> => {
  const { products } = await server.read(`/deals/v1/products/${id}/?${query}&expand=products(cheapestDeal)`);
  return products[0]?.['cheapestDeal'] as Record<string, unknown>;
};

describe('the cheapest deal (§2.10)', () => {
  it('is one object with decimals as numbers and the currency symbol under both spellings (D11)', async () => {
    const cheapest = await cheapestOf('101');
    expect(cheapest).toEqual({
      upfrontProductCost: 49.99,
      monthlyContractPrice: 19.99,
      totalContractCost: 529.75,
      currencyLabel: '£',
      currenyLabel: '£',
      monthlyTextAllowance: '999999',
      monthlyFriendlyTextAllowance: 'Unlimited',
      monthlyTextAllowanceLabel: 'texts',
      monthlyCallAllowance: '999999',
      monthlyFriendlyCallAllowance: 'Unlimited',
      monthlyCallAllowanceLabel: 'minutes',
      monthlyDataAllowance: '0.5',
      monthlyFriendlyDataAllowance: '500',
      monthlyDataAllowanceLabel: 'MB',
      contractLength: '24',
      contractLengthLabel: 'months',
      contractSupplierId: '21',
      contractSupplierName: 'O2',
      contractSupplierLogo: 'https://cdn.example/o2/deal.webp',
      retailSupplierId: '3',
      retailSupplierName: 'Corner "Shop"',
      retailSupplierLogo: 'https://deals.test/images/bbbbbbbbbbbbbbbb/corner-deal.webp',
      purchaseLink: 'https://shop.example/deal?id=P9-C&from=site',
    });
    expect(Object.keys(cheapest).sort()).toEqual(CHEAPEST_DEAL_FIELDS.map(({ key }) => key).sort());
  });

  it.each([
    ['102', { upfrontProductCost: 0.01, monthlyContractPrice: 29, totalContractCost: 696.01 }],
    ['102', { monthlyFriendlyCallAllowance: '1', monthlyCallAllowanceLabel: 'minutes' }],
    ['102', { monthlyFriendlyTextAllowance: '1', monthlyTextAllowanceLabel: 'texts' }],
    ['102', { monthlyFriendlyDataAllowance: '4', monthlyDataAllowanceLabel: 'GB', monthlyDataAllowance: '4' }],
    ['9', { contractLength: '1', contractLengthLabel: 'month' }],
    ['12', { monthlyCallAllowance: '5000', monthlyFriendlyCallAllowance: '5000', upfrontProductCost: 100 }],
    ['300', { monthlyFriendlyDataAllowance: '999', monthlyDataAllowanceLabel: 'MB', monthlyDataAllowance: '0.999' }],
    ['10', { retailSupplierLogo: 'https://deals.test/images/bbbbbbbbbbbbbbbb/corner-deal.webp' }],
    ['10', { contractSupplierLogo: '' }],
  ])('of product %s shows %j (D11)', async (id, shown) => {
    expect(await cheapestOf(id)).toMatchObject(shown);
  });

  it.each([
    ['filter[dataAllowance]=eq{unlimited}', '999999', 'Unlimited', ''],
    ['filter[dataAllowance]=gt{0.5}', '4', '4', 'GB'],
  ])('with %s shows %s as %j %j (D11)', async (filter, allowance, friendly, label) => {
    expect(await cheapestOf('101', `filter[condition]=eq{new}&${filter}`)).toMatchObject({
      monthlyDataAllowance: allowance,
      monthlyFriendlyDataAllowance: friendly,
      monthlyDataAllowanceLabel: label,
    });
  });

  it('without any data says 0 GB (D11)', async () => {
    const query = 'filter[condition]=eq{refurbished}&filter[offers]=eq{gift}';
    expect(await cheapestOf('101', query)).toMatchObject({
      monthlyDataAllowance: '0',
      monthlyFriendlyDataAllowance: '0',
      monthlyDataAllowanceLabel: 'GB',
    });
  });

  it.each([
    ['', 'id=I-10&'],
    ['&filter[retailers]=ne{corner-shop}', 'id=I-1-alpha&'],
    ['&filter[retailers]=eq{buy-and-go}', 'id=I-2&'],
  ])('of deals that cost the same goes by retailer, key and feed%s (D11)', async (filter, link) => {
    expect((await cheapestOf('10', `filter[condition]=eq{new}${filter}`))['purchaseLink']).toContain(link);
  });

  it('is the cheapest of those that satisfy the filters, and absent when none does (D11)', async () => {
    expect(await cheapestOf('101', 'filter[condition]=eq{new}&filter[upfrontCost]=eq{0}')).toMatchObject({
      totalContractCost: 719.76,
    });
    expect(await cheapestOf('101', 'filter[upfrontCost]=gt{5000}')).toBeUndefined();
    expect(await cheapestOf('1000')).toBeUndefined();
  });
});
