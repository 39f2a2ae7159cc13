import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';

// `node fill.mjs <database>`: makes the database from lines `["table", value, …]` on stdin, values in the order of the
// columns of schema.sql.

const [file = ''] = process.argv.slice(2);
rmSync(file, { force: true });
const database = new Database(file);
database.pragma('journal_mode = OFF');
database.pragma('synchronous = OFF');
database.exec(readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8'));

/** @type {Map<string, import('better-sqlite3').Statement>} */
const statements = new Map();

/** @param {string} table @param {number} columnCount */
function prepareInsert(table, columnCount) {
  const statement = database.prepare(`INSERT INTO ${table} VALUES (${Array(columnCount).fill('?').join(', ')})`);
  statements.set(table, statement);
  return statement;
}

database.exec('BEGIN');
for await (const line of createInterface({ input: process.stdin })) {
  const [table, ...values] = JSON.parse(line);
  (statements.get(table) ?? prepareInsert(table, values.length)).run(values);
}
database.exec('COMMIT');
database.exec(readFileSync(join(import.meta.dirname, 'indexes.sql'), 'utf8'));
database.close();
