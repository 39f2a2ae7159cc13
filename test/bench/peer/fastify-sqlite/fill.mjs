import { createReadStream, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';

// `node fill.mjs <snapshot> <public url> <database>`: makes the database from the files of a snapshot. The public url is
// put before the paths of pictures, as the server does.

const [snapshot = '', publicUrl = '', file = ''] = process.argv.slice(2);
rmSync(file, { force: true });
const database = new Database(file);
database.pragma('journal_mode = OFF');
database.pragma('synchronous = OFF');
database.exec(readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8'));

/** @param {string} url */
const place = (url = '') => (url.startsWith('/') ? publicUrl + url : url);

/** @type {Map<string, import('better-sqlite3').Statement>} */
const statements = new Map();

/** @param {string} table @param {(string | number | null)[]} values in the order of the columns of schema.sql */
function insert(table, ...values) {
  let statement = statements.get(table);
  if (statement === undefined) {
    statement = database.prepare(`INSERT INTO ${table} VALUES (${Array(values.length).fill('?').join(', ')})`);
    statements.set(table, statement);
  }
  statement.run(values);
}

/** @param {string} name */
const linesOf = (name) => createInterface({ input: createReadStream(join(snapshot, name)) });

const dictionaries = JSON.parse(readFileSync(join(snapshot, 'dictionaries.json'), 'utf8'));
const { networks, retailers, plans, gifts, cashbacks, linkTemplates, pictures } = dictionaries;

database.exec('BEGIN');
for (const [row, { id, slug, name, logos }] of networks.entries()) {
  insert('networks', row, id, slug, name, ...['small', 'medium', 'large', 'deal'].map((size) => place(logos[size])));
}
for (const [row, { id, name, logos }] of retailers.entries()) {
  insert('retailers', row, id, name, place(logos.large), place(logos.deal));
}
for (const [row, plan] of plans.entries()) {
  const allowances = [plan.dataMegabytes, plan.callMinutes, plan.textMessages];
  const limits = allowances.map((each) => (each === 'unlimited' ? null : each));
  insert('plans', row, plan.network, plan.dealType, plan.contractName, plan.contractMonths, ...limits);
}
// Numbered from 1: in a deal 0 means none.
for (const [row, { name, image }] of gifts.entries()) insert('gifts', row + 1, name, place(image));
for (const [row, { type, valuePence }] of cashbacks.entries()) insert('cashbacks', row + 1, type, valuePence);
let productCount = 0;
for await (const line of linesOf('products.ndjson')) {
  const { id, condition, name, slug, images } = JSON.parse(line);
  const label = condition === 'new' ? 'New' : 'Refurbished';
  insert('products', productCount++, id, label, name, slug, place(images.largeFrontImageWebp));
}
for await (const line of linesOf('deals.ndjson')) {
  const deals = JSON.parse(line);
  for (const [i, rank] of deals.rank.entries()) {
    const { prefix, suffix } = linkTemplates[deals.linkTemplate[i]];
    const picture = deals.picture?.[i] ?? 0;
    insert(
      'deals',
      deals.product,
      rank,
      deals.plan[i],
      plans[deals.plan[i]].network,
      deals.retailer[i],
      deals.totalPence[i],
      deals.upfrontPence[i],
      deals.monthlyPence[i],
      deals.gift?.[i] || null,
      deals.cashback?.[i] || null,
      picture === 0 ? null : place(pictures[picture - 1]),
      `${prefix}${deals.linkPart[i]}${suffix}`,
    );
  }
}
database.exec('COMMIT');
database.exec(readFileSync(join(import.meta.dirname, 'indexes.sql'), 'utf8'));
database.close();
