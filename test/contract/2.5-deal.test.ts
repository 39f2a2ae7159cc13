import { afterAll, describe, expect, it } from 'vitest';
import { DEAL_FIELDS } from '../../data/field/deal.ts';
import { dealIds, serve } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

const { deals = [] } = await server.read('/deals/v1/products/?expand=products(deals)&limit=100');
const dealOf = (id: string): Readonly<Record<string, string>> => {
  const deal = deals[dealIds(deals).indexOf(id)];
  if (deal === undefined) throw new Error(`expected deal ${id} among ${dealIds(deals).join(', ')}`);
  return deal;
};

describe('a deal (§2.5)', () => {
  it('shows its plan, its prices, its product and its suppliers as texts (D10)', () => {
    expect(dealOf('P9-C')).toEqual({
      dealType: 'contract',
      contractName: 'Essential 4GB',
      contractLength: '24',
      friendlyContractLength: '24 months',
      contractSupplierId: '21',
      contractSupplierName: 'O2',
      smallNetworkImage: 'https://deals.test/images/aaaaaaaaaaaaaaaa/o2-small.webp',
      mediumNetworkImage: 'https://deals.test/images/aaaaaaaaaaaaaaaa/o2-medium.webp',
      largeNetworkImage: 'https://deals.test/images/aaaaaaaaaaaaaaaa/o2-large.webp',
      largeRetailerImage: 'https://cdn.example/corner/large.webp',
      dataAllowance: '0.5',
      friendlyDataAllowance: '500MB',
      callAllowance: '999999',
      friendlyCallAllowance: 'Unlimited minutes',
      textAllowance: '999999',
      friendlyTextAllowance: 'Unlimited texts',
      dealLink: 'https://shop.example/deal?id=P9-C&from=site',
      condition: 'New',
      cashbackType: 'Automatic cashback',
      cashbackValue: '50.00',
      totalDealCost: '529.75',
      supplierId: '3',
      supplierName: 'Corner "Shop"',
      productUpfrontCost: '49.99',
      supplierContractPrice: '19.99',
      giftImg: '',
      giftName: '',
      productImg: 'https://deals.test/images/706978656c2d392d/large-front.webp',
      productName: 'Google Pixel 9 128GB',
    });
  });

  it('has exactly the documented keys, in one fixed order, cashback in cashback deals only (D10)', () => {
    for (const deal of deals) {
      const hasCashback = ['P9-C', 'RI-A'].includes(dealIds([deal])[0] ?? '');
      const keys = DEAL_FIELDS.map(({ key }) => key).filter((key) => hasCashback || !key.startsWith('cashback'));
      expect(Object.keys(deal)).toEqual(keys);
    }
  });

  it.each([
    ['P9-A', { dataAllowance: '4', friendlyDataAllowance: '4GB' }],
    ['P9-C', { dataAllowance: '0.5', friendlyDataAllowance: '500MB' }],
    ['P9-D', { dataAllowance: '999999', friendlyDataAllowance: 'Unlimited data' }],
    ['R9-A', { dataAllowance: '1.5', friendlyDataAllowance: '1.5GB' }],
    ['R9-B', { dataAllowance: '0', friendlyDataAllowance: '0GB' }],
    ['N-B', { dataAllowance: '100', friendlyDataAllowance: '100GB' }],
    ['PLUS-A', { dataAllowance: '0.999', friendlyDataAllowance: '999MB' }],
    ['P256-A', { callAllowance: '1', friendlyCallAllowance: '1 minute' }],
    ['P256-A', { textAllowance: '1', friendlyTextAllowance: '1 text' }],
    ['P256-B', { callAllowance: '500', friendlyCallAllowance: '500 minutes' }],
    ['P256-B', { textAllowance: '0', friendlyTextAllowance: '0 texts' }],
    ['P8-A', { callAllowance: '5000', friendlyCallAllowance: '5000 minutes' }],
    ['Z-A', { textAllowance: '250', friendlyTextAllowance: '250 texts' }],
    ['P9-A', { callAllowance: '999999', friendlyCallAllowance: 'Unlimited minutes' }],
    ['P9-A', { textAllowance: '999999', friendlyTextAllowance: 'Unlimited texts' }],
    ['N-A', { contractLength: '1', friendlyContractLength: '1 month' }],
    ['P9-D', { contractLength: '36', friendlyContractLength: '36 months' }],
    ['P9-A', { productUpfrontCost: '0.00', supplierContractPrice: '29.99', totalDealCost: '719.76' }],
    ['P256-A', { productUpfrontCost: '0.01' }],
    ['RI-A', { cashbackType: 'Cashback by "claim"', cashbackValue: '0.01', condition: 'Refurbished' }],
    ['RI-A', { giftName: 'Smart watch', giftImg: '' }],
    ['P9-D', { giftName: 'Wireless "earbuds"', giftImg: 'https://cdn.example/gift/earbuds.webp' }],
    ['R9-B', { giftName: 'A bag & "tag"', giftImg: '' }],
    ['N-A', { productImg: 'https://feed.example/nokia-105.jpg', dealType: 'sim-free' }],
    ['N-B', { productImg: '' }],
    ['P8-A', { productImg: '', totalDealCost: '339.77' }],
    ['I-2', { largeRetailerImage: '', supplierName: 'buy & go', largeNetworkImage: '', smallNetworkImage: '' }],
  ])('%s shows %j (D10)', (id, shown) => {
    expect(dealOf(id)).toMatchObject(shown);
  });

  it('can be tied to its product by name and condition (D10)', async () => {
    const { products } = await server.read('/deals/v1/products/?limit=100');
    for (const { productName = '', condition } of deals) {
      expect(products.filter(({ name }) => name === productName)).toHaveLength(1);
      expect(condition).toBe(productName.startsWith('Refurbished') ? 'Refurbished' : 'New');
    }
  });
});
