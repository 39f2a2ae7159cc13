import { parseArgs } from 'node:util';
import { writeCatalogue } from './write-catalogue.ts';

/** Writes the sources of one catalogue: `tsx test/bench/catalogue/make-catalogue.ts --folder /tmp/src --deals 20000`. */
const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    deals: { type: 'string', default: '20000' },
    products: { type: 'string', default: '2000' },
    shape: { type: 'string', default: 'deals' },
    spread: { type: 'string', default: 'by-sales' },
  },
});
const { folder, shape, spread } = values;
if (folder === undefined || (shape !== 'deals' && shape !== 'awin' && shape !== 'awin-gzip')) {
  throw new RangeError('expected --folder <folder>, and --shape deals, awin or awin-gzip');
}
if (spread !== 'by-sales' && spread !== 'even') throw new RangeError('expected --spread by-sales or even');
await writeCatalogue({
  folder,
  productCount: Number(values.products),
  dealCount: Number(values.deals),
  shape,
  spread,
});
