import Database from 'better-sqlite3';
import Fastify from 'fastify';
import { writeCheapestDeal, writeDeal } from './shape.mjs';

// `node serve.mjs <database> <currency label>`: answers three of the catalogue's questions from SQLite.

const [file = '', currency = ''] = process.argv.slice(2);
const database = new Database(file, { readonly: true, fileMustExist: true });
// The whole database fits: pages are read through the map, and none is ever dropped.
database.pragma('mmap_size = 2147483648');
database.pragma('cache_size = -262144');
database.pragma('temp_store = MEMORY');

/** What a `cheapestDeal` is made of, beside the product. */
const CHEAPEST_DEAL = `
  d.upfront_pence, d.monthly_pence, d.total_pence, d.link,
  l.months, l.data_megabytes, l.call_minutes, l.text_messages,
  n.public_id AS network_id, n.name AS network_name, n.deal_logo AS network_logo,
  r.public_id AS retailer_id, r.name AS retailer_name, r.deal_logo AS retailer_logo`;

const selectPage = database.prepare(`
  SELECT p.public_id AS id, p.name, p.slug, ${CHEAPEST_DEAL}
  FROM (SELECT *, (SELECT min(rank) FROM deals WHERE product_id = products.id) AS cheapest
        FROM products ORDER BY id LIMIT :limit OFFSET :offset) p
  LEFT JOIN deals d ON d.product_id = p.id AND d.rank = p.cheapest
  LEFT JOIN plans l ON l.id = d.plan_id
  LEFT JOIN networks n ON n.id = d.network_id
  LEFT JOIN retailers r ON r.id = d.retailer_id
  ORDER BY p.id`);

const countProducts = database.prepare('SELECT count(*) FROM products').pluck();

const selectProducts = database.prepare(`
  SELECT public_id AS id, name, slug FROM products WHERE public_id = ? ORDER BY id`);

const selectDeals = database.prepare(`
  SELECT d.upfront_pence, d.monthly_pence, d.total_pence, d.link,
    l.deal_type, l.name AS contract_name, l.months, l.data_megabytes, l.call_minutes, l.text_messages,
    n.public_id AS network_id, n.name AS network_name, n.small_logo, n.medium_logo, n.large_logo,
    r.public_id AS retailer_id, r.name AS retailer_name, r.large_logo AS retailer_logo,
    p.condition, p.name AS product_name, p.image AS product_image, d.picture,
    g.image AS gift_image, g.name AS gift_name, c.type AS cashback_type, c.value_pence AS cashback_pence
  FROM products p
  JOIN deals d ON d.product_id = p.id
  JOIN plans l ON l.id = d.plan_id
  JOIN networks n ON n.id = d.network_id
  JOIN retailers r ON r.id = d.retailer_id
  LEFT JOIN gifts g ON g.id = d.gift_id
  LEFT JOIN cashbacks c ON c.id = d.cashback_id
  WHERE p.public_id = ?
  ORDER BY d.rank`);

// The index gives the deals of a product on a network in order of total cost, so each product costs one short search. The
// other ways that were tried take 2.5 times as long (the cost from the table, which is what SQLite chooses by itself) to 10
// times (grouping the deals of the network by product).
const selectFiltered = database.prepare(`
  WITH qualifying AS MATERIALIZED (
    SELECT id, (SELECT rank FROM deals
                WHERE product_id = products.id AND network_id = :network AND upfront_pence <= :upfront
                ORDER BY rank LIMIT 1) AS cheapest
    FROM products)
  SELECT p.public_id AS id, p.name, p.slug, (SELECT count(*) FROM qualifying WHERE cheapest IS NOT NULL) AS total,
    ${CHEAPEST_DEAL}
  FROM (SELECT q.*, (SELECT total_pence FROM deals INDEXED BY deals_by_product_network
                     WHERE product_id = q.id AND network_id = :network AND rank = q.cheapest) AS cost
        FROM qualifying q WHERE cheapest IS NOT NULL ORDER BY cost, id LIMIT :limit) q
  JOIN products p ON p.id = q.id
  JOIN deals d ON d.product_id = q.id AND d.rank = q.cheapest
  JOIN plans l ON l.id = d.plan_id
  JOIN networks n ON n.id = d.network_id
  JOIN retailers r ON r.id = d.retailer_id
  ORDER BY q.cost, q.id`);

const findNetwork = database.prepare('SELECT id FROM networks WHERE slug = ?').pluck();

const whole = { type: 'integer', minimum: 0 };
const app = Fastify();

app.get(
  '/products',
  {
    schema: {
      querystring: {
        type: 'object',
        additionalProperties: false,
        properties: { limit: { ...whole, maximum: 100, default: 20 }, offset: { ...whole, default: 0 } },
      },
    },
  },
  (request, reply) => {
    const { limit, offset } = request.query;
    const rows = selectPage.all({ limit, offset });
    reply.header('x-total-count', countProducts.get());
    return { products: rows.map(writeProduct) };
  },
);

app.get('/products/:id/deals', (request, reply) => {
  const { id } = request.params;
  const found = selectProducts.all(id);
  reply.header('x-total-count', found.length);
  return { products: found, deals: selectDeals.all(id).map(writeDeal) };
});

app.get(
  '/cheapest',
  {
    schema: {
      querystring: {
        type: 'object',
        required: ['network', 'upfrontPence'],
        additionalProperties: false,
        properties: {
          network: { type: 'string' },
          upfrontPence: whole,
          limit: { ...whole, maximum: 100, default: 20 },
        },
      },
    },
  },
  (request, reply) => {
    const { network: slug, upfrontPence, limit } = request.query;
    const network = findNetwork.get(slug);
    if (network === undefined) return reply.code(400).send({ error: 'unknown network' });
    const rows = selectFiltered.all({ network, upfront: upfrontPence, limit });
    reply.header('x-total-count', rows[0]?.total ?? 0);
    return { products: rows.map(writeProduct) };
  },
);

/** @param {Record<string, any>} row */
function writeProduct(row) {
  const { id, name, slug } = row;
  return row.link === null ? { id, name, slug } : { id, name, slug, cheapestDeal: writeCheapestDeal(row, currency) };
}

await app.listen({ host: '127.0.0.1', port: 0 });
console.log(app.listeningOrigin);
