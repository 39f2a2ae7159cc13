/** A program that reads the sample by the generated client, with nothing but its types. */
export const CLIENT_READER = `
import { defaults, findProduct, listNetworks, listProducts, type Problem, type Product } from './client.ts';

const [url = '', key = ''] = process.argv.slice(2);
defaults.baseUrl = url;
defaults.headers = { 'x-api-key': key };

const list = await listProducts({
  filterCondition: ['eq{new}'],
  filterMonthlyCost: ['gte{20}', 'lt{40}'],
  expand: 'products(cheapestDeal)',
  sort: 'products(total-cost-asc)',
  limit: '2',
});
if (list.status !== 200) throw new Error('the list was refused');
const cheapest: Product | undefined = list.data.products[0];
const monthly: number | undefined = cheapest?.cheapestDeal?.monthlyContractPrice;

const one = await findProduct('101', { filterCondition: ['eq{new}'], expand: 'products(deals)', limit: 'deals(3)' });
if (one.status !== 200) throw new Error('the product was refused');
const deals: string[] = (one.data.deals ?? []).map((deal) => deal.totalDealCost);

const networks = await listNetworks();
if (networks.status !== 200) throw new Error('the networks were refused');

const refused = await listProducts({ filterCondition: ['eq{New}'] });
if (refused.status !== 400) throw new Error('a misspelled word was let through');
const problem: Problem = refused.data;

console.log(
  JSON.stringify({
    cheapest: { name: cheapest?.name, monthly },
    deals,
    networks: networks.data.networks.map(({ slug }) => slug),
    refused: { code: problem.code, suggestion: problem.errors[0]?.suggestion },
  }),
);
`;
