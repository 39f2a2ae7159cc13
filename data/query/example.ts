import type { EndpointName } from './endpoint.ts';

/** A request that the sample catalogue answers, as somebody would write it: nothing is percent-encoded. */
export interface ExampleRequest {
  readonly summary: string;
  readonly target: string;
}

/** Requests to begin with, by endpoint. */
export const EXAMPLE_REQUESTS: Readonly<Record<EndpointName, readonly ExampleRequest[]>> = {
  products: [
    {
      summary: 'New phones with their cheapest deal, the cheapest phone first',
      target:
        '/deals/v1/products/?filter[condition]=eq{new}&expand=products(cheapestDeal)&sort=products(total-cost-asc)&limit=5',
    },
    {
      summary: 'Free handsets on either of two networks for at most 40 a month, one phone per model, with a picture',
      target:
        '/deals/v1/products/?filter[networks]=eq{northway,quartet}&filter[upfrontCost]=eq{0}&filter[monthlyCost]=lte{40}&expand=products(grouped,cheapestDeal)&fields=products(front,large,webp)',
    },
    {
      summary: 'What a monthly price from 20 to below 30 buys: three deals of each phone, the most data first',
      target:
        '/deals/v1/products/?filter[monthlyCost]=gte{20}&filter[monthlyCost]=lt{30}&expand=products(deals)&sort=deals(data-allowance-desc)&limit=3,deals(3)',
    },
  ],
  product: [
    {
      summary: 'One new phone with its texts, its specifications and every picture',
      target:
        '/deals/v1/products/101/?filter[condition]=eq{new}&expand=products(content,page-content,meta-data,specs,images)',
    },
    {
      summary: 'Its deals with a gift or cashback, the lowest upfront cost first',
      target:
        '/deals/v1/products/101/?filter[condition]=eq{new}&filter[offers]=eq{gift,cashback}&expand=products(deals)&sort=deals(upfront-cost-asc)&limit=deals(10)',
    },
  ],
  giftCategories: [
    {
      summary: 'Every category with its texts, its picture and its gifts',
      target:
        '/deals/v1/gifts/categories/?expand=giftcategories(content,gifts)&fields=giftcategories(front,large,webp)',
    },
  ],
  gifts: [
    {
      summary: 'Every gift with its heading and a picture',
      target: '/deals/v1/gifts/?fields=gifts(heading,front,large,webp)',
    },
  ],
  networks: [{ summary: 'The networks, by name', target: '/deals/v1/networks/' }],
  retailers: [{ summary: 'The retailers, by name', target: '/deals/v1/retailers/' }],
  manufacturers: [{ summary: 'The manufacturers, by name', target: '/deals/v1/manufacturers/' }],
};
