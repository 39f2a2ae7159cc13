/**
 * Rows that are read as deals to their end before the source is given up: each costs what a row of a sound feed costs.
 * They have a bound of their own.
 */
export const READ_AS_DEALS: ReadonlySet<string> = new Set([
  'an unknown phone on every other of 120,000 rows',
  'another unknown network on each of 150,000 rows',
  'another plan on each of 51,000 rows',
]);

/** Built each by itself: what takes as much of the machine as a source may. */
export const HEAVY_CASES: ReadonlySet<string> = new Set([
  'a brotli bomb of short lines',
  'a gzip bomb of 1 GB',
  'a zip bomb',
  'a gzip bomb of rows that are out of stock',
  'a zip of 60,000 files',
  'a stray quote in each of 100,000 rows',
  'millions of rows that are nothing',
  'another unknown phone on each of 25,000 rows',
  'another unknown phone on each of 1,200,000 rows',
  'a cell of 1 GB with line breaks',
  'an open quote in a large file',
  'commas and nothing else',
  '5 million empty objects',
  '5 million lists beside the lists',
  'a text that is no JSON, in 16 MB of line breaks',
  'an item of a million elements',
  'a post of a million terms',
  'an export of 90 MB of nothing',
  'a million stray quotes',
  'a line a million deep',
  'a catalogue a million deep',
  'a catalogue a million deep that never closes',
  'a field a million deep',
  'a line a million objects deep, of a key that is not read',
  'another unknown key on each of 20,000 lines',
  '100,000 keys that collide beside the lists',
  'an open text of 16 MB',
  'folders that lead to themselves, three times over',
  'four pictures as large as pictures may be',
  ...READ_AS_DEALS,
]);
