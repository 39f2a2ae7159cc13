import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildReusing, editJson, readStore } from '../../unit/build/cache/build-reusing.ts';
import { createSite, NOW, type Sources } from '../../unit/build/run/write-sources.ts';
import { byTier } from '../tier.ts';
import { createRandom } from './random.ts';

const EDITS = byTier({ first: 8, second: 400, long: 3_000 });
const EDITS_OF_SITE = 8;
const SEED = Number(process.env['EDITS_SEED'] ?? 1);

type Cms = Sources['cms'] & { manufacturers?: object[] };
type Pick = <Value>(list: readonly Value[]) => Value;

/** Names that meet: what one record gains, another has or a feed says. */
const WORDS = ['Aurora', 'Borealis', 'Phone Barn', 'Night Owl', 'Nova One', 'Nova Two', 'Buds', 'Speaker', 'Nova'];
const SLUGS = ['aurora', 'borealis', 'phone-barn', 'night-owl', 'nova-one', 'nova-two', 'buds', 'speaker'];
const IDS = ['7', '9', '21', '22', '31', '32', '101', '102', '103'];
const LISTS = ['products', 'gifts', 'networks', 'retailers', 'giftCategories'] as const;

/** What an editor or an operator does, one of every kind. */
const EDIT_KINDS: Readonly<Record<string, (cms: Cms, pick: Pick) => void>> = {
  'files a record under another list': (cms, pick) => {
    const [from, to] = pick([
      ['networks', 'retailers'] as const,
      ['retailers', 'networks'] as const,
      ['gifts', 'networks'] as const,
    ]);
    const record = cms[from].pop();
    if (record !== undefined) cms[to].push(record);
  },
  'moves all of one list to another': (cms, pick) => {
    const [from, to] = pick([['networks', 'retailers'] as const, ['retailers', 'networks'] as const]);
    cms[to].push(...cms[from].splice(0));
  },
  'exchanges two lists': (cms) => {
    const networks = cms.networks.splice(0);
    cms.networks.push(...cms.retailers.splice(0));
    cms.retailers.push(...networks);
  },
  'renames a record': (cms, pick) => Object.assign(recordOf(cms, pick), { name: pick(WORDS) }),
  'gives a record another slug': (cms, pick) => Object.assign(recordOf(cms, pick), { slug: pick(SLUGS) }),
  'gives a record another id': (cms, pick) => Object.assign(recordOf(cms, pick), { id: pick(IDS) }),
  'gives a network or retailer other names': (cms, pick) =>
    Object.assign(pick(pick([cms.networks, cms.retailers])) ?? {}, { aliases: [pick(WORDS)] }),
  'gives a network or retailer ids of a feed': (cms, pick) =>
    Object.assign(pick(pick([cms.networks, cms.retailers])) ?? {}, {
      feedIds: { [pick(['house', 'night'])]: [pick(IDS)] },
    }),
  'gives a product or gift matches': (cms, pick) =>
    Object.assign(pick(pick([cms.products, cms.gifts])) ?? {}, {
      matches: pick<object>([
        { names: [pick(WORDS)] },
        { gtins: ['0840244706500'] },
        { feedIds: { house: [pick(IDS)] } },
      ]),
    }),
  'changes a condition': (cms, pick) =>
    Object.assign(pick(cms.products) ?? {}, { condition: pick(['new', 'refurbished']) }),
  'makes a draft, or publishes one': (cms, pick) =>
    Object.assign(pick(pick([cms.products, cms.gifts])) ?? {}, { status: pick(['draft', 'published']) }),
  'deletes a record': (cms, pick) => void cms[pick(LISTS)].pop(),
  'adds a record twice': (cms, pick) => void cms[pick(LISTS)].push({ ...recordOf(cms, pick) }),
  'turns a list round': (cms, pick) => void cms[pick(LISTS)].reverse(),
  'writes a text': (cms, pick) => Object.assign(recordOf(cms, pick), { content: { heading: pick(WORDS) } }),
  'names a manufacturer': (cms, pick) => {
    Object.assign(pick(cms.products) ?? {}, { manufacturer: pick(SLUGS) });
    cms.manufacturers = [{ slug: pick(SLUGS), name: pick(WORDS) }];
  },
};

const SETTINGS: readonly object[] = [
  { exclude: [{ product: '101', reason: 'x' }] },
  { exclude: [{ retailer: 'night-owl', deal: 'N-1', reason: 'x' }] },
  { exclude: [] },
  { money: { maxMonthlyCost: 40 } },
  { money: {} },
  { currency: { code: 'EUR', label: '€' } },
  { currency: { code: 'GBP', label: '£' } },
];

function recordOf(cms: Cms, pick: Pick): Record<string, unknown> {
  return pick(cms[pick(LISTS)]) ?? {};
}

describe('the catalogue is edited at random', () => {
  it(`and ${EDITS} builds that reuse work give the bytes of builds that do not`, async () => {
    const random = createRandom(SEED);
    const pick: Pick = (list) => list[random(list.length)] as never;
    const kinds = Object.entries(EDIT_KINDS);
    for (let edit = 0; edit < EDITS;) {
      const site = await createSite();
      const control = `${site.store}-control`;
      const done: string[] = [];
      // Edits add up, but not until nothing is left of the catalogue.
      for (let end = edit + EDITS_OF_SITE; edit < Math.min(end, EDITS); edit++) {
        if (done.length > 0) rmSync(join(control, 'cache'), { recursive: true, force: true });
        const now = new Date(NOW.getTime() + edit * 60_000);
        await buildReusing(site, now);
        await buildReusing(site, now, control);
        expect({ done, store: readStore(site.store) }).toEqual({ done, store: readStore(control) });
        const [name, change] = pick(kinds);
        done.push(`seed ${SEED}: ${name}`);
        editJson(site, 'cms/site.json', (cms: Cms) => change(cms, pick));
        if (random(5) === 0)
          editJson(site, 'catalogue.json', (config: object) => Object.assign(config, pick(SETTINGS)));
      }
    }
  }, 3_600_000);
});
